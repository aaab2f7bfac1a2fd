#include "sinew/draw/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/error.h"

namespace sinew {
namespace {

TEST(Palette, FewColoursStayExact) {
  Image a(4, 4, {10, 20, 30}), b(4, 4, {200, 100, 0});
  a.at(1, 2) = {255, 255, 255};
  const std::vector<Pixel> palette = choose_palette({&a, &b}, 3);
  ASSERT_EQ(palette.size(), 3u);
  PaletteMap map(palette);
  for (const Image* image : {&a, &b}) {
    const std::vector<std::uint8_t> indices = map.indices_of(*image);
    ASSERT_EQ(indices.size(), image->pixels.size());
    for (std::size_t i = 0; i < indices.size(); ++i) EXPECT_EQ(palette[indices[i]], image->pixels[i]);
  }
}

TEST(Palette, ManyColoursComeOutCloseAndFewEnough) {
  Image image(128, 128);
  for (int y = 0; y < 128; ++y) {
    for (int x = 0; x < 128; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(2 * x), static_cast<std::uint8_t>(2 * y), 90};
    }
  }
  const std::vector<Pixel> palette = choose_palette({&image}, 64);
  EXPECT_EQ(palette.size(), 64u);
  const std::vector<std::uint8_t> indices = PaletteMap(palette).indices_of(image);
  double squares = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    for (int c = 0; c < 3; ++c) squares += std::pow(image.pixels[i][c] - palette[indices[i]][c], 2);
  }
  // An even 8 x 8 grid of cells of 32 steps each, which is the best there is: variance 32²/12 along both axes.
  const double best = 2 * 32.0 * 32.0 / 12;
  EXPECT_LT(squares / static_cast<double>(indices.size()), 1.5 * best);
}

TEST(Palette, RefusesWhatMakesNoSense) {
  const Image image(2, 2);
  EXPECT_THROW(choose_palette({}, 4), Error);
  EXPECT_THROW(choose_palette({&image}, 0), Error);
  EXPECT_THROW(choose_palette({&image}, 257), Error);
}

}  // namespace
}  // namespace sinew
