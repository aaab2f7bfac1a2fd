#include "sinew/evaluate/skin_quality.h"

#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "tests/evaluate/bar.h"

namespace sinew {
namespace {

using test::bar;

// Appends `other` (same skeleton), moved.
void append(Character& character, const Character& other, const Vec3f& by) {
  const auto first = static_cast<std::uint32_t>(character.mesh.vertex_count());
  for (const Vec3f& position : other.mesh.positions) character.mesh.positions.push_back(position + by);
  for (const auto& [a, b, c] : other.mesh.triangles)
    character.mesh.triangles.push_back({first + a, first + b, first + c});
  character.weights.joints.insert(character.weights.joints.end(), other.weights.joints.begin(),
                                  other.weights.joints.end());
  character.weights.weights.insert(character.weights.weights.end(), other.weights.weights.begin(),
                                   other.weights.weights.end());
}

TEST(SkinQuality, ARampInClosedForm) {
  // Weights run from 0 to 1 over the whole length 2 of four faces 0.2 wide: |∇w| = ½ for both joints.
  const SkinQuality quality = assess_skin(bar(21, 2.0));
  EXPECT_EQ(quality.vertices, 84u);
  EXPECT_EQ(quality.coverage, 1.0);
  EXPECT_EQ(quality.joints, 2);
  EXPECT_EQ(quality.used_joints, 2);
  EXPECT_NEAR(quality.dirichlet, 2 * (4 * 0.2 * 2.0) * 0.25 / 2, 1e-5);
  EXPECT_NEAR(quality.largest_step, 1.0 / 20, 1e-6);
  EXPECT_EQ(quality.islands, 1u);
  EXPECT_EQ(quality.rigid_islands, 0u);
  EXPECT_EQ(quality.influences.maximum, 2);
}

TEST(SkinQuality, SmoothnessDoesNotDependOnScaleButOnTheWidthOfTheRamp) {
  Character large = bar(41, 0.8);
  for (Vec3f& position : large.mesh.positions) position *= 1000;
  const SkinQuality smooth = assess_skin(bar(41, 0.8)), scaled = assess_skin(large), sharp = assess_skin(bar(41, 0.2));
  EXPECT_NEAR(smooth.dirichlet, scaled.dirichlet, 1e-4 * smooth.dirichlet);
  EXPECT_NEAR(smooth.roughness, scaled.roughness, 1e-9);
  EXPECT_GT(sharp.dirichlet, 3 * smooth.dirichlet);
  EXPECT_GT(sharp.largest_step, 3 * smooth.largest_step);
  EXPECT_EQ(assess_skin(bar(41, 0.0)).largest_step, 1.0);
}

TEST(SkinQuality, IslandsAndHolesInTheWeights) {
  Character character = bar(11, 0.5);
  Character rigid = bar(3), bare = bar(3), torn = bar(3);
  for (std::size_t vertex = 0; vertex < 12; ++vertex) {
    set_influences(rigid.weights, vertex, {{0, 0.3}, {1, 0.7}});
    set_influences(bare.weights, vertex, {});
    if (vertex < 5) set_influences(torn.weights, vertex, {});
  }
  append(character, rigid, Vec3f(0, 1, 0));
  append(character, bare, Vec3f(0, 2, 0));
  append(character, torn, Vec3f(0, 3, 0));
  check_character(character);
  const SkinQuality quality = assess_skin(character);
  EXPECT_EQ(quality.islands, 4u);
  EXPECT_EQ(quality.unweighted_islands, 1u);
  EXPECT_EQ(quality.partial_islands, 1u);
  EXPECT_EQ(quality.rigid_islands, 1u);
  EXPECT_EQ(quality.influences.unweighted, 17u);
  EXPECT_DOUBLE_EQ(quality.coverage, 1 - 17.0 / 80);
  EXPECT_EQ(quality.split_seams, 0u);
}

TEST(SkinQuality, SeamsWhoseSidesHaveOtherWeightsAreCracks) {
  Character character = bar(5, 0.5);
  append(character, bar(5, 0.5), Vec3f::Zero());
  EXPECT_EQ(assess_skin(character).split_seams, 0u);
  EXPECT_EQ(assess_skin(character).islands, 1u);
  set_influences(character.weights, 20 + 3, {{1, 1.0}});
  EXPECT_EQ(assess_skin(character).split_seams, 1u);
}

TEST(SkinQuality, SameBitsAtAnyThreadCount) {
  const Character character = bar(901, 0.3);
  const auto run = [&] { return assess_skin(character); };
  const SkinQuality one = with_threads(1, run), two = with_threads(2, run);
  EXPECT_EQ(one.dirichlet, two.dirichlet);
  EXPECT_EQ(one.roughness, two.roughness);
}

TEST(SkinQuality, ACharacterWithoutSkinIsRefused) {
  Character bare = bar();
  bare.weights = {};
  EXPECT_THROW(assess_skin(bare), Error);
  EXPECT_THROW(assess_skin(Character{}), Error);
}

}  // namespace
}  // namespace sinew
