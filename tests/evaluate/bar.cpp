#include "tests/evaluate/bar.h"

#include <algorithm>
#include <numbers>

namespace sinew::test {

Character bar(int rings, double ramp, bool capped, double length) {
  Character character;
  character.name = "bar";
  const double middle = length / 2;
  add_joint(character.skeleton, "root", -1, Affine3d::Identity());
  add_joint(character.skeleton, "bend", 0, Affine3d(Eigen::Translation3d(middle, 0, 0)));
  character.weights = make_skin_weights(4 * rings, 4);
  const std::uint32_t last = 4 * (rings - 1);
  for (int ring = 0; ring < rings; ++ring) {
    const double x = length * ring / (rings - 1);
    const double bend = ramp > 0 ? std::clamp(0.5 + (x - middle) / ramp, 0.0, 1.0) : (x > middle + 1e-9 ? 1.0 : 0.0);
    for (int side = 0; side < 4; ++side) {
      const float y = side == 0 || side == 3 ? -0.1f : 0.1f, z = side < 2 ? -0.1f : 0.1f;
      set_influences(character.weights, character.mesh.positions.size(), {{0, 1 - bend}, {1, bend}});
      character.mesh.positions.push_back(Vec3f(static_cast<float>(x), y, z));
    }
    for (std::uint32_t side = 0; side < 4 && ring + 1 < rings; ++side) {
      const std::uint32_t a = 4 * ring + side, b = 4 * ring + (side + 1) % 4;
      character.mesh.triangles.push_back({a, a + 4, b});
      character.mesh.triangles.push_back({b, a + 4, b + 4});
    }
  }
  if (capped) {
    character.mesh.triangles.push_back({0, 1, 2});
    character.mesh.triangles.push_back({0, 2, 3});
    character.mesh.triangles.push_back({last, last + 2, last + 1});
    character.mesh.triangles.push_back({last, last + 3, last + 2});
  }
  return character;
}

Pose bent(const Skeleton& skeleton, double degrees) {
  Pose pose = rest_pose(skeleton);
  pose[find_joint(skeleton, "bend")].rotation =
      Quatd(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3d::UnitZ()));
  return pose;
}

}  // namespace sinew::test
