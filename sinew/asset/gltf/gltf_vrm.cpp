#include "sinew/asset/gltf/gltf_vrm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "sinew/anatomy/convention_names.h"
#include "sinew/anatomy/joint_limits.h"
#include "sinew/anatomy/legs.h"

namespace sinew::gltf {
namespace {

constexpr const char* license = "https://vrm.dev/licenses/1.0/";
constexpr double straight = 5 * std::numbers::pi / 180;  // arms that are nearer than this to a T-pose stay as they are

constexpr std::array<std::string_view, 15> required_bones = {
    "hips",         "spine",         "head",          "leftUpperLeg",  "leftLowerLeg",
    "leftFoot",     "rightUpperLeg", "rightLowerLeg", "rightFoot",     "leftUpperArm",
    "leftLowerArm", "leftHand",      "rightUpperArm", "rightLowerArm", "rightHand"};

// Bones that are no use without the one before them.
constexpr std::pair<std::string_view, std::string_view> needs[] = {
    {"LowerArm", "UpperArm"}, {"Hand", "LowerArm"}, {"LowerLeg", "UpperLeg"}, {"Foot", "LowerLeg"}, {"Toes", "Foot"},
};

// Bone → joint.
std::map<std::string, int> bones_of_vrm(const Skeleton& skeleton) {
  const std::vector<BodyPlace> places = body_places(skeleton, identify_joints(skeleton));
  std::map<std::string, int> bones;
  for (std::size_t joint = 0; joint < places.size(); ++joint) {
    const std::string bone = convention_name(NameConvention::vrm, places[joint]);
    if (!bone.empty()) bones.emplace(bone, static_cast<int>(joint));
  }
  // Everything hangs on the hips, and every limb on its own first joint.
  const auto hips = bones.find("hips");
  std::erase_if(bones, [&](const auto& entry) {
    return hips == bones.end() ||
           (entry.second != hips->second && !hangs_on(skeleton.parents, entry.second, hips->second));
  });
  for (const std::string side : {"left", "right"}) {
    for (const auto& [bone, above] : needs) {
      const auto found = bones.find(side + std::string(bone)), carrier = bones.find(side + std::string(above));
      if (found == bones.end()) continue;
      if (carrier == bones.end() || !hangs_on(skeleton.parents, found->second, carrier->second)) bones.erase(found);
    }
  }
  return bones;
}

Vec3d unit(const Vec3d& v) { return v.normalized(); }

// Turns the joint of a pose so that `next` lies from it along `wanted`.
void point_at(const Skeleton& skeleton, Pose& pose, int joint, int next, const Vec3d& wanted) {
  const std::vector<Affine3d> globals = global_transforms(skeleton, pose);
  const Vec3d now = globals[next].translation() - globals[joint].translation();
  if (!(now.norm() > 0) || std::acos(std::clamp(unit(now).dot(wanted), -1.0, 1.0)) < straight) return;
  const Quatd turn = Quatd::FromTwoVectors(now, wanted);
  const int parent = skeleton.parents[joint];
  const Mat3d above = parent >= 0 ? Mat3d(globals[parent].linear()) : Mat3d::Identity();
  // The turn, seen from the parent; scales of parents are even, or the pose is as near as a rotation gets.
  const Mat3d local = above.inverse() * turn.toRotationMatrix() * above;
  Affine3d turned = Affine3d::Identity();
  turned.linear() = local;
  pose[joint].rotation = (Transform::from_matrix(turned).rotation * pose[joint].rotation).normalized();
}

int bone_or_none(const std::map<std::string, int>& bones, const std::string& name) {
  const auto found = bones.find(name);
  return found == bones.end() ? -1 : found->second;
}

Json list_of_texts(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

// What a VRM 0 file says about itself, as far as VRM 1.0 says the same; permissions become the strictest.
Json meta_of_vrm0(const Json& old) {
  Json meta = Json::object();
  const auto text = [&](const char* key) {
    return old.is_object() && old.contains(key) && old[key].is_string() ? old[key].get<std::string>() : std::string();
  };
  if (!text("title").empty()) meta["name"] = text("title");
  if (!text("version").empty()) meta["version"] = text("version");
  if (!text("author").empty()) meta["authors"] = Json::array({text("author")});
  if (!text("contactInformation").empty()) meta["contactInformation"] = text("contactInformation");
  if (!text("otherLicenseUrl").empty()) meta["otherLicenseUrl"] = text("otherLicenseUrl");
  return meta;
}

Json meta_of(const Json& json, const Character& character, const VrmMeta& given, Warnings& warnings) {
  Json meta = Json::object();
  if (json.contains("extensions")) {
    const Json& extensions = json["extensions"];
    if (extensions.contains("VRM") && extensions["VRM"].contains("meta"))
      meta = meta_of_vrm0(extensions["VRM"]["meta"]);
    if (extensions.contains("VRMC_vrm") && extensions["VRMC_vrm"].contains("meta"))
      meta = extensions["VRMC_vrm"]["meta"];
  }
  if (!meta.is_object()) meta = Json::object();
  if (!given.name.empty()) meta["name"] = given.name;
  if (!meta.contains("name")) meta["name"] = character.name.empty() ? "character" : character.name;
  if (!given.authors.empty()) meta["authors"] = list_of_texts(given.authors);
  if (!meta.contains("authors") || meta["authors"].empty()) {
    meta["authors"] = Json::array({"unknown"});
    warnings.push_back({"vrm-author", "a VRM names its authors; none is given, so it says 'unknown'"});
  }
  if (!given.license_url.empty()) meta["licenseUrl"] = given.license_url;
  if (!meta.contains("licenseUrl")) meta["licenseUrl"] = license;
  return meta;
}

// A node above everything that turns the body to +Z. Skinned meshes follow their joints and stay at the root.
void turn_to_front(Json& json, const Skeleton& skeleton, Warnings& warnings) {
  const BodyFrame body = body_frame(skeleton);
  if (body.up.dot(Vec3d::UnitY()) < 0.9) {
    warnings.push_back({"vrm-not-upright", "the body does not stand along Y, as VRM wants it"});
    return;
  }
  const double quarters = std::round(std::atan2(body.forward.x(), body.forward.z()) / (std::numbers::pi / 2));
  if (quarters == 0 || !json.contains("scenes")) return;
  const Quatd turn(Eigen::AngleAxisd(-quarters * std::numbers::pi / 2, Vec3d::UnitY()));
  Json& scene = json["scenes"][json.value("scene", std::size_t{0})];
  Json below = Json::array(), above = Json::array();
  for (const Json& node : array_member(scene, "nodes", "the scene")) {
    const Json& object = json["nodes"][node.get<std::size_t>()];
    const bool skinned_alone = object.contains("skin") && !object.contains("children");
    (skinned_alone ? above : below).push_back(node);
  }
  if (below.empty()) return;
  Json root = {{"name", "facing"}, {"children", std::move(below)}};
  set_node_transform(root, {Vec3d::Zero(), turn, Vec3d::Ones()});
  json["nodes"].push_back(std::move(root));
  above.push_back(json["nodes"].size() - 1);
  scene["nodes"] = std::move(above);
}

void use_extension(Json& json, const char* name) {
  if (!json.contains("extensionsUsed")) json["extensionsUsed"] = Json::array();
  Json& used = json["extensionsUsed"];
  if (std::find(used.begin(), used.end(), name) == used.end()) used.push_back(name);
}

}  // namespace

void check_vrm_bones(const Skeleton& skeleton) {
  if (stands_on_all_fours(skeleton, identify_joints(skeleton))) {
    throw Error(ErrorCode::skeleton_not_understood, "VRM is for people, and the skeleton stands on all fours",
                "write .glb or .fbx");
  }
  const std::map<std::string, int> bones = bones_of_vrm(skeleton);
  std::string missing;
  for (const std::string_view bone : required_bones) {
    if (!bones.contains(std::string(bone))) missing += (missing.empty() ? "" : ", ") + std::string(bone);
  }
  if (missing.empty()) return;
  throw Error(ErrorCode::skeleton_not_understood, "VRM needs bones that the skeleton does not show: " + missing,
              "VRM is for people; give the joints names of a known convention, or write .glb");
}

Pose vrm_pose(const Skeleton& skeleton) {
  const std::map<std::string, int> bones = bones_of_vrm(skeleton);
  const BodyFrame body = body_frame(skeleton);
  Pose pose = rest_pose(skeleton);
  for (const std::string side : {"left", "right"}) {
    const Vec3d out = side == "left" ? body.left : Vec3d(-body.left);
    int joint = bone_or_none(bones, side + "UpperArm");
    for (const char* bone : {"LowerArm", "Hand", "MiddleProximal"}) {
      const int next = bone_or_none(bones, side + bone);
      if (joint >= 0 && next >= 0 && hangs_on(skeleton.parents, next, joint))
        point_at(skeleton, pose, joint, next, out);
      joint = next;
    }
  }
  return pose;
}

bool hold_arms_out(Json& json, const Skeleton& skeleton, const std::vector<int>& node_of_joint) {
  const Pose rest = rest_pose(skeleton), posed = vrm_pose(skeleton);
  bool turned = false;
  for (std::size_t joint = 0; joint < posed.size(); ++joint) {
    turned = turned || posed[joint].rotation.coeffs() != rest[joint].rotation.coeffs();
  }
  if (!turned) return false;
  // All of them: the nodes of a file may stand in another pose than at rest.
  for (std::size_t joint = 0; joint < posed.size(); ++joint) {
    set_node_transform(json["nodes"][static_cast<std::size_t>(node_of_joint[joint])], posed[joint]);
  }
  return true;
}

void add_vrm(Json& json, const Character& character, const std::vector<int>& node_of_joint, const VrmMeta& meta,
             Warnings& warnings) {
  Json humanoid = Json::object();
  for (const auto& [bone, joint] : bones_of_vrm(character.skeleton)) {
    humanoid[bone] = {{"node", node_of_joint[static_cast<std::size_t>(joint)]}};
  }
  turn_to_front(json, character.skeleton, warnings);
  const Json about = meta_of(json, character, meta, warnings);
  Json& vrm = json["extensions"]["VRMC_vrm"];
  if (!vrm.is_object()) vrm = Json::object();
  vrm["specVersion"] = "1.0";
  vrm["meta"] = about;
  vrm["humanoid"] = {{"humanBones", std::move(humanoid)}};
  json["extensions"].erase("VRM");
  Json used = Json::array();
  for (const Json& name : array_member(json, "extensionsUsed", "the file")) {
    if (name != "VRM") used.push_back(name);
  }
  json["extensionsUsed"] = std::move(used);
  use_extension(json, "VRMC_vrm");
}

bool is_complete_vrm(const Patch& patch) {
  const VrmMeta& meta = patch.context.options.vrm;
  if (!meta.name.empty() || !meta.authors.empty() || !meta.license_url.empty()) return false;
  if (patch.skeleton_change == SkeletonChange::replaced || !patch.json.contains("extensions")) return false;
  return patch.json["extensions"].contains("VRMC_vrm") || patch.json["extensions"].contains("VRM");
}

}  // namespace sinew::gltf
