#include "sinew/asset/color_space.h"

#include <cmath>

namespace sinew {
namespace {

float clamp_unit(float value) { return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f; }

}  // namespace

float linear_from_srgb(float value) {
  const float v = clamp_unit(value);
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

float srgb_from_linear(float value) {
  const float v = clamp_unit(value);
  return v <= 0.0031308f ? v * 12.92f : 1.055f * std::pow(v, 1.0f / 2.4f) - 0.055f;
}

}  // namespace sinew
