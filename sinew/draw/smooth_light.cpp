#include "sinew/draw/smooth_light.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

// How much two pixels belong together: same plane, same direction, and, once the first round has taken the worst grain
// out, about the same light.
float likeness(const LightPixel& centre, const LightPixel& other, int step, float light_tolerance) {
  const float facing = centre.normal.dot(other.normal);
  if (facing < 0.7f) return 0;
  const float off_plane = centre.normal.dot(other.position - centre.position) /
                          (static_cast<float>(step) * std::max(centre.footprint, 1e-30f));
  const float difference = (centre.light - other.light).norm() / light_tolerance;
  const float facing_4 = facing * facing * facing * facing;
  const float unlike = 1 + 0.5f * off_plane * off_plane + difference * difference;
  return facing_4 * facing_4 / (unlike * unlike);
}

}  // namespace

void smooth_light(std::vector<LightPixel>& pixels, int width, int height, int levels) {
  constexpr std::array<float, 3> kernel = {0.375f, 0.25f, 0.0625f};
  std::vector<Vec4f> smoothed(pixels.size());
  for (int level = 0; level < levels; ++level) {
    const int step = 1 << level;
    const float tolerance = level == 0 ? 1e3f : 0.8f / static_cast<float>(step);
    parallel_for(height, 8, [&](std::size_t begin, std::size_t end) {
      for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
        for (int x = 0; x < width; ++x) {
          const std::size_t here = static_cast<std::size_t>(y) * width + x;
          const LightPixel& centre = pixels[here];
          smoothed[here] = centre.light;
          if (!centre.usable) continue;
          Vec4f sum = Vec4f::Zero();
          float weights = 0;
          for (int dy = -2; dy <= 2; ++dy) {
            const int py = y + dy * step;
            if (py < 0 || py >= height) continue;
            for (int dx = -2; dx <= 2; ++dx) {
              const int px = x + dx * step;
              if (px < 0 || px >= width) continue;
              const LightPixel& other = pixels[static_cast<std::size_t>(py) * width + px];
              if (!other.usable) continue;
              const float weight =
                  kernel[std::abs(dx)] * kernel[std::abs(dy)] * likeness(centre, other, step, tolerance);
              sum += weight * other.light;
              weights += weight;
            }
          }
          if (weights > 0) smoothed[here] = sum / weights;
        }
      }
    });
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i].light = smoothed[i];
  }
}

}  // namespace sinew
