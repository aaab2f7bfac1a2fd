#include <gtest/gtest.h>

#include "sinew/weight_tools.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

TEST(LimitInfluences, KeepsInvariantsOnRandomSkins) {
  for (const int most : {1, 2, 3}) {
    Character character = test::random_skin(static_cast<std::uint64_t>(most), 6);
    const LimitReport report = limit_influences(character, {.max_influences = most});
    test::expect_valid_skin(character, most);
    test::expect_whole_seams(character);
    EXPECT_EQ(character.weights.influences, most);
    EXPECT_GT(report.reduced, character.mesh.vertex_count() / 2);
    EXPECT_LE(report.change.max_influences, most);
  }
}

// In poses that the weights were not fitted to.
TEST(LimitInfluences, BeatsTruncation) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Character character = test::random_skin(seed, 6);
    const LimitReport report = limit_influences(character, {.max_influences = 3, .seed = seed});
    EXPECT_GT(report.truncated_mean_error, 0);
    EXPECT_LT(report.mean_error, 0.8 * report.truncated_mean_error);
  }
}

// Least squares must not spoil single poses to serve the others.
TEST(LimitInfluences, TheWorstPoseIsNotWorseThanWithTruncation) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Character character = test::random_skin(seed, 6);
    const LimitReport report = limit_influences(character, {.max_influences = 2, .poses = 200, .seed = seed});
    EXPECT_LE(report.max_error, 1.02 * report.truncated_max_error);
  }
}

// A joint that lies half way between two others and turns half as far can be told by them: no error at all, while
// truncation drops one of the two.
TEST(LimitInfluences, FindsAnExactReplacement) {
  Character character;
  character.name = "slider";
  character.mesh = test::tube(1, 0.1, 5, 6);
  for (int j = 0; j < 3; ++j) add_joint(character.skeleton, "Joint" + std::to_string(j), -1, Affine3d::Identity());
  Motion motion{"slide", 30, 3, {}};
  for (int frame = 0; frame < 8; ++frame) {
    for (int j = 0; j < 3; ++j) {
      Transform t;
      t.translation = 0.5 * j * Vec3d(frame, frame % 3, 0);  // joint 1 is the mean of 0 and 2
      motion.transforms.push_back(t);
    }
  }
  character.motions = {motion};
  character.weights = make_skin_weights(character.mesh.vertex_count(), 3);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    set_influences(character.weights, v, {{0, 0.3}, {1, 0.4}, {2, 0.3}});
  }
  const std::vector<Affine3d> moved = skinning_transforms(character.skeleton, frame_pose(motion, 5));
  Vec3d wanted = Vec3d::Zero(), found = Vec3d::Zero();
  for (int j = 0; j < 3; ++j) wanted += static_cast<double>(character.weights.weight_of(0, j)) * moved[j].translation();
  limit_influences(character, {.max_influences = 1, .poses = 16});
  for (int j = 0; j < 3; ++j) found += static_cast<double>(character.weights.weight_of(0, j)) * moved[j].translation();
  EXPECT_LT((wanted - found).norm(), 1e-6);
  EXPECT_EQ(character.weights.joints[0], 1);
}

TEST(LimitInfluences, LeavesVerticesAloneThatFit) {
  Character character = test::random_skin(5, 4);
  const SkinWeights before = character.weights;
  const LimitReport report = limit_influences(character, {.max_influences = 4});
  EXPECT_EQ(report.reduced, 0u);
  EXPECT_EQ(report.change.changed, 0u);
  EXPECT_TRUE(test::same_weights(character.weights, before));
}

TEST(LimitInfluences, KeepsLockedJoints) {
  Character character = test::random_skin(6, 6);
  const SkinWeights before = character.weights;
  limit_influences(character, {.selection = {.locked = {2}}, .max_influences = 2});
  test::expect_valid_skin(character, 2);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(character.weights.weight_of(v, 2), before.weight_of(v, 2), 1e-6);
  }
}

TEST(LimitInfluences, GivesTheSameBitsAtAnyThreadCount) {
  Character one = test::random_skin(7, 6), two = one;
  limit_influences(one, {.max_influences = 3, .threads = 1});
  limit_influences(two, {.max_influences = 3, .threads = 2});
  EXPECT_TRUE(test::same_weights(one.weights, two.weights));
}

TEST(LimitInfluences, RefusesWhatCannotBe) {
  Character character = test::random_skin(1);
  EXPECT_THROW(limit_influences(character, {.max_influences = 0}), Error);
  EXPECT_THROW(limit_influences(character, {.max_influences = 17}), Error);
  EXPECT_THROW(limit_influences(character, {.poses = 0}), Error);
}

}  // namespace
}  // namespace sinew
