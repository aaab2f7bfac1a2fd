// Inside the renderer: takes the grain out of light that was sampled with few rays. Not part of the public manual.
//
// An edge-avoiding à-trous filter (Dammertz et al., "Edge-avoiding à-trous wavelet transform for fast global
// illumination filtering", 2010): pixels share light with neighbours that lie on the same smooth piece of surface.
#pragma once

#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

struct LightPixel {
  Vec4f light{0, 0, 0, 0};  // red, green, blue, shine
  Vec3f position{0, 0, 0}, normal{0, 0, 0};
  float footprint = 0;  // width of the pixel at that distance
  bool usable = false;  // others are left alone and not looked at
};

// Four channels per pixel, row by row; `levels` 1…5: the reach doubles with each, from 2 pixels.
void smooth_light(std::vector<LightPixel>& pixels, int width, int height, int levels);

}  // namespace sinew
