#include <gtest/gtest.h>

#include "sinew/weight_tools.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

TEST(PruneWeights, DropsWhatIsBelowTheThreshold) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Character character = test::random_skin(seed);
    const SkinWeights before = character.weights;
    const double threshold = 0.05 * static_cast<double>(seed);
    const WeightChange change = prune_weights(character, {.threshold = threshold});
    test::expect_valid_skin(character, 4);
    test::expect_whole_seams(character);
    EXPECT_GT(change.changed, 0u);
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
      for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) {
        const double old = before.weight_of(v, joint), now = character.weights.weight_of(v, joint);
        const bool strongest = before.joints[4 * v] == joint;
        if (old < threshold && !strongest) {
          EXPECT_EQ(now, 0);
        }
        if (old >= threshold) {
          EXPECT_GE(now, old - 1e-6);
        }
      }
    }
  }
}

TEST(PruneWeights, IsIdempotentAndDoesNothingAtZero) {
  Character character = test::random_skin(2);
  const SkinWeights before = character.weights;
  EXPECT_EQ(prune_weights(character, {.threshold = 0}).changed, 0u);
  EXPECT_TRUE(test::same_weights(character.weights, before));
  prune_weights(character, {.threshold = 0.1});
  EXPECT_EQ(prune_weights(character, {.threshold = 0.1}).changed, 0u);
}

TEST(PruneWeights, DropsWeightsThatOnlyRoundingSees) {
  Character character = test::bar(4, 0.25, 5, 6, 2);
  character.weights = make_skin_weights(character.mesh.vertex_count(), 2);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    set_influences(character.weights, v, {{0, 1.0}, {1, 1e-7}});
  }
  EXPECT_EQ(prune_weights(character, {.threshold = 0.001}).max_influences, 1);
}

TEST(PruneWeights, KeepsLockedAndOtherJoints) {
  Character character = test::random_skin(3);
  const SkinWeights before = character.weights;
  prune_weights(character, {.selection = {.locked = {1}}, .joints = {1, 2}, .threshold = 0.3});
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(character.weights.weight_of(v, 1), before.weight_of(v, 1), 1e-6);
    EXPECT_EQ(character.weights.weight_of(v, 0) > 0, before.weight_of(v, 0) > 0);
  }
  test::expect_valid_skin(character, 4);
}

TEST(PruneWeights, RefusesWhatCannotBe) {
  Character character = test::random_skin(1);
  EXPECT_THROW(prune_weights(character, {.threshold = -0.1}), Error);
  EXPECT_THROW(prune_weights(character, {.threshold = 1.1}), Error);
  EXPECT_THROW(prune_weights(character, {.joints = {77}}), Error);
}

}  // namespace
}  // namespace sinew
