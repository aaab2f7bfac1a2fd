#include <algorithm>
#include <set>

#include "sinew/asset/gltf/gltf_fingerprint.h"
#include "sinew/asset/gltf/gltf_patch.h"

namespace sinew::gltf {
namespace {

void remove_value(Json& list, int value) {
  if (!list.is_array()) return;
  for (std::size_t i = list.size(); i-- > 0;) {
    if (list[i] == value) list.erase(i);
  }
}

// Empty arrays are not allowed in glTF.
void remove_child(Json& parent, const char* key, int child) {
  if (!parent.contains(key)) return;
  remove_value(parent[key], child);
  if (parent[key].empty()) parent.erase(key);
}

// New inverse bind matrices and node transforms for the same joints.
void move_skeleton(Patch& patch) {
  const Skeleton& skeleton = patch.character.skeleton;
  const Pose pose = rest_pose(skeleton);
  for (std::size_t joint = 0; joint < pose.size(); ++joint) {
    set_node_transform(patch.node(patch.context.node_of_joint[joint]), pose[joint]);
  }
  for (std::size_t i = 0; i < patch.source.skins.size(); ++i) {
    const SkinSource& skin = patch.source.skins[i];
    const int matrices = add_inverse_binds(patch.builder, skeleton, skin.joints, skin.to_character);
    patch.json["skins"][i]["inverseBindMatrices"] = matrices;
  }
}

// Whether the file's joints are still the first ones, unchanged, and new ones hang on them.
bool is_extended(const Skeleton& skeleton, const Document& source) {
  const auto old = static_cast<std::ptrdiff_t>(source.node_of_joint.size());
  if (old == 0 || skeleton.joint_count() <= old) return false;
  for (auto joint = static_cast<std::size_t>(old); joint < skeleton.names.size(); ++joint) {
    if (skeleton.parents[joint] < 0) return false;
  }
  Skeleton before;
  before.names.assign(skeleton.names.begin(), skeleton.names.begin() + old);
  before.parents.assign(skeleton.parents.begin(), skeleton.parents.begin() + old);
  before.rest.assign(skeleton.rest.begin(), skeleton.rest.begin() + old);
  before.kinds.assign(skeleton.kinds.begin(), skeleton.kinds.begin() + old);
  return fingerprint(before) == source.skeleton;
}

void add_new_joints(Patch& patch) {
  const Skeleton& skeleton = patch.character.skeleton;
  const Pose pose = rest_pose(skeleton);
  std::vector<int>& nodes = patch.context.node_of_joint;
  for (std::size_t joint = nodes.size(); joint < pose.size(); ++joint) {
    Json node = {{"name", skeleton.names[joint]}};
    set_node_transform(node, pose[joint]);
    nodes.push_back(patch.builder.push("nodes", std::move(node)));
    patch.node(nodes[skeleton.parents[joint]])["children"].push_back(nodes[joint]);
  }
  patch.mesh_of_node.resize(patch.json["nodes"].size(), -1);
}

bool carries_something(const Json& node) {
  return node.contains("mesh") || node.contains("camera") || node.contains("extensions") || node.contains("children");
}

// From the leaves up, as long as nothing hangs on them. The nodes' entries stay in the list, out of the scene, since
// anything may refer to nodes by number.
void detach_joints(Patch& patch) {
  std::vector<int> parent(patch.json["nodes"].size(), -1);
  for (std::size_t i = 0; i < parent.size(); ++i) {
    for (const Json& child : array_member(patch.json["nodes"][i], "children", "a node")) {
      parent[child.get<std::size_t>()] = static_cast<int>(i);
    }
  }
  const std::vector<int>& joints = patch.source.node_of_joint;
  for (std::size_t i = joints.size(); i-- > 0;) {
    const int node = joints[i];
    if (carries_something(patch.node(node))) continue;
    if (parent[node] >= 0) remove_child(patch.node(parent[node]), "children", node);
    for (Json& scene : patch.json["scenes"]) remove_child(scene, "nodes", node);
  }
}

bool is_animated(const Json& json, int node) {
  for (const Json& animation : array_member(json, "animations", "the file")) {
    for (const Json& channel : array_member(animation, "channels", "an animation")) {
      if (channel["target"].contains("node") && channel["target"]["node"] == node) return true;
    }
  }
  return false;
}

}  // namespace

int move_mesh_node(Patch& patch, int node, int parent, const Affine3d& local) {
  if (patch.node(node).contains("children") || is_animated(patch.json, node)) {
    Json fresh = {{"name", patch.node(node).value("name", "mesh")}, {"mesh", patch.node(node)["mesh"]}};
    if (patch.node(node).contains("weights")) fresh["weights"] = patch.node(node)["weights"];
    for (const char* key : {"mesh", "skin", "weights"}) patch.node(node).erase(key);
    node = patch.builder.push("nodes", std::move(fresh));
    patch.mesh_of_node.push_back(patch.node(node)["mesh"].get<int>());
  } else {
    for (Json& other : patch.json["nodes"]) remove_child(other, "children", node);
    for (Json& scene : patch.json["scenes"]) remove_child(scene, "nodes", node);
  }
  for (const char* key : {"matrix", "translation", "rotation", "scale"}) patch.node(node).erase(key);
  if (!local.matrix().isIdentity(0.0)) patch.node(node)["matrix"] = matrix_of(local);
  if (parent >= 0) {
    patch.node(parent)["children"].push_back(node);
  } else {
    patch.context.scene_nodes.push_back(node);
  }
  return node;
}

void remove_old_joints(Patch& patch) {
  if (patch.skeleton_change == SkeletonChange::replaced) detach_joints(patch);
}

void patch_skeleton(Patch& patch) {
  const Skeleton& skeleton = patch.character.skeleton;
  patch.context.node_of_joint = patch.source.node_of_joint;
  if (fingerprint(skeleton) == patch.source.skeleton) return;
  patch.changed = true;
  if (hierarchy_fingerprint(skeleton) == patch.source.hierarchy) {
    patch.skeleton_change = SkeletonChange::moved;
    move_skeleton(patch);
    return;
  }
  if (is_extended(skeleton, patch.source)) {
    patch.skeleton_change = SkeletonChange::extended;
    add_new_joints(patch);
    return;
  }
  patch.skeleton_change = SkeletonChange::replaced;
  patch.context.node_of_joint.clear();
  patch.json.erase("skins");
  for (Json& node : patch.builder.array("nodes")) node.erase("skin");
  if (!skeleton.empty()) {
    patch.context.node_of_joint = add_joint_nodes(patch.builder, skeleton, patch.context.warnings);
    patch.context.scene_nodes.push_back(add_skeleton_root(patch.builder, skeleton, patch.context.node_of_joint));
    // Nothing bound yet (a skeleton that was only fitted): the skin is what says which nodes are joints.
    if (!patch.character.has_skin()) skin_for(patch.builder, patch.context, Affine3d::Identity());
  }
  patch.mesh_of_node.resize(patch.json["nodes"].size(), -1);
}

}  // namespace sinew::gltf
