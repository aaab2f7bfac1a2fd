#include "sinew/draw/palette.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::size_t all_colors = std::size_t{1} << 24;

std::size_t key_of(const Pixel& p) {
  return static_cast<std::size_t>(p[0]) << 16 | static_cast<std::size_t>(p[1]) << 8 | p[2];
}

struct CountedColor {
  Pixel color{};
  double count = 0;
};

// Every colour of the pictures with how often it occurs, in the order of their keys.
std::vector<CountedColor> count_colors(const std::vector<const Image*>& images) {
  std::vector<std::uint32_t> counts(all_colors, 0);
  for (const Image* image : images) {
    for (const Pixel& pixel : image->pixels) ++counts[key_of(pixel)];
  }
  std::vector<CountedColor> colors;
  for (std::size_t key = 0; key < counts.size(); ++key) {
    if (counts[key] == 0) continue;
    const auto channel = [key](int shift) { return static_cast<std::uint8_t>(key >> shift & 0xff); };
    colors.push_back({{channel(16), channel(8), channel(0)}, static_cast<double>(counts[key])});
  }
  return colors;
}

// A run of colours, and what splitting it would be worth.
struct ColorBox {
  std::size_t begin = 0, end = 0;
  std::array<double, 3> mean{};
  int axis = 0;       // along which they vary most
  double spread = 0;  // sum of squared distances from the mean along it
};

ColorBox make_box(const std::vector<CountedColor>& colors, std::size_t begin, std::size_t end) {
  ColorBox box{begin, end};
  double total = 0;
  std::array<double, 3> sum{}, squares{};
  for (std::size_t i = begin; i < end; ++i) {
    total += colors[i].count;
    for (int c = 0; c < 3; ++c) {
      sum[c] += colors[i].count * colors[i].color[c];
      squares[c] += colors[i].count * colors[i].color[c] * colors[i].color[c];
    }
  }
  for (int c = 0; c < 3; ++c) {
    box.mean[c] = sum[c] / total;
    const double spread = squares[c] - sum[c] * box.mean[c];
    if (spread > box.spread) {
      box.spread = spread;
      box.axis = c;
    }
  }
  return box;
}

// Cuts the box at its mean; both halves hold at least one colour, because they differ along its axis.
ColorBox split_box(std::vector<CountedColor>& colors, ColorBox& box) {
  const auto low = [&box](const CountedColor& c) { return c.color[box.axis] <= box.mean[box.axis]; };
  const auto middle = std::stable_partition(colors.begin() + box.begin, colors.begin() + box.end, low);
  const std::size_t cut = middle - colors.begin();
  const ColorBox upper = make_box(colors, cut, box.end);
  box = make_box(colors, box.begin, cut);
  return upper;
}

}  // namespace

std::vector<Pixel> choose_palette(const std::vector<const Image*>& images, int most) {
  if (images.empty() || most < 1 || most > 256) {
    throw Error(ErrorCode::argument_invalid,
                "a palette needs pictures and 1 to 256 colours, not " + std::to_string(most));
  }
  std::vector<CountedColor> colors = count_colors(images);
  std::vector<Pixel> palette;
  if (colors.size() <= static_cast<std::size_t>(most)) {
    for (const CountedColor& color : colors) palette.push_back(color.color);
    return palette;
  }
  std::vector<ColorBox> boxes{make_box(colors, 0, colors.size())};
  while (boxes.size() < static_cast<std::size_t>(most)) {
    const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                         [](const ColorBox& a, const ColorBox& b) { return a.spread < b.spread; });
    if (widest->spread <= 0) break;
    boxes.push_back(split_box(colors, *widest));
  }
  for (const ColorBox& box : boxes) {
    Pixel mean;
    for (int c = 0; c < 3; ++c) mean[c] = static_cast<std::uint8_t>(std::lround(box.mean[c]));
    palette.push_back(mean);
  }
  return palette;
}

PaletteMap::PaletteMap(std::vector<Pixel> palette) : palette_(std::move(palette)), known_(all_colors, -1) {}

std::vector<std::uint8_t> PaletteMap::indices_of(const Image& image) {
  std::vector<std::uint8_t> indices;
  indices.reserve(image.pixels.size());
  for (const Pixel& pixel : image.pixels) {
    std::int16_t& index = known_[key_of(pixel)];
    if (index < 0) {
      int least = std::numeric_limits<int>::max();
      for (std::size_t i = 0; i < palette_.size(); ++i) {
        int distance = 0;
        for (int c = 0; c < 3; ++c) distance += (pixel[c] - palette_[i][c]) * (pixel[c] - palette_[i][c]);
        if (distance >= least) continue;
        least = distance;
        index = static_cast<std::int16_t>(i);
      }
    }
    indices.push_back(static_cast<std::uint8_t>(index));
  }
  return indices;
}

}  // namespace sinew
