// Colours in files that say nothing about them (OBJ, PLY, OFF) are sRGB, as cameras, scanners and modelling programs
// write them; the library's are linear.
#pragma once

namespace sinew {

float linear_from_srgb(float value);  // 0 … 1; values outside are clamped, NaN becomes 0
float srgb_from_linear(float value);

}  // namespace sinew
