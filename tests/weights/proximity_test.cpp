#include "sinew/weights/proximity/proximity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/shapes.h"

namespace sinew {
namespace {

TEST(Proximity, IsInverseDistanceToAPower) {
  const Character character = test::bar(4, 0.25, 41, 8, 2);
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  for (double power : {1.0, 2.0, 5.0}) {
    const SkinWeights weights = proximity_weights(input, {0, power});
    for (std::size_t v = 0; v < input.vertex_count(); ++v) {
      const Vec3d p = input.mesh.positions[v].cast<double>();
      const double a = closest_point_on_bone(input.bones[0], p).distance;
      const double b = closest_point_on_bone(input.bones[1], p).distance;
      const double expected = std::pow(a, -power) / (std::pow(a, -power) + std::pow(b, -power));
      EXPECT_NEAR(weights.weight_of(v, 0), expected, 1e-6);
    }
  }
}

TEST(Proximity, KeepsToItsNeighbours) {
  const Character character = test::bar(4, 0.25, 41, 8, 5);
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  const SkinWeights weights = proximity_weights(input, {2, 3.0});
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    EXPECT_GT(weights.weights[4 * v + 1], 0.0f);
    EXPECT_EQ(weights.weights[4 * v + 2], 0.0f);
  }
}

TEST(Proximity, ManyBonesOfOneJointCountOnce) {
  Character character = test::bar(4, 0.25, 41, 8, 1);
  Affine3d side = Affine3d::Identity();
  side.translation() = Vec3d(2, 0.1, 0);
  add_joint(character.skeleton, "Side", 0, side);
  side.translation() = Vec3d(3.8, -0.1, 0);
  add_joint(character.skeleton, "Other", 0, side);
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  EXPECT_GT(input.bones.size(), 3u);
  const SkinWeights weights = proximity_weights(input);
  EXPECT_NO_THROW(check_skin_weights(weights, input.vertex_count(), input.joint_count()));
}

}  // namespace
}  // namespace sinew
