// Which pieces stay rigid: what is learned of them and what is done to them.
#include "sinew/weights/auto/piece_rigidity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sinew/base/random.h"
#include "sinew/weights/heat/heat.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// A bar of four joints with a small box floating beside its middle.
Character bar_with_box() {
  Character bar = test::bar(4, 0.3, 24, 9, 4);
  const AABBf box = bounding_box(bar.mesh);
  TriangleMesh small = test::tube(0.2, 0.1, 3, 6);
  test::append(bar.mesh, small, box.center() + Vec3f(0, 0, 0.5f) - bounding_box(small).center());
  return bar;
}

std::vector<PieceExample> separable_examples(std::uint64_t seed) {
  Random random(seed);
  std::vector<PieceExample> examples(400);
  for (PieceExample& example : examples) {
    for (float& sign : example.signs) sign = static_cast<float>(random.normal());
    example.rigid = 2 * example.signs[0] - example.signs[4] > 0.3f ? 1.0f : 0.0f;
  }
  return examples;
}

TEST(PieceRigidity, LearnsWhatSeparatesRigidPieces) {
  const PieceRigidity model = train_piece_rigidity(separable_examples(1));
  int right = 0;
  const std::vector<PieceExample> others = separable_examples(2);
  for (const PieceExample& example : others) right += (model.chance(example.signs) > 0.5f) == (example.rigid > 0.5f);
  EXPECT_GT(right, 370);
}

TEST(PieceRigidity, HasLearnedNothingFromNothing) {
  const PieceRigidity model = train_piece_rigidity({});
  EXPECT_LT(model.chance(PieceSigns{}), 0.01f);
  EXPECT_LT(PieceRigidity{}.chance(PieceSigns{}), 0.01f);
}

TEST(PieceRigidity, SurvivesItsFile) {
  const PieceRigidity model = train_piece_rigidity(separable_examples(3));
  NetworkFile file;
  write_piece_rigidity(model, file);
  const PieceRigidity again = read_piece_rigidity(file);
  EXPECT_EQ(again.slope, model.slope);
  EXPECT_EQ(again.bias, model.bias);
  file.arrays.erase("rigid.bias");
  EXPECT_THROW(read_piece_rigidity(file), Error);
}

TEST(PieceRigidity, ARigidPieceGetsTheSameWeightsEverywhereAndOthersKeepTheirs) {
  const Character character = bar_with_box();
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  ASSERT_EQ(input.components.count, 2u);
  SkinWeights weights = make_skin_weights(input.vertex_count(), 4);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    const double share = static_cast<double>(v) / static_cast<double>(input.vertex_count());
    set_influences(weights, v, {{0, 1 - share}, {1, share}});
  }
  const PieceContacts pieces = find_piece_contacts(input, weights);
  // Only the size decides: the box is small.
  PieceRigidity rigidity;
  rigidity.scale.fill(1);
  rigidity.slope[2] = -20;
  rigidity.bias = 10;
  const SkinWeights before = weights;
  EXPECT_EQ(hold_rigid_pieces(input, pieces, rigidity, 0.5f, weights), 1);
  const std::uint32_t box = pieces[0].size < pieces[1].size ? 0 : 1;
  std::set<float> in_box;
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    if (input.components.component_of[v] == box) {
      in_box.insert(weights.weight_of(v, 1));
      continue;
    }
    for (int joint = 0; joint < 2; ++joint) EXPECT_EQ(weights.weight_of(v, joint), before.weight_of(v, joint));
  }
  EXPECT_EQ(in_box.size(), 1u);
}

TEST(PieceRigidity, ExamplesTellRigidPiecesFromBentOnes) {
  const Character character = bar_with_box();
  Warnings warnings;
  const BindInput input = make_bind_input(character, {}, warnings);
  const SkinWeights heat = heat_weights(input, {}, {}, warnings);
  const PieceContacts pieces = find_piece_contacts(input, heat);
  const std::uint32_t box = pieces[0].size < pieces[1].size ? 0 : 1;
  SkinWeights truth = heat;
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    if (input.components.component_of[v] == box) set_influences(truth, v, {{1, 1.0}});
  }
  const std::vector<PieceExample> examples = make_piece_examples(input, pieces, truth);
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_EQ(examples[box].rigid, 1);
  EXPECT_EQ(examples[1 - box].rigid, 0);
  for (const PieceExample& example : examples) {
    for (const float sign : example.signs) EXPECT_TRUE(std::isfinite(sign));
  }
}

}  // namespace
}  // namespace sinew
