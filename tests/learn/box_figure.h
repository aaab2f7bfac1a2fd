// A character made of boxes: small, and everything about it is known.
#pragma once

#include "sinew/character.h"
#include "tests/support/figure.h"

namespace sinew::test {

// The standing figure with a box around every bone, each moved by its own joint.
inline Character box_figure() {
  Character character;
  character.skeleton = standing_figure();
  const Skeleton& s = character.skeleton;
  std::vector<Influence> owner;
  for (int j = 0; j < s.joint_count(); ++j) {
    if (s.parents[j] < 0 || s.kinds[j] != JointKind::joint) continue;
    const Vec3d a = s.position(s.parents[j]), b = s.position(j);
    AABBd box(a.cwiseMin(b) - Vec3d::Constant(0.04), a.cwiseMax(b) + Vec3d::Constant(0.04));
    const auto first = static_cast<std::uint32_t>(character.mesh.positions.size());
    for (int k = 0; k < 8; ++k) {
      character.mesh.positions.push_back(box.corner(static_cast<AABBd::CornerType>(k)).cast<float>());
      owner.push_back({static_cast<std::uint16_t>(s.parents[j]), 1.0});
    }
    for (const Triangle& t : {Triangle{0, 2, 1}, Triangle{1, 2, 3}, Triangle{4, 5, 6}, Triangle{5, 7, 6},
                              Triangle{0, 1, 4}, Triangle{1, 5, 4}, Triangle{2, 6, 3}, Triangle{3, 6, 7},
                              Triangle{0, 4, 2}, Triangle{2, 4, 6}, Triangle{1, 3, 5}, Triangle{3, 7, 5}}) {
      character.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
  }
  character.weights = make_skin_weights(owner.size(), 4);
  for (std::size_t v = 0; v < owner.size(); ++v) set_influences(character.weights, v, {owner[v]});
  return character;
}

}  // namespace sinew::test
