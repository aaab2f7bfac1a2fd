#include <gtest/gtest.h>

#include "sinew/weight_transfer.h"
#include "tests/support/skins.h"

namespace sinew {
namespace {

// Two bars, each a part.
Character two_parts(std::uint64_t seed) {
  Character character = test::bar(4, 0.25, 9, 6, 3);
  const std::size_t vertices = character.mesh.vertex_count(), triangles = character.mesh.triangles.size();
  test::append(character.mesh, test::tube(4, 0.25, 9, 6), Vec3f(0, 1, 0));
  character.parts = {{"Body", "", 0, vertices, 0, triangles, PartBinding::skinned},
                     {"Coat", "", vertices, vertices, triangles, triangles, PartBinding::skinned}};
  test::weigh_at_random(character, 3, seed);
  return character;
}

TEST(CombineWeights, TakesPartsFromLayers) {
  const Character base = two_parts(1), layer = two_parts(2);
  Character result = base;
  const WeightChange change = combine_weights(result, {{.source = &layer, .parts = "Co*"}});
  const std::size_t half = 3 * base.parts[1].first_vertex;
  EXPECT_TRUE(
      std::equal(base.weights.weights.begin(), base.weights.weights.begin() + half, result.weights.weights.begin()));
  for (std::size_t slot = half; slot < result.weights.weights.size(); ++slot) {
    EXPECT_NEAR(result.weights.weights[slot], layer.weights.weights[slot], 1e-6);
  }
  EXPECT_EQ(change.changed, base.parts[1].vertex_count);
}

TEST(CombineWeights, BlendsByMask) {
  const Character base = two_parts(3), layer = two_parts(4);
  Character result = base;
  std::vector<float> mask(base.mesh.vertex_count());
  for (std::size_t v = 0; v < mask.size(); ++v) mask[v] = static_cast<float>(v % 5) / 4;
  combine_weights(result, {{.source = &layer, .mask = mask}}, {.max_influences = 6});
  test::expect_valid_skin(result, 6);
  for (std::size_t v = 0; v < mask.size(); ++v) {
    for (int joint = 0; joint < 4; ++joint) {
      const float wanted =
          mask[v] * layer.weights.weight_of(v, joint) + (1 - mask[v]) * base.weights.weight_of(v, joint);
      EXPECT_NEAR(result.weights.weight_of(v, joint), wanted, 1e-6);
    }
  }
}

TEST(CombineWeights, PutsLayersOverEachOtherAndKeepsSeamsAndLocks) {
  Character base = test::random_skin(1), a = test::random_skin(2), b = test::random_skin(3);
  std::vector<float> mask(base.mesh.vertex_count());
  Random random(9);
  for (float& value : mask) value = static_cast<float>(random.uniform());  // differs between copies
  const SkinWeights before = base.weights;
  combine_weights(base, {{.source = &a, .mask = mask}, {.source = &b, .mask = mask}}, {.selection = {.locked = {0}}});
  test::expect_valid_skin(base, 4);
  test::expect_whole_seams(base);
  for (std::size_t v = 0; v < mask.size(); ++v) {
    EXPECT_NEAR(base.weights.weight_of(v, 0), before.weight_of(v, 0), 1e-6);
  }
}

TEST(CombineWeights, RefusesWhatCannotBe) {
  Character base = two_parts(1);
  const Character layer = two_parts(2);
  EXPECT_THROW(combine_weights(base, {{}}), Error);
  EXPECT_THROW(combine_weights(base, {{.source = &layer, .parts = "Hat"}}), Error);
  EXPECT_THROW(combine_weights(base, {{.source = &layer, .mask = {1.0f}}}), Error);
  EXPECT_THROW(combine_weights(base, {{.source = &layer, .mask = std::vector<float>(base.mesh.vertex_count(), 2.0f)}}),
               Error);
}

TEST(MaskFromColors, ReadsChannels) {
  TriangleMesh mesh;
  mesh.positions = {Vec3f::Zero()};
  EXPECT_THROW(mask_from_colors(mesh, "red"), Error);
  mesh.colors = {Vec4f(0.25f, 0.5f, 0.75f, 2.0f)};
  EXPECT_EQ(mask_from_colors(mesh, "red")[0], 0.25f);
  EXPECT_EQ(mask_from_colors(mesh, "grey")[0], 0.5f);
  EXPECT_EQ(mask_from_colors(mesh, "alpha")[0], 1.0f);
  EXPECT_THROW(mask_from_colors(mesh, "purple"), Error);
}

}  // namespace
}  // namespace sinew
