#include "sinew/draw/color.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "sinew/asset/color_space.h"
#include "sinew/skeleton.h"

namespace sinew {
namespace {

// Stops are sRGB, evenly spaced, and interpolated in sRGB, where equal steps look roughly equal.
constexpr std::array<std::uint32_t, 8> weight_stops = {0xd9dbe0, 0x7c9be8, 0x3f7fdc, 0x2fb3a6,
                                                       0x74c64b, 0xf3d33f, 0xf28a2e, 0xd7263d};
constexpr std::array<std::uint32_t, 9> viridis_stops = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                                        0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
constexpr std::array<std::uint32_t, 6> error_stops = {0xf1eee6, 0xfbd9a0, 0xf9a65a, 0xe8603c, 0xb8203a, 0x5c0a34};

// Sixteen hues that stay apart on a shaded surface; order alternates warm and cool.
constexpr std::array<std::uint32_t, 16> palette = {0xe4572e, 0x2e86ab, 0xf2b134, 0x7b4fa6, 0x4caf6d, 0xd94f8a,
                                                   0x3bc0c0, 0xa8642a, 0x5b6ee1, 0xb5c334, 0xc0392b, 0x66b2e8,
                                                   0xf08a7e, 0x2f7d5b, 0xb98ad8, 0x8a8f98};

std::array<double, 3> channels(std::uint32_t hex) {
  return {((hex >> 16) & 255) / 255.0, ((hex >> 8) & 255) / 255.0, (hex & 255) / 255.0};
}

Color interpolate(std::span<const std::uint32_t> stops, double value) {
  const double position = value * (static_cast<double>(stops.size()) - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double t = position - static_cast<double>(below);
  const auto a = channels(stops[below]), b = channels(stops[below + 1]);
  Color color;
  for (int c = 0; c < 3; ++c) color[c] = linear_from_srgb(static_cast<float>(a[c] + (b[c] - a[c]) * t));
  return color;
}

}  // namespace

std::uint8_t srgb_byte(float linear) {
  if (!(linear > 0)) return 0;
  if (linear >= 1) return 255;
  const float srgb = linear <= 0.0031308f ? linear * 12.92f : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(std::lround(srgb * 255));
}

Color color_from_hex(std::uint32_t hex) {
  const auto c = channels(hex);
  return {linear_from_srgb(static_cast<float>(c[0])), linear_from_srgb(static_cast<float>(c[1])),
          linear_from_srgb(static_cast<float>(c[2]))};
}

std::string hex_text(const Color& color) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", srgb_byte(color[0]), srgb_byte(color[1]), srgb_byte(color[2]));
  return text;
}

Color map_color(ColorMap map, double value) {
  if (std::isnan(value)) return color_from_hex(0x808080);
  value = std::clamp(value, 0.0, 1.0);
  switch (map) {
    case ColorMap::weight:
      return interpolate(weight_stops, value);
    case ColorMap::viridis:
      return interpolate(viridis_stops, value);
    case ColorMap::error:
      return interpolate(error_stops, value);
  }
  return interpolate(viridis_stops, value);
}

Color palette_color(int index) {
  return color_from_hex(palette[static_cast<std::size_t>(std::max(index, 0)) % palette.size()]);
}

std::vector<Color> joint_palette(const Skeleton& skeleton) {
  const int count = skeleton.joint_count(), hues = static_cast<int>(palette.size());
  const std::vector<std::vector<int>> children = children_of(skeleton);
  std::vector<int> chosen(count, -1);
  for (int joint = 0; joint < count; ++joint) {
    // Parents precede children, so whoever matters and has a colour is already in `chosen`.
    std::array<bool, palette.size()> taken{};
    const auto avoid = [&](int other) {
      if (other >= 0 && chosen[other] >= 0) taken[chosen[other]] = true;
    };
    const int parent = skeleton.parents[joint];
    avoid(parent);
    if (parent >= 0) {
      avoid(skeleton.parents[parent]);
      for (int sibling : children[parent]) avoid(sibling);
    }
    for (int step = 0; step < hues && chosen[joint] < 0; ++step) {
      const int candidate = (joint + step) % hues;
      if (!taken[candidate]) chosen[joint] = candidate;
    }
    if (chosen[joint] < 0) chosen[joint] = joint % hues;
  }
  std::vector<Color> colors(count);
  for (int joint = 0; joint < count; ++joint) colors[joint] = palette_color(chosen[joint]);
  return colors;
}

}  // namespace sinew
