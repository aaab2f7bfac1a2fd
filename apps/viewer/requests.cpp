#include "apps/viewer/requests.h"

#include <stdlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/cli/retarget_clip.h"
#include "sinew/asset/file.h"
#include "sinew/base/file_bytes.h"
#include "sinew/rig/retarget.h"

namespace sinew::viewer {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Error refused(const std::string& what, const std::string& advice = {}) { return Error(ErrorKind::usage, what, advice); }

// A folder that only this user can look into, gone with the object.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::string pattern = (fs::temp_directory_path() / "sinew-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw Error(ErrorKind::failed, "no temporary folder can be made");
    path_ = pattern;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

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

// As `sinew retarget` does it.
void retarget_onto(Document& document, Character clip, const std::string& name, const Progress& progress) {
  const std::shared_ptr<const OpenedCharacter> opened = document.opened();
  const Skeleton& target = opened->character.skeleton;
  Warnings warnings = clip.warnings;
  clip.skeleton = cli::usable_rest_pose(clip.skeleton, target, warnings);
  const JointMap map = map_joints(clip.skeleton, target);
  check_joint_map(map, clip.skeleton, target);
  std::vector<Motion> motions;
  for (std::size_t m = 0; m < clip.motions.size(); ++m) {
    progress(static_cast<double>(m) / static_cast<double>(clip.motions.size()), "retargeting");
    RetargetReport report;
    motions.push_back(retarget_motion(clip.skeleton, clip.motions[m], target, map, {}, report));
    if (motions.back().name == "dropped") motions.back().name = name;
    warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  }
  document.add_motions(std::move(motions), std::move(warnings));
}

std::string glb_bytes(const Character& character) {
  const PrivateFolder folder;
  const fs::path file = folder.path() / "character.glb";
  save_character(character, file);
  const std::vector<std::byte> bytes = read_file_bytes(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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
  const std::shared_ptr<const OpenedCharacter> opened = document.opened();
  const std::string situation = std::to_string(opened->generation) + ' ' +
                                std::to_string(request.input.max_influences) + ' ' + request.input.joints;
  Character character = opened->character;
  WeightsEntry entry;
  entry.report = bind_character(character, cache.with_memory(*request.method, situation), request.options,
                                request.input, progress);
  entry.label = label_of(request);
  entry.method = request.method->name;
  entry.options = request.options;
  entry.max_influences = request.input.max_influences;
  entry.gesture = request.gesture;
  entry.weights = std::move(character.weights);
  entry.parts = std::move(character.parts);
  document.add(std::move(entry), opened->generation);
}

void run_open(Document& document, const std::string& name, const std::string& bytes, const Progress& progress) {
  const std::string file_name = fs::path(name).filename().string();
  progress(0, "reading " + file_name);
  const PrivateFolder folder;
  // Under a name of our own, with the extension by which the format may be recognised.
  const fs::path file = folder.path() / ("dropped" + fs::path(file_name).extension().string());
  write_file_text(file, bytes);
  Character character;
  try {
    character = load_character(file);
  } catch (const Error& error) {
    const std::string text = error.what(), path = file.string();
    const std::size_t at = text.find(path);
    throw Error(error.kind(), at == std::string::npos ? text : std::string(text).replace(at, path.size(), file_name),
                error.advice());
  }
  if (character.name == file.stem()) character.name = fs::path(file_name).stem().string();
  progress(0.1, "opening " + file_name);
  const bool only_skeleton = character.mesh.vertex_count() == 0 && !character.skeleton.empty();
  if (!only_skeleton) {
    document.open(std::move(character), file_name);
  } else if (document.opened()->character.skeleton.empty() || character.motions.empty()) {
    document.take_skeleton(character);
  } else {
    retarget_onto(document, std::move(character), fs::path(file_name).stem().string(), progress.part(0.1, 1));
  }
}

std::string result_glb(const Document& document) { return glb_bytes(document.result()); }

std::string opened_glb(const Document& document) { return glb_bytes(document.opened()->character); }

}  // namespace sinew::viewer
