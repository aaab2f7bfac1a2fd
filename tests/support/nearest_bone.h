// The weights that every comparison of skinning tools includes, because anyone can compute them again: those of the
// nearest bone. Where two measured with different poses, these say whose poses were harder.
#pragma once

#include <algorithm>
#include <vector>

#include "sinew/character.h"
#include "sinew/rig/bone.h"

namespace sinew::test {

// Only joints with weight count. A bone ends at the mean of its joint's children; a leaf's goes on as its parent's.
inline std::vector<Bone> bones_with_weight(const Character& character) {
  const Skeleton& skeleton = character.skeleton;
  std::vector<char> used(skeleton.names.size(), 0);
  for (std::size_t slot = 0; slot < character.weights.weights.size(); ++slot) {
    if (character.weights.weights[slot] > 1e-3) used[character.weights.joints[slot]] = 1;
  }
  const std::vector<std::vector<int>> children = children_of(skeleton);
  std::vector<Bone> bones;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (!used[joint]) continue;
    const Vec3d from = skeleton.position(joint);
    Vec3d sum = Vec3d::Zero();
    int count = 0;
    for (const int child : children[joint]) {
      if (!used[child]) continue;
      sum += skeleton.position(child);
      ++count;
    }
    const int parent = skeleton.parents[joint];
    const Vec3d leaf_end = parent < 0 ? from : Vec3d(2 * from - skeleton.position(parent));
    bones.push_back({joint, from, count > 0 ? Vec3d(sum / count) : leaf_end});
  }
  return bones;
}

// Every vertex follows the nearest bone alone.
inline SkinWeights nearest_bone_weights(const Character& character) {
  const std::vector<Bone> bones = bones_with_weight(character);
  SkinWeights weights = make_skin_weights(character.mesh.vertex_count(), 4);
  for (std::size_t vertex = 0; vertex < character.mesh.vertex_count(); ++vertex) {
    const Vec3d point = character.mesh.positions[vertex].cast<double>();
    const auto distance = [&](const Bone& bone) { return closest_point_on_bone(bone, point).distance; };
    const auto nearest = std::min_element(bones.begin(), bones.end(),
                                          [&](const Bone& a, const Bone& b) { return distance(a) < distance(b); });
    set_influences(weights, vertex, {{static_cast<std::uint16_t>(nearest->joint), 1.0}});
  }
  return weights;
}

}  // namespace sinew::test
