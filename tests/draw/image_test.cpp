#include "sinew/draw/image.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sinew/asset/color_space.h"
#include "sinew/base/random.h"
#include "sinew/draw/sheet.h"
#include "sinew/draw/text.h"
#include "sinew/error.h"
#include "sinew/skeleton.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

int count_pixels(const Image& image, const Pixel& color) {
  return static_cast<int>(std::count(image.pixels.begin(), image.pixels.end(), color));
}

TEST(Image, PngHoldsExactlyThePixels) {
  Random random(3);
  Image image(37, 21);
  for (Pixel& pixel : image.pixels) {
    for (std::uint8_t& channel : pixel) channel = static_cast<std::uint8_t>(random.below(256));
  }
  const std::vector<std::byte> bytes = encode_png(image);
  const std::array<unsigned char, 8> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  for (std::size_t i = 0; i < signature.size(); ++i) EXPECT_EQ(std::to_integer<int>(bytes[i]), signature[i]);
  EXPECT_EQ(std::to_integer<int>(bytes[19]), 37);
  EXPECT_EQ(std::to_integer<int>(bytes[23]), 21);
  const Image back = decode_image(bytes);
  EXPECT_EQ(back.width, 37);
  EXPECT_EQ(back.height, 21);
  EXPECT_EQ(back.pixels, image.pixels);
}

TEST(Image, BrokenPngIsAnErrorNeverACrash) {
  const std::vector<std::byte> good = encode_png(Image(16, 16, {10, 200, 30}));
  for (std::size_t length = 0; length < good.size(); length += 3) {
    const std::vector<std::byte> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length));
    if (length + 12 < good.size()) {
      EXPECT_THROW(decode_image(cut), Error) << length;
    }
  }
  EXPECT_THROW(decode_image({}), Error);
}

TEST(Image, RefusesImpossibleSizes) {
  EXPECT_THROW(Image(0, 5), Error);
  EXPECT_THROW(Image(5, -1), Error);
  EXPECT_THROW(Image(40000, 1), Error);
  EXPECT_THROW(Image(32768, 32768), Error);
}

TEST(Image, WritesAllOrNothing) {
  const test::TemporaryFolder folder;
  write_png(Image(4, 4), folder / "a.png");
  EXPECT_GT(test::read_file(folder / "a.png").size(), 40u);
  EXPECT_THROW(write_png(Image(4, 4), folder / "missing" / "a.png"), Error);
}

TEST(Image, PasteAndFillClip) {
  Image image(10, 10, {0, 0, 0});
  fill_rectangle(image, -5, -5, 8, 8, {255, 0, 0});
  EXPECT_EQ(count_pixels(image, {255, 0, 0}), 9);
  paste(image, Image(6, 6, {0, 255, 0}), 7, -2);
  EXPECT_EQ(count_pixels(image, {0, 255, 0}), 3 * 4);
  paste(image, Image(6, 6), 20, 20);
  paste(image, Image(6, 6), -20, 0);
  blend(image, -1, 0, {9, 9, 9}, 1.0f);
  blend(image, 9, 9, {100, 100, 100}, 0.5f);
  EXPECT_EQ(image.at(9, 9), (Pixel{50, 50, 50}));
}

TEST(Color, BytesGoThereAndBack) {
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(srgb_byte(linear_from_srgb(static_cast<float>(byte) / 255.0f)), byte);
  }
  EXPECT_EQ(srgb_byte(-1), 0);
  EXPECT_EQ(srgb_byte(7), 255);
  EXPECT_EQ(srgb_byte(std::nanf("")), 0);
  EXPECT_EQ(hex_text(color_from_hex(0x12ab9f)), "#12ab9f");
}

TEST(Color, MapsRunFromEndToEnd) {
  for (ColorMap map : {ColorMap::weight, ColorMap::viridis, ColorMap::error}) {
    EXPECT_EQ(map_color(map, -3), map_color(map, 0));
    EXPECT_EQ(map_color(map, 9), map_color(map, 1));
    EXPECT_EQ(hex_text(map_color(map, std::nan(""))), "#808080");
    for (int i = 0; i < 100; ++i) {  // no jumps
      EXPECT_LT((map_color(map, i / 100.0) - map_color(map, (i + 1) / 100.0)).norm(), 0.12f);
    }
  }
  // Viridis gets lighter all the way.
  const auto lightness = [](const Color& c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; };
  for (int i = 0; i < 50; ++i) {
    EXPECT_LT(lightness(map_color(ColorMap::viridis, i / 50.0)),
              lightness(map_color(ColorMap::viridis, (i + 1) / 50.0)));
  }
}

TEST(Color, NeighbouringJointsDiffer) {
  Random random(5);
  Skeleton skeleton;
  for (int i = 0; i < 150; ++i) {
    const int parent = i == 0 ? -1 : std::max(0, i - 1 - static_cast<int>(random.below(5)));
    add_joint(skeleton, "joint" + std::to_string(i), parent, Affine3d::Identity());
  }
  const std::vector<Color> colors = joint_palette(skeleton);
  for (int i = 1; i < 150; ++i) {
    const int parent = skeleton.parents[i];
    EXPECT_GT((colors[i] - colors[parent]).norm(), 0.05f);
    for (int j = 1; j < i; ++j) {
      if (skeleton.parents[j] == parent) {
        EXPECT_GT((colors[i] - colors[j]).norm(), 0.05f);
      }
    }
  }
}

