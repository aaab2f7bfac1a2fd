#include "apps/viewer/requests.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/viewer/private_folder.h"
#include "apps/viewer/refusal.h"
#include "sinew/base/file_bytes.h"

namespace sinew::viewer {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool from_the_page(const MethodOption& option) {
  return !std::holds_alternative<std::string>(option.default_value) || !option.choices.empty();
}

json describe_option(const MethodOption& option, const LiveMethod* live) {
  json object = {{"name", option.name}, {"help", option.help}};
  std::visit([&](const auto& value) { object["default"] = value; }, option.default_value);
  switch (option.default_value.index()) {
    case 0:
      object["type"] = "switch";
      break;
    case 1:
      object["type"] = "whole";
      break;
    case 2:
      object["type"] = "number";
      break;
    default:
      object["type"] = "choice";
      object["choices"] = option.choices;
  }
  constexpr double no_limit = 1e29;
  if (option.minimum > -no_limit) object["minimum"] = option.minimum;
  if (option.maximum < no_limit) object["maximum"] = option.maximum;
  if (!live) return object;
  for (const LiveOption& slider : live->options) {
    if (slider.name == option.name) object["live"] = {{"minimum", slider.minimum}, {"maximum", slider.maximum}};
  }
  return object;
}

OptionValue option_value(const MethodOption& option, const json& value) {
  const auto wrong = [&](const char* wanted) { return refused("option '" + option.name + "' needs " + wanted); };
  switch (option.default_value.index()) {
    case 0:
      if (!value.is_boolean()) throw wrong("true or false");
      return value.get<bool>();
    case 1:
      // Checked as a double: what does not fit an int is out of range, not something else.
      if (!value.is_number_integer() || std::abs(value.get<double>()) > 2e9) throw wrong("a whole number");
      return value.get<int>();
    case 2:
      if (!value.is_number()) throw wrong("a number");
      return value.get<double>();
    default:
      if (!value.is_string()) throw wrong("a text");
      return value.get<std::string>();
  }
}

OptionValues option_values(const WeightMethod& method, const json& given) {
  if (!given.is_object()) throw refused("'options' must be an object");
  OptionValues values;
  for (const auto& [name, value] : given.items()) {
    const MethodOption* known = nullptr;
    for (const MethodOption& option : method.options) {
      if (option.name == name) known = &option;
    }
    if (!known) throw refused("method '" + method.name + "' has no option '" + name + "'");
    if (!from_the_page(*known)) {
      throw refused("option '" + name + "' names a file and cannot be set from the page", "use sinew bind");
    }
    values[name] = option_value(*known, value);
  }
  return checked_options(method, values);
}

std::string text_member(const json& object, const char* name, const std::string& absent) {
  if (!object.contains(name)) return absent;
  if (!object[name].is_string()) throw refused(std::string("'") + name + "' must be a text");
  return object[name].get<std::string>();
}

// "atlas, softness 0.8": the name and what is not as usual.
std::string label_of(const BindRequest& request) {
  std::string label = request.method->name;
  for (const MethodOption& option : request.method->options) {
    const OptionValue& value = request.options.at(option.name);
    if (value != option.default_value) label += ", " + option.name + " " + format_option(value);
  }
  return label;
}

bool has_option(const WeightMethod& method, const char* name) {
  return std::any_of(method.options.begin(), method.options.end(),
                     [&](const MethodOption& option) { return option.name == name; });
}

void add_bound(Document& document, const WeightMethod& method, const BindRequest& request, std::vector<WeightPin> pins,
               const Progress& progress) {
  const std::shared_ptr<const OpenedCharacter> opened = document.opened();
  Character character = opened->character;
  Entry entry;
  entry.label = label_of(request);
  // Options that name files are the server's to set, in a folder of its own.
  const PrivateFolder folder;
  OptionValues options = request.options;
  const fs::path pin_file = folder.path() / "pins.json", field_file = folder.path() / "field.skincells";
  if (has_option(method, "pins") && !pins.empty()) {
    write_file_text(pin_file, pins_text(pins, character.skeleton));
    options["pins"] = pin_file.string();
    entry.label += ", " + std::to_string(pins.size()) + " pins";
  }
  if (has_option(method, "field")) options["field"] = field_file.string();
  entry.report = bind_character(character, method, options, request.input, progress);
  if (fs::exists(field_file)) {
    const std::vector<std::byte> bytes = read_file_bytes(field_file);
    entry.field.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  entry.opened = opened;
  entry.method = request.method->name;
  entry.options = request.options;
  entry.max_influences = request.input.max_influences;
  entry.joints = request.input.joints;
  entry.gesture = request.gesture;
  entry.weights = std::move(character.weights);
  entry.parts = std::move(character.parts);
  entry.pins = std::move(pins);
  document.add(std::move(entry));
}

}  // namespace

json describe_methods() {
  json list = json::array();
  for (const WeightMethod& method : weight_methods()) {
    const LiveMethod* live = find_live_method(method.name);
    json options = json::array();
    for (const MethodOption& option : method.options) {
      if (from_the_page(option)) options.push_back(describe_option(option, live));
    }
    list.push_back({{"name", method.name}, {"summary", method.summary}, {"options", std::move(options)}});
  }
  return list;
}

BindRequest parse_bind_request(const std::string& body, std::uint64_t seed) {
  const json object = json::parse(body, nullptr, false);
  if (!object.is_object()) throw refused("the body is not a JSON object");
  for (const auto& [name, value] : object.items()) {
    if (name != "method" && name != "options" && name != "max_influences" && name != "joints" && name != "gesture") {
      throw refused("nothing is called '" + name + "'");
    }
  }
  BindRequest request;
  request.method = &find_weight_method(text_member(object, "method", ""));
  request.options = option_values(*request.method, object.value("options", json::object()));
  const json influences = object.value("max_influences", json(4));
  if (!influences.is_number_integer() || influences.get<double>() < 1 || influences.get<double>() > 16) {
    throw refused("'max_influences' must be 1 … 16");
  }
  request.input.max_influences = influences.get<int>();
  request.input.joints = text_member(object, "joints", request.input.joints);
  request.input.seed = seed;
  request.gesture = text_member(object, "gesture", "");
  return request;
}

void run_bind(Document& document, LiveCache& cache, const BindRequest& request, const Progress& progress) {
  const EntryPointer before = document.before(request.gesture);
  const std::string situation = std::to_string(before->opened->rig) + ' ' +
                                std::to_string(request.input.max_influences) + ' ' + request.input.joints;
  add_bound(document, cache.with_memory(*request.method, situation), request, before->pins, progress);
}

void run_pins(Document& document, const fs::path& file, std::uint64_t seed, const Progress& progress) {
  const EntryPointer present = document.current();
  const Character& character = present->opened->character;
  BindRequest request;
  request.method = &find_weight_method("biharmonic");
  const bool same_method = present->method == request.method->name;
  request.options = same_method ? present->options : checked_options(*request.method, {});
  request.input.max_influences = present->max_influences;
  request.input.joints = present->joints;
  request.input.seed = seed;
  Warnings warnings;
  const BindInput input = make_bind_input(character, request.input, warnings);
  std::vector<std::uint32_t> vertex_of(input.vertex_count());
  for (std::size_t v = input.welded_of.size(); v-- > 0;) {
    if (input.welded_of[v] != BindInput::not_bound) vertex_of[input.welded_of[v]] = static_cast<std::uint32_t>(v);
  }
  std::vector<WeightPin> pins = read_pins(file, input, warnings);
  for (WeightPin& pin : pins) pin.vertex = vertex_of[pin.vertex];
  add_bound(document, *request.method, request, std::move(pins), progress);
}

}  // namespace sinew::viewer
