#include "sinew/weights/attached_pieces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/shapes.h"

namespace sinew {
namespace {

// A bar along x with a horn on its first half that leans over the second: a thin tube, a piece of its own.
Character bar_with_horn(float gap) {
  Character character = test::bar(4, 0.3, 24, 9, 2);
  test::append(character.mesh, test::tube(0.7, 0.04, 5, 6), Vec3f(1.8f, 0.34f + gap, 0));
  return character;
}

BindInput input_of_pieces(const Character& character) {
  Warnings warnings;
  return make_bind_input(character, {}, warnings);
}

// The bar by its halves; the horn wholly on the second joint.
SkinWeights by_halves(const BindInput& input) {
  SkinWeights weights = make_skin_weights(input.vertex_count(), 4);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    const double x = static_cast<double>(input.mesh.positions[v].x()) * input.scale + input.centre.x();
    const bool second = input.components.component_of[v] != 0 || x > 3.0;
    set_influences(weights, v, {{static_cast<std::uint16_t>(second ? 1 : 0), 1.0}});
  }
  return weights;
}

TEST(SmallPieces, FollowWhatTheyTouch) {
  const BindInput input = input_of_pieces(bar_with_horn(0.0f));
  ASSERT_EQ(input.components.count, 2u);
  SkinWeights weights = by_halves(input);
  EXPECT_EQ(attach_small_pieces(input, weights), 1);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    if (input.components.component_of[v] != 0) {
      EXPECT_FLOAT_EQ(weights.weight_of(v, 0), 1.0f);
    }
  }
}

TEST(SmallPieces, StayAsTheyAreWhenTheyTouchNothing) {
  const BindInput input = input_of_pieces(bar_with_horn(0.2f));
  SkinWeights weights = by_halves(input);
  const SkinWeights before = weights;
  EXPECT_EQ(attach_small_pieces(input, weights), 0);
  EXPECT_EQ(weights.weights, before.weights);
  EXPECT_EQ(weights.joints, before.joints);
}

TEST(SmallPieces, PiecesWithABoneInsideAreTheirOwn) {
  // A bar cut into short pieces, each with a bone of its own: none hangs on its neighbour.
  Character character = test::bar(4, 0.2, 33, 9, 8);
  std::erase_if(character.mesh.triangles, [&](const Triangle& t) {
    const auto slice = [&](int corner) { return std::floor((character.mesh.positions[t[corner]].x() + 0.06f) / 0.5f); };
    return slice(0) != slice(1) || slice(1) != slice(2);
  });
  const BindInput input = input_of_pieces(character);
  ASSERT_GE(input.components.count, 8u);
  SkinWeights weights = make_skin_weights(input.vertex_count(), 4);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    set_influences(weights, v, {{static_cast<std::uint16_t>(input.components.component_of[v] % 8), 1.0}});
  }
  EXPECT_EQ(attach_small_pieces(input, weights), 0);
}

}  // namespace
}  // namespace sinew
