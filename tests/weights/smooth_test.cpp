#include <gtest/gtest.h>

#include "sinew/weight_tools.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

// Half the sum of absolute differences over all edges: what smoothing lowers.
double roughness(const Character& character) {
  const Eigen::MatrixXd dense = densify(character.weights, character.skeleton.joint_count());
  double sum = 0;
  for (const Triangle& t : character.mesh.triangles) {
    for (int i = 0; i < 3; ++i) sum += 0.5 * (dense.row(t[i]) - dense.row(t[(i + 1) % 3])).cwiseAbs().sum();
  }
  return sum;
}

TEST(SmoothWeights, KeepsInvariantsOnRandomSkins) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Character character = test::random_skin(seed);
    const double before = roughness(character);
    const WeightChange change = smooth_weights(character, {.iterations = 3});
    test::expect_valid_skin(character, 4);
    test::expect_whole_seams(character);
    EXPECT_LT(roughness(character), 0.6 * before);
    EXPECT_GT(change.changed, character.mesh.vertex_count() / 2);
    EXPECT_LE(change.max_influences, 4);
  }
}

TEST(SmoothWeights, GivesTheSameBitsAtAnyThreadCount) {
  Character one = test::random_skin(7), two = one;
  smooth_weights(one, {.threads = 1});
  smooth_weights(two, {.threads = 2});
  EXPECT_TRUE(test::same_weights(one.weights, two.weights));
}

// A straight blend along the bar is harmonic: there is nothing to smooth inside.
TEST(SmoothWeights, LeavesAStraightBlendAlone) {
  Character character = test::bar(4, 0.25, 41, 12, 2);
  character.weights = make_skin_weights(character.mesh.vertex_count(), 2);
  std::vector<std::uint32_t> inside;
  for (std::uint32_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const double x = static_cast<double>(character.mesh.positions[v].x()) / 4;
    set_influences(character.weights, v, {{0, 1 - x}, {1, x}});
    if (x > 0.05 && x < 0.95) inside.push_back(v);
  }
  const WeightChange change = smooth_weights(character, {.selection = {.vertices = inside}, .iterations = 50});
  EXPECT_LT(change.largest_change, 1e-5);
}

TEST(SmoothWeights, ChangesOnlyWhatIsSelected) {
  Character character = test::random_skin(3);
  const SkinWeights before = character.weights;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (character.mesh.positions[v].x() < 1) chosen.push_back(v);
  }
  smooth_weights(character, {.selection = {.vertices = chosen}});
  test::expect_whole_seams(character);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (character.mesh.positions[v].x() < 1) continue;
    for (int slot = 0; slot < 4; ++slot)
      EXPECT_EQ(character.weights.weights[4 * v + slot], before.weights[4 * v + slot]);
  }
}

TEST(SmoothWeights, KeepsLockedJoints) {
  Character character = test::random_skin(4);
  const SkinWeights before = character.weights;
  smooth_weights(character, {.selection = {.locked = {1, 3}}, .iterations = 10});
  test::expect_valid_skin(character, 4);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    EXPECT_NEAR(character.weights.weight_of(v, 1), before.weight_of(v, 1), 1e-6) << v;
    EXPECT_NEAR(character.weights.weight_of(v, 3), before.weight_of(v, 3), 1e-6) << v;
  }
}

// Only joint 2 is smoothed; the proportions of the others stay as they are.
TEST(SmoothWeights, LetsOtherJointsGiveWay) {
  Character character = test::random_skin(5);
  const SkinWeights before = character.weights;
  smooth_weights(character, {.joints = {2}, .iterations = 1, .max_influences = 16});
  int compared = 0;
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const float a = before.weight_of(v, 0), b = before.weight_of(v, 1);
    const float c = character.weights.weight_of(v, 0), d = character.weights.weight_of(v, 1);
    if (a < 0.05f || b < 0.05f || c < 1e-3f) continue;
    EXPECT_NEAR(a / b, c / d, 1e-3 * a / b);
    ++compared;
  }
  EXPECT_GT(compared, 20);
}

TEST(SmoothWeights, FillsVerticesWithoutWeight) {
  Character character = test::bar(4, 0.25, 21, 8, 2);
  character.weights = make_skin_weights(character.mesh.vertex_count(), 1);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    if (v != 50) set_influences(character.weights, v, {{1, 1.0}});
  }
  character.parts = {
      {"bar", "", 0, character.mesh.vertex_count(), 0, character.mesh.triangles.size(), PartBinding::skinned}};
  smooth_weights(character, {.iterations = 1});
  EXPECT_EQ(count_unweighted(character.weights), 0u);
}

TEST(SmoothWeights, WorksOnPointClouds) {
  Character character = test::bar(4, 0.25, 21, 8, 3);
  character.mesh.triangles.clear();
  test::weigh_at_random(character, 3, 9);
  smooth_weights(character, {});
  test::expect_valid_skin(character, 3);
}

TEST(SmoothWeights, RefusesWhatCannotBe) {
  Character character = test::random_skin(1);
  const SkinWeights before = character.weights;
  EXPECT_THROW(smooth_weights(character, {.strength = 1.5}), Error);
  EXPECT_THROW(smooth_weights(character, {.strength = std::nan("")}), Error);
  EXPECT_THROW(smooth_weights(character, {.iterations = -1}), Error);
  EXPECT_THROW(smooth_weights(character, {.selection = {.vertices = {1u << 30}}}), Error);
  EXPECT_THROW(smooth_weights(character, {.selection = {.locked = {99}}}), Error);
  EXPECT_THROW(smooth_weights(character, {.joints = {-1}}), Error);
  EXPECT_TRUE(test::same_weights(character.weights, before));
  character.weights = {};
  EXPECT_THROW(smooth_weights(character, {}), Error);
}

TEST(SmoothWeights, StopsWhenAsked) {
  Character character = test::random_skin(1);
  const SkinWeights before = character.weights;
  const std::atomic<bool> cancel = true;
  EXPECT_THROW(smooth_weights(character, {}, Progress(nullptr, &cancel)), Error);
  EXPECT_TRUE(test::same_weights(character.weights, before));
}

}  // namespace
}  // namespace sinew
