// A straight arm of two bones along x for the tests of the flesh: a round bar with a joint in its middle.
#pragma once

#include <cmath>
#include <numbers>

#include "sinew/character.h"

namespace sinew::test {

inline void add_bar(TriangleMesh& mesh, const Vec3d& from, const Vec3d& axis, double length, double radius, int around,
                    int along) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  const Vec3d u = axis.unitOrthogonal(), v = axis.cross(u);
  for (int ring = 0; ring <= along; ++ring) {
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * k / around;
      const Vec3d at = from + axis * (length * ring / along) + radius * (std::cos(angle) * u + std::sin(angle) * v);
      mesh.positions.push_back(at.cast<float>());
    }
  }
  const auto a = static_cast<std::uint32_t>(around);
  for (std::uint32_t ring = 0; ring < static_cast<std::uint32_t>(along); ++ring) {
    for (std::uint32_t k = 0; k < a; ++k) {
      const std::uint32_t p = first + ring * a + k, q = first + ring * a + (k + 1) % a;
      mesh.triangles.push_back({p, q, q + a});
      mesh.triangles.push_back({p, q + a, p + a});
    }
  }
  for (const int end : {0, along}) {
    const auto centre = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back((from + axis * (length * end / along)).cast<float>());
    for (std::uint32_t k = 0; k < a; ++k) {
      const std::uint32_t p = first + static_cast<std::uint32_t>(end) * a + k;
      const std::uint32_t q = first + static_cast<std::uint32_t>(end) * a + (k + 1) % a;
      if (end == 0) {
        mesh.triangles.push_back({centre, q, p});
      } else {
        mesh.triangles.push_back({centre, p, q});
      }
    }
  }
}

// Weights change from the first to the second joint over one radius around x = 0.
inline Character arm(int around = 20, int along = 40) {
  Character character;
  character.name = "arm";
  add_bar(character.mesh, {-0.3, 0, 0}, Vec3d::UnitX(), 0.6, 0.05, around, along);
  const int upper = add_joint(character.skeleton, "Upper", -1, Affine3d(Eigen::Translation3d(-0.28, 0, 0)));
  const int lower = add_joint(character.skeleton, "Lower", upper, Affine3d(Eigen::Translation3d(0, 0, 0)));
  add_joint(character.skeleton, "Lower_End", lower, Affine3d(Eigen::Translation3d(0.28, 0, 0)), JointKind::end);
  character.weights = make_skin_weights(character.mesh.vertex_count(), 4);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const double t = std::clamp(character.mesh.positions[v].x() / 0.1 + 0.5, 0.0, 1.0);
    set_influences(character.weights, v, {{0, 1 - t}, {1, t}});
  }
  return character;
}

inline Pose bent(const Character& character, double degrees) {
  Pose pose = rest_pose(character.skeleton);
  pose[1].rotation = Quatd(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3d::UnitY()));
  return pose;
}

}  // namespace sinew::test
