// Visible ball joints are found, other pieces are not, and limbs settle in them.
#include "sinew/fit/ball_joints.h"

#include <gtest/gtest.h>

#include <numbers>

namespace sinew {
namespace {

// An ellipsoid of rings.
void add_ellipsoid(const Vec3d& centre, const Vec3d& radii, TriangleMesh& mesh) {
  constexpr int around = 12, rings = 7;
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (int r = 0; r < rings; ++r) {
    for (int a = 0; a < around; ++a) {
      const double polar = std::numbers::pi * (r + 0.5) / rings, turn = 2 * std::numbers::pi * a / around;
      const Vec3d p(std::sin(polar) * std::cos(turn), std::cos(polar), std::sin(polar) * std::sin(turn));
      mesh.positions.push_back((centre + radii.cwiseProduct(p)).cast<float>());
      if (r == 0) continue;
      const std::uint32_t here = first + static_cast<std::uint32_t>(r * around + a),
                          next = first + static_cast<std::uint32_t>(r * around + (a + 1) % around);
      mesh.triangles.push_back({here, next, next - around});
      mesh.triangles.push_back({here, next - around, here - around});
    }
  }
}

void add_cube(const Vec3d& centre, double radius, TriangleMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (int i = 0; i < 8; ++i) {
    const Vec3d corner(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    mesh.positions.push_back((centre + radius * corner).cast<float>());
  }
  for (const auto& [a, b, c, d] : std::vector<std::array<std::uint32_t, 4>>{
           {0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}}) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
  }
}

TEST(BallJoints, BallsAreFoundAndNothingElse) {
  TriangleMesh mesh;
  add_ellipsoid({0.3, 1.2, 0}, {0.04, 0.04, 0.04}, mesh);   // a ball
  add_ellipsoid({0.5, 1.2, 0}, {0.15, 0.04, 0.04}, mesh);   // a forearm
  add_ellipsoid({0, 1.5, 0}, {0.2, 0.2, 0.2}, mesh);        // a head
  add_ellipsoid({0, 0.8, 0}, {0.004, 0.004, 0.004}, mesh);  // a rivet
  add_cube({0.1, 0.05, 0}, 0.05, mesh);                     // a block
  const std::vector<BallJoint> balls = find_ball_joints(mesh, 1.8);
  ASSERT_EQ(balls.size(), 1u);
  EXPECT_LT((balls[0].centre - Vec3d(0.3, 1.2, 0)).norm(), 1e-3);
  EXPECT_NEAR(balls[0].radius, 0.04, 2e-3);
}

TEST(BallJoints, EveryBallTakesTheJointNearestToIt) {
  BodyShape shape;
  shape.height = 1;
  const std::array<Vec3d, 4> arm = {Vec3d(0.2, 0.8, 0), Vec3d(0.4, 0.8, 0), Vec3d(0.6, 0.8, 0), Vec3d(0.7, 0.8, 0)};
  shape.arm_joints[0] = arm;
  shape.arms[0].points.assign(arm.begin(), arm.end());
  const Vec3d on_arm(0.43, 0.81, 0), beside(0.6, 0.86, 0), far_along(0.31, 0.8, 0);
  settle_in_balls({{on_arm, 0.02}, {beside, 0.02}, {far_along, 0.02}}, shape);
  EXPECT_EQ(shape.arm_joints[0][0], arm[0]);
  EXPECT_EQ(shape.arm_joints[0][1], on_arm);
  EXPECT_EQ(shape.arm_joints[0][2], arm[2]);
  shape.arm_joints[0] = arm;
  shape.on_all_fours = true;
  settle_in_balls({{on_arm, 0.02}}, shape);
  EXPECT_EQ(shape.arm_joints[0][1], arm[1]);
}

}  // namespace
}  // namespace sinew