TEST(Text, DrawsWhereItSays) {
  Image image(200, 40);
  draw_text(image, 100, 10, "Hip_L 0.25", {.size = 18, .color = {0, 0, 0}, .align = TextAlign::centre});
  int left = 200, right = 0, top = 40, bottom = 0;
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 200; ++x) {
      if (image.at(x, y)[0] > 128) continue;
      left = std::min(left, x);
      right = std::max(right, x);
      top = std::min(top, y);
      bottom = std::max(bottom, y);
    }
  }
  const int width = text_width("Hip_L 0.25", 18);
  EXPECT_NEAR(left, 100 - width / 2, 3);
  EXPECT_NEAR(right, 100 + width / 2, 3);
  EXPECT_GE(top, 10);
  EXPECT_LE(bottom, 28);
}

TEST(Text, EveryPrintableCharacterHasInkAndOddOnesAreSafe) {
  const auto ink = [](const std::string& text) {
    Image image(60, 40);
    draw_text(image, 5, 5, text, {.size = 24, .color = {0, 0, 0}});
    return 60 * 40 - count_pixels(image, {255, 255, 255});
  };
  for (char c = 33; c < 127; ++c) EXPECT_GT(ink(std::string(1, c)), 3) << c;
  EXPECT_EQ(ink(" "), 0);
  EXPECT_GT(ink("é"), ink("e"));
  for (const char* odd : {"\xff", "\xe3\x81", "\xe6\x97\xa5", "\x01\n", "\xc3", "\xf0\x9f\x98\x80"}) ink(odd);
  Image tiny(2, 2);
  draw_text(tiny, -50, -50, "clipped", {});
  draw_text(tiny, 0, 0, "", {});
}

TEST(Text, ShortensToFit) {
  EXPECT_EQ(shorten_text("short", 15, 200), "short");
  const std::string cut = shorten_text("a_very_long_joint_name_of_somebody", 15, 100);
  EXPECT_LE(text_width(cut, 15), 100);
  EXPECT_GT(text_width(cut, 15), 80);
  EXPECT_TRUE(cut.starts_with("a_very"));
  EXPECT_TRUE(cut.ends_with("…"));
}

TEST(Sheet, LaysTilesOutInRows) {
  const Pixel red{255, 0, 0}, green{0, 255, 0}, blue{0, 0, 255};
  std::vector<Tile> tiles;
  tiles.push_back({Image(30, 20, red), ""});
  tiles.push_back({Image(30, 20, green), ""});
  tiles.push_back({Image(30, 20, blue), ""});
  const Image plain = compose_sheet(tiles, {.columns = 2, .gap = 5});
  EXPECT_EQ(plain.width, 2 * 30 + 3 * 5);
  EXPECT_EQ(plain.height, 2 * 20 + 3 * 5);
  EXPECT_EQ(plain.at(5, 5), red);
  EXPECT_EQ(plain.at(34, 24), red);
  EXPECT_EQ(plain.at(40, 5), green);
  EXPECT_EQ(plain.at(5, 30), blue);
  EXPECT_EQ(count_pixels(plain, red), 600);
  EXPECT_EQ(count_pixels(plain, green), 600);
  EXPECT_EQ(count_pixels(plain, blue), 600);

  tiles[0].title = "first";
  const Image titled = compose_sheet(tiles, {.columns = 3, .gap = 5, .title = "heading"});
  EXPECT_EQ(titled.width, 3 * 30 + 4 * 5);
  EXPECT_GT(titled.height, 20 + 2 * 5 + 20);
  EXPECT_EQ(count_pixels(titled, red), 600) << "titles must not cover pictures";
  EXPECT_THROW(compose_sheet({}), Error);
}

TEST(Sheet, CentresSmallerTilesAndChoosesColumns) {
  std::vector<Tile> tiles(7, Tile{Image(40, 40, {1, 2, 3}), ""});
  tiles.push_back({Image(10, 10, {9, 9, 9}), ""});
  const Image sheet = compose_sheet(tiles, {.gap = 4});
  EXPECT_EQ(sheet.width, 4 * 40 + 5 * 4) << "eight squares go four by two";
  EXPECT_EQ(sheet.at(4 + 3 * 44 + 15, 4 + 44 + 15), (Pixel{9, 9, 9}));
  EXPECT_NE(sheet.at(4 + 3 * 44 + 14, 4 + 44 + 15), (Pixel{9, 9, 9}));
}

TEST(Sheet, LegendsStayInsideThePicture) {
  for (int size : {8, 40, 120, 800}) {
    Image image(size, size);
    draw_color_bar(image, ColorMap::weight, 0, 1, "a caption that is too long for a small picture");
    std::vector<std::pair<Color, std::string>> keys(60, {Color(1, 0, 0), "joint"});
    draw_color_keys(image, keys, "joints");
    EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(size) * size);
  }
  Image image(400, 300);
  draw_color_bar(image, ColorMap::error, 0, 0.5, "metres");
  EXPECT_GT(count_pixels(image, to_pixel(map_color(ColorMap::error, 1))), 5);
}

}  // namespace
}  // namespace sinew
