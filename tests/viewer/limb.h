// A character that is bound in milliseconds.
#pragma once

#include <cmath>

#include "sinew/character.h"

namespace sinew::test {

// A tube of radius 0.1 along x from 0 to 2 with two bones, all its weight on the first, and one motion of two frames.
inline Character limb() {
  Character character;
  character.name = "limb";
  TriangleMesh& mesh = character.mesh;
  constexpr std::uint32_t rings = 21, corners = 8;
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    for (std::uint32_t corner = 0; corner < corners; ++corner) {
      const float angle = 2 * 3.14159265f * static_cast<float>(corner) / corners;
      mesh.positions.push_back(Vec3f(0.1f * static_cast<float>(ring), 0.1f * std::cos(angle), 0.1f * std::sin(angle)));
    }
  }
  const auto at = [](std::uint32_t ring, std::uint32_t corner) { return corners * ring + corner % corners; };
  for (std::uint32_t ring = 0; ring + 1 < rings; ++ring) {
    for (std::uint32_t corner = 0; corner < corners; ++corner) {
      mesh.triangles.push_back({at(ring, corner), at(ring, corner + 1), at(ring + 1, corner)});
      mesh.triangles.push_back({at(ring + 1, corner), at(ring, corner + 1), at(ring + 1, corner + 1)});
    }
  }
  const char* names[] = {"Upper", "Lower", "Lower_End"};
  for (int joint = 0; joint < 3; ++joint) {
    Affine3d rest = Affine3d::Identity();
    rest.translation() = Vec3d(0.05 + 0.95 * joint, 0, 0);
    add_joint(character.skeleton, names[joint], joint - 1, rest, joint == 2 ? JointKind::end : JointKind::joint);
  }
  character.weights = make_skin_weights(mesh.vertex_count(), 1);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) set_influences(character.weights, v, {{0, 1.0}});
  character.parts = {{"limb", "", 0, mesh.vertex_count(), 0, mesh.triangles.size(), PartBinding::skinned}};
  Motion bend{"bend", 30, 3, {}};
  for (const double angle : {0.0, 1.0}) {
    Pose pose = rest_pose(character.skeleton);
    pose[1].rotation = Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitZ()));
    bend.transforms.insert(bend.transforms.end(), pose.begin(), pose.end());
  }
  character.motions = {bend};
  return character;
}

}  // namespace sinew::test
