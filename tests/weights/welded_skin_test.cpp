#include "sinew/weights/tools/welded_skin.h"

#include <gtest/gtest.h>

#include "tests/support/skins.h"

namespace sinew {
namespace {

TEST(WeldedSkin, GivesBackWhatItTook) {
  Character character = test::random_skin(1);
  const SkinWeights before = character.weights;
  const WeldedSkin skin = weld_skin(character, {});
  EXPECT_LT(skin.vertex_count(), character.mesh.vertex_count());
  EXPECT_EQ(store_rows(character, skin, skin.rows, 4).changed, 0u);
  EXPECT_TRUE(test::same_weights(character.weights, before));
}

TEST(WeldedSkin, MendsSeamsOfWhatIsSelectedAlone) {
  Character character = test::random_skin(2);
  set_influences(character.weights, 0, {{1, 1.0}});  // one copy differs
  const SkinWeights before = character.weights;
  std::vector<std::uint32_t> others;
  const WeldedSkin all = weld_skin(character, {});
  for (std::uint32_t v = 1; v < character.mesh.vertex_count(); ++v) {
    if (all.welded_of[v] != all.welded_of[0]) others.push_back(v);
  }
  const WeldedSkin some = weld_skin(character, {.vertices = others});
  store_rows(character, some, some.rows, 4);
  EXPECT_TRUE(test::same_weights(character.weights, before));
  store_rows(character, all, all.rows, 4);
  test::expect_whole_seams(character);
}

TEST(WeldedSkin, LeavesAttachedAndFixedPartsOut) {
  Character character = test::bar(1, 0.1, 3, 4, 2);
  const std::size_t count = character.mesh.vertex_count();
  test::weigh_at_random(character, 2, 1);
  character.parts = {{"Skin", "", 0, count - 3, 0, character.mesh.triangles.size(), PartBinding::skinned},
                     {"Lamp", "", count - 3, 3, character.mesh.triangles.size(), 0, PartBinding::fixed}};
  for (std::size_t v = count - 3; v < count; ++v) set_influences(character.weights, v, {});
  character.mesh.triangles.resize(10);
  character.parts[0].triangle_count = character.parts[1].first_triangle = 10;
  const WeldedSkin skin = weld_skin(character, {});
  EXPECT_EQ(skin.welded_of[count - 1], WeldedSkin::not_skinned);
  EXPECT_EQ(skin.vertex_count(), count - 3);
}

TEST(WeldedSkin, KeepsLockedJointsOfAnyRow) {
  Random random(3);
  const std::vector<char> locked{0, 1, 0, 0, 1, 0, 0, 0};
  for (int trial = 0; trial < 500; ++trial) {
    const auto row = [&] {
      WeightRow result;
      for (std::uint16_t joint = 0; joint < 8; ++joint) {
        if (random.uniform() < 0.6) result.push_back({joint, random.uniform() + 1e-3});
      }
      if (!result.empty()) scale_row(result, 1 / row_sum(result));
      return result;
    };
    const WeightRow before = row(), wanted = row();
    if (before.empty()) continue;
    WeightRow result = with_locked(before, wanted, locked);
    for (int step = 0; step < 2; ++step) {
      EXPECT_NEAR(row_sum(result), 1, 1e-6);
      for (const Influence& influence : before) {
        if (!locked[influence.joint]) continue;
        const auto found = std::find_if(result.begin(), result.end(),
                                        [&](const Influence& other) { return other.joint == influence.joint; });
        ASSERT_NE(found, result.end());
        EXPECT_NEAR(found->weight, influence.weight, 1e-6);
      }
      limit_row(result, 3, locked);
      EXPECT_LE(result.size(), 3u);
    }
  }
}

TEST(WeldedSkin, RefusesPositionsThatAreNotFinite) {
  Character character = test::random_skin(1);
  character.mesh.positions[7].x() = std::nanf("");
  EXPECT_THROW(weld_skin(character, {}), Error);
}

}  // namespace
}  // namespace sinew
