// Colours: linear RGB inside the library, sRGB bytes in files; colour maps for numbers and a palette for joints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

struct Skeleton;

using Color = Vec3f;  // linear RGB; 0…1 is what a screen can show

// The colour written as in a web page: 0xRRGGBB in sRGB.
Color color_from_hex(std::uint32_t hex);
// sRGB byte of a linear value; values outside [0, 1] and NaN are clamped.
std::uint8_t srgb_byte(float linear);
// "#rrggbb", for SVG.
std::string hex_text(const Color& color);

enum class ColorMap {
  weight,   // pale grey at 0, then blue, green, yellow to red at 1: what riggers know; zero reads as "not touched"
  viridis,  // dark violet to yellow: even steps look even, safe for the colour-blind
  error,    // pale cream, orange, dark red: more is worse
};

// `value` in [0, 1]; clamped outside, mid-grey when it is not a number.
Color map_color(ColorMap map, double value);

// A colour for joint (or part) `index`: the same for every picture, indices near each other far apart in hue.
Color palette_color(int index);

// One palette colour per joint, such that a joint differs from its parent, its siblings and its grandparent.
std::vector<Color> joint_palette(const Skeleton& skeleton);

}  // namespace sinew
