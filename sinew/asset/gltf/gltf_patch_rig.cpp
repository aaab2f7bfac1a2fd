#include <algorithm>
#include <cmath>

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

bool is_animated(const Json& json, int node) {
  for (const Json& animation : array_member(json, "animations", "the file")) {
    for (const Json& channel : array_member(animation, "channels", "an animation")) {
      if (channel["target"].contains("node") && channel["target"]["node"] == node) return true;
    }
  }
  return false;
}

Affine3d local_transform(const Json& node) {
  Affine3d local = Affine3d::Identity();
  double m[16], t[3], r[4], s[3];
  if (numbers_member(node, "matrix", m, "a node")) {
    local.matrix() = Eigen::Map<const Mat4d>(m);
    return local;
  }
  Transform trs;
  if (numbers_member(node, "translation", t, "a node")) trs.translation = Vec3d(t[0], t[1], t[2]);
  if (numbers_member(node, "rotation", r, "a node")) trs.rotation = Quatd(r[3], r[0], r[1], r[2]).normalized();
  if (numbers_member(node, "scale", s, "a node")) trs.scale = Vec3d(s[0], s[1], s[2]);
  return trs.matrix();
}

// Whether the file's joints hang on each other as those of the skeleton do, whatever they are called.
bool same_parents(const Patch& patch) {
  const std::vector<int>& nodes = patch.source.node_of_joint;
  const Skeleton& skeleton = patch.character.skeleton;
  if (nodes.size() != skeleton.names.size()) return false;
  std::vector<int> joint_above(patch.source.json["nodes"].size(), -1);
  for (std::size_t joint = 0; joint < nodes.size(); ++joint) {
    for (const Json& child : array_member(patch.source.json["nodes"][nodes[joint]], "children", "a node")) {
      joint_above[child.get<std::size_t>()] = static_cast<int>(joint);
    }
  }
  for (std::size_t joint = 0; joint < nodes.size(); ++joint) {
    if (joint_above[nodes[joint]] != skeleton.parents[joint]) return false;
  }
  return true;
}

// Where every joint was at rest; from the skins, and for what they do not bind from its node.
std::vector<Affine3d> old_rests(const Patch& patch) {
  const std::vector<int>& nodes = patch.source.node_of_joint;
  const Skeleton& skeleton = patch.character.skeleton;
  std::vector<Affine3d> rests(nodes.size());
  std::vector<bool> known(nodes.size(), false);
  for (const SkinSource& skin : patch.source.skins) {
    for (std::size_t i = 0; i < skin.joints.size() && skin.exact; ++i) {
      const bool invertible = std::abs(skin.inverse_bind[i].linear().determinant()) > 0;
      if (known[skin.joints[i]] || !invertible) continue;
      rests[skin.joints[i]] = skin.to_character * skin.inverse_bind[i].inverse();
      known[skin.joints[i]] = true;
    }
  }
  for (std::size_t joint = 0; joint < nodes.size(); ++joint) {
    if (known[joint]) continue;
    const Affine3d local = local_transform(patch.source.json["nodes"][nodes[joint]]);
    const int parent = skeleton.parents[joint];
    rests[joint] = parent >= 0 ? Affine3d(rests[parent] * local) : local;
  }
  return rests;
}

// What else hangs on a joint, a camera or a light, stays where it is when only the joint's axes turn.
void hold_what_hangs_on(Patch& patch, std::size_t joint, const Affine3d& before) {
  const Affine3d& now = patch.character.skeleton.rest[joint];
  const Affine3d turn(Mat3d(now.linear().inverse() * before.linear()));
  if (turn.linear().isIdentity(1e-9)) return;
  const std::vector<int>& joints = patch.source.node_of_joint;
  const int node = patch.context.node_of_joint[joint];
  const Json children = array_member(patch.node(node), "children", "a node");
  Json held = Json::array();
  for (const Json& entry : children) {
    const int child = entry.get<int>();
    // The place of a skinned mesh does not count.
    if (std::find(joints.begin(), joints.end(), child) != joints.end() || patch.node(child).contains("skin")) {
      held.push_back(child);
    } else if (!is_animated(patch.json, child)) {
      set_node_transform(patch.node(child), Transform::from_matrix(turn * local_transform(patch.node(child))));
      held.push_back(child);
    } else {
      Json between = {{"name", patch.node(child).value("name", "node") + "_axes"}, {"children", Json::array({child})}};
      set_node_transform(between, Transform::from_matrix(turn));
      held.push_back(patch.builder.push("nodes", std::move(between)));
      patch.mesh_of_node.push_back(-1);
    }
  }
  if (!held.empty()) patch.node(node)["children"] = std::move(held);
}

// The same joints under other names.
void rename_joints(Patch& patch) {
  const std::vector<Affine3d> before = old_rests(patch);
  for (std::size_t joint = 0; joint < before.size(); ++joint) {
    patch.node(patch.context.node_of_joint[joint])["name"] = patch.character.skeleton.names[joint];
    hold_what_hangs_on(patch, joint, before[joint]);
  }
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

void patch_skeleton(Patch& patch) {
  const Skeleton& skeleton = patch.character.skeleton;
  patch.context.node_of_joint = patch.source.node_of_joint;
  if (fingerprint(skeleton) == patch.source.skeleton) return;
  patch.changed = true;
  const bool same_names = hierarchy_fingerprint(skeleton) == patch.source.hierarchy;
  if (same_names || same_parents(patch)) {
    patch.skeleton_change = SkeletonChange::moved;
    if (!same_names) rename_joints(patch);
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
