#include "sinew/asset/joint_map_file.h"

#include <nlohmann/json.hpp>

#include "sinew/error.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

int joint_named(const Skeleton& skeleton, const Json& name, const std::string& whose) {
  if (!name.is_string()) {
    throw Error(ErrorCode::settings_invalid, "the joint map holds something else than a joint name");
  }
  const auto text = name.get<std::string>();
  const int joint = find_joint(skeleton, text);
  if (joint < 0) {
    throw Error(ErrorCode::settings_invalid, "the joint map names '" + text + "', which " + whose + " does not have");
  }
  return joint;
}

JointLink link_of(const Json& value, const Skeleton& source) {
  const std::string whose = "the motion's skeleton";
  if (value.is_null()) return {-1, -1, 1.0, MapReason::given};
  if (value.is_string()) return {joint_named(source, value, whose), -1, 1.0, MapReason::given};
  const bool complete = value.is_object() && value.contains("from") && value.contains("to") &&
                        value.contains("share") && value["share"].is_number();
  if (!complete) {
    throw Error(ErrorCode::settings_invalid, "a joint map holds names, null, or objects with from, to and share",
                "see docs/retarget.md");
  }
  const double share = value["share"].get<double>();
  if (!(share >= 0 && share <= 1)) {
    throw Error(ErrorCode::settings_invalid, "a share in the joint map is not between 0 and 1");
  }
  return {joint_named(source, value["to"], whose), joint_named(source, value["from"], whose), share, MapReason::given};
}

}  // namespace

std::string joint_map_to_json(const JointMap& map, const Skeleton& source, const Skeleton& target,
                              std::string_view source_name) {
  Json joints = Json::object();
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    if (target.kinds[joint] != JointKind::joint) continue;
    const JointLink& link = map.links[joint];
    Json& entry = joints[target.names[joint]];
    if (link.source < 0) continue;  // null
    if (link.before < 0) {
      entry = source.names[link.source];
    } else {
      entry = {{"from", source.names[link.before]}, {"to", source.names[link.source]}, {"share", link.share}};
    }
  }
  return Json{{"source", source_name}, {"joints", joints}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void apply_joint_map_json(std::string_view text, const Skeleton& source, const Skeleton& target, JointMap& map) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::settings_invalid, std::string("the joint map is not JSON: ") + error.what());
  }
  if (!json.is_object() || !json.contains("joints") || !json["joints"].is_object()) {
    throw Error(ErrorCode::settings_invalid, "the joint map has no object \"joints\"",
                "docs/retarget.md shows the format")
        .about("joint_map");
  }
  for (const auto& [name, value] : json["joints"].items()) {
    map.links[joint_named(target, Json(name), "the character")] = link_of(value, source);
  }
}

}  // namespace sinew
