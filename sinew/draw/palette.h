// A few colours that stand for many, for picture files that hold one byte per pixel.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/draw/image.h"

namespace sinew {

// At most `most` (1 … 256) colours for these pictures together: exactly theirs where they have no more, otherwise the
// means of boxes cut where the colours vary most (after Wan, Wong, Prusinkiewicz, "An algorithm for multidimensional
// data clustering", 1988). Throws Error(usage) without pictures.
std::vector<Pixel> choose_palette(const std::vector<const Image*>& images, int most);

// For every pixel, row by row, the index of the nearest colour; of equals the first. No dithering: in a sequence its
// grain would crawl.
class PaletteMap {
 public:
  explicit PaletteMap(std::vector<Pixel> palette);
  std::vector<std::uint8_t> indices_of(const Image& image);

 private:
  std::vector<Pixel> palette_;
  std::vector<std::int16_t> known_;  // [24-bit colour]: its index, or -1 when nobody has asked yet
};

}  // namespace sinew
