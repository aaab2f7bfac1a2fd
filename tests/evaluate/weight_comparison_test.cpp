#include "sinew/evaluate/weight_comparison.h"

#include <gtest/gtest.h>

#include "tests/evaluate/bar.h"

namespace sinew {
namespace {

using test::bar;

TEST(WeightComparison, IdenticalWeightsAreZeroApart) {
  const WeightComparison result = compare_weights(pair_skins(bar(), bar()));
  EXPECT_EQ(result.vertices, 84u);
  EXPECT_EQ(result.joints, 2);
  EXPECT_EQ(result.l1, 0);
  EXPECT_EQ(result.l1_max, 0);
  EXPECT_EQ(result.precision, 1);
  EXPECT_EQ(result.recall, 1);
  EXPECT_EQ(result.dominant, 1);
}

TEST(WeightComparison, ClosedForm) {
  Character truth = bar(2), candidate = bar(2);
  const auto fill = [](Character& character, std::vector<std::vector<Influence>> rows) {
    for (std::size_t vertex = 0; vertex < 8; ++vertex) set_influences(character.weights, vertex, rows[vertex % 4]);
  };
  //                 the same      half moved    unweighted           below the threshold
  fill(truth, {{{0, 1.0}}, {{0, 0.5}, {1, 0.5}}, {{0, 0.25}, {1, 0.75}}, {{0, 1.0}}});
  fill(candidate, {{{0, 1.0}}, {{0, 1.0}}, {}, {{0, 0.99995}, {1, 0.00005}}});
  const WeightComparison result = compare_weights(pair_skins(candidate, truth));
  EXPECT_NEAR(result.l1, (0.0 + 1.0 + 1.0 + 0.0001) / 4, 1e-6);
  EXPECT_NEAR(result.l1_per_entry, result.l1 / 2, 1e-12);
  EXPECT_NEAR(result.l1_max, 1.0, 1e-6);
  EXPECT_EQ(result.precision, 1.0);
  EXPECT_DOUBLE_EQ(result.recall, (1 + 0.5 + 0 + 1) / 4);
  EXPECT_DOUBLE_EQ(result.dominant, 0.75);  // a tie counts for the first joint
  EXPECT_EQ(result.candidate.unweighted, 2u);
  EXPECT_DOUBLE_EQ(result.candidate.mean, 0.75);
  EXPECT_DOUBLE_EQ(result.truth.mean, 1.5);
  EXPECT_EQ(result.truth.maximum, 2);
}

TEST(WeightComparison, WeightOnAJointTheTruthDoesNotKnowIsWrong) {
  Character candidate = bar();
  add_joint(candidate.skeleton, "extra", 1, candidate.skeleton.rest[1]);
  for (std::size_t vertex = 0; vertex < candidate.mesh.vertex_count(); ++vertex) {
    set_influences(candidate.weights, vertex, {{2, 1.0}});
  }
  const WeightComparison result = compare_weights(pair_skins(candidate, bar()));
  EXPECT_NEAR(result.l1, 2.0, 1e-6);
  EXPECT_EQ(result.precision, 0);
  EXPECT_EQ(result.dominant, 0);
}

}  // namespace
}  // namespace sinew
