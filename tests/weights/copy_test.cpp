#include <gtest/gtest.h>

#include <numeric>

#include "sinew/weight_transfer.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

// The same surface with its vertices in another order.
Character shuffled(const Character& character, std::uint64_t seed) {
  std::vector<std::uint32_t> place(character.mesh.vertex_count());
  std::iota(place.begin(), place.end(), 0);
  Random random(seed);
  for (std::size_t i = place.size(); i > 1; --i) std::swap(place[i - 1], place[random.below(i)]);
  Character result = character;
  result.weights = {};
  for (std::size_t v = 0; v < place.size(); ++v) result.mesh.positions[place[v]] = character.mesh.positions[v];
  for (Triangle& t : result.mesh.triangles) {
    for (std::uint32_t& corner : t) corner = place[corner];
  }
  return result;
}

void expect_same_by_place(const Character& a, const Character& b) {
  for (std::size_t v = 0; v < a.mesh.vertex_count(); v += 7) {
    for (std::size_t w = 0; w < b.mesh.vertex_count(); ++w) {
      if (a.mesh.positions[v] != b.mesh.positions[w]) continue;
      for (int joint = 0; joint < a.skeleton.joint_count(); ++joint) {
        EXPECT_NEAR(a.weights.weight_of(v, joint), b.weights.weight_of(w, joint), 1e-6);
      }
    }
  }
}

TEST(CopyWeights, GoesByOrderWhateverThePositions) {
  const Character source = test::random_skin(1);
  Character target = source;
  target.weights = {};
  for (Vec3f& p : target.mesh.positions) p = 3 * p + Vec3f(0, p.x(), 0);  // sculpted
  const CopyReport report = copy_weights(source, target);
  EXPECT_TRUE(report.by_order);
  EXPECT_EQ(report.unmatched, 0u);
  EXPECT_TRUE(test::same_weights(target.weights, source.weights));
}

TEST(CopyWeights, GoesByPositionInAnyOrderAndAcrossSeams) {
  const Character source = test::random_skin(2);
  Character target = shuffled(source, 5);
  const CopyReport report = copy_weights(source, target);
  EXPECT_FALSE(report.by_order);
  EXPECT_EQ(report.unmatched, 0u);
  test::expect_valid_skin(target, 4);
  test::expect_whole_seams(target);
  expect_same_by_place(source, target);
  Character welded = test::bar(4, 0.25, 21, 8, 5);  // the same without seams
  copy_weights(source, welded);
  expect_same_by_place(source, welded);
}

TEST(CopyWeights, KeepsWhatHasNoCounterpartAndSaysSo) {
  const Character source = test::random_skin(3);
  Character target = source;
  test::append(target.mesh, test::tube(0.3, 0.1, 3, 5), Vec3f(0, 3, 0));
  test::weigh_at_random(target, 4, 77);
  const std::size_t first = source.mesh.vertex_count();
  const SkinWeights before = target.weights;
  const CopyReport report = copy_weights(source, target);
  EXPECT_EQ(report.unmatched, target.mesh.vertex_count() - first);
  ASSERT_EQ(report.change.warnings.size(), 1u);
  EXPECT_EQ(report.change.warnings[0].code, "vertices-not-matched");
  for (std::size_t slot = 4 * first; slot < before.weights.size(); ++slot) {
    EXPECT_EQ(target.weights.weights[slot], before.weights[slot]);
  }
}

TEST(CopyWeights, RefusesAnotherMesh) {
  const Character source = test::random_skin(4);
  Character target = test::bar(4, 0.31, 12, 5, 5);
  for (Vec3f& p : target.mesh.positions) p.y() += 0.05f;
  EXPECT_THROW(copy_weights(source, target), Error);
  EXPECT_TRUE(target.weights.empty());
  EXPECT_THROW(copy_weights(source, target, {.tolerance = 1}), Error);
}

}  // namespace
}  // namespace sinew
