#include "apps/viewer/requests.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/viewer/refusal.h"

namespace sinew::viewer {
namespace {

using nlohmann::json;

json describe_option(const MethodOption& option, const MethodInfo& method) {
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
  for (const LiveOption& slider : method.live_options) {
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

OptionValues option_values(const MethodInfo& method, const json& given) {
  if (!given.is_object()) throw refused("'options' must be an object");
  OptionValues values;
  for (const auto& [name, value] : given.items()) {
    const MethodOption* known = nullptr;
    for (const MethodOption& option : method.options) {
      if (option.name == name) known = &option;
    }
    if (!known) throw refused("method '" + method.name + "' has no option '" + name + "'");
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
std::string label_of(const MethodInfo& method, const BindOptions& options) {
  std::string label = method.name;
  for (const MethodOption& option : method.options) {
    const OptionValue& value = options.values.at(option.name);
    if (value != option.default_value) label += ", " + option.name + " " + format_option(value);
  }
  if (!options.pins.empty()) label += ", " + std::to_string(options.pins.size()) + " pins";
  return label;
}

void add_bound(Document& document, Binder& binder, const BindRequest& request, std::vector<WeightPin> pins,
               const Progress& progress) {
  const MethodInfo method = weight_method_info(request.options.method);
  const std::shared_ptr<const OpenedCharacter> opened = document.opened();
  Character character = opened->character;
  BindOptions options = request.options;
  if (method.takes(MethodInput::pins)) options.pins = pins;
  Entry entry;
  entry.report = binder.bind(character, options, progress);
  entry.label = label_of(method, options);
  entry.field = std::move(entry.report.field);
  entry.opened = opened;
  entry.method = method.name;
  entry.options = options.values;
  entry.max_influences = options.max_influences;
  entry.joints = options.joints;
  entry.gesture = request.gesture;
  entry.weights = std::move(character.weights);
  entry.parts = std::move(character.parts);
  entry.pins = std::move(pins);
  document.add(std::move(entry));
}

}  // namespace

json describe_methods() {
  json list = json::array();
  for (const MethodInfo& method : weight_method_list()) {
    json options = json::array();
    for (const MethodOption& option : method.options) options.push_back(describe_option(option, method));
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
  const MethodInfo method = weight_method_info(text_member(object, "method", ""));
  request.options.method = method.name;
  request.options.values = option_values(method, object.value("options", json::object()));
  const json influences = object.value("max_influences", json(4));
  if (!influences.is_number_integer() || influences.get<double>() < 1 || influences.get<double>() > 16) {
    throw refused("'max_influences' must be 1 … 16");
  }
  request.options.max_influences = influences.get<int>();
  request.options.joints = text_member(object, "joints", request.options.joints);
  request.options.seed = seed;
  request.gesture = text_member(object, "gesture", "");
  return request;
}

void run_bind(Document& document, Binder& binder, const BindRequest& request, const Progress& progress) {
  add_bound(document, binder, request, document.before(request.gesture)->pins, progress);
}

void run_pins(Document& document, std::string_view text, std::uint64_t seed, const Progress& progress) {
  const EntryPointer present = document.current();
  const MethodInfo method = weight_method_info("biharmonic");
  BindRequest request;
  request.options.method = method.name;
  request.options.values = present->method == method.name ? present->options : checked_options(method, {});
  request.options.max_influences = present->max_influences;
  request.options.joints = present->joints;
  request.options.seed = seed;
  Warnings warnings;
  std::vector<WeightPin> pins = read_pins(text, present->opened->character, warnings);
  Binder binder;
  add_bound(document, binder, request, std::move(pins), progress);
}

}  // namespace sinew::viewer
