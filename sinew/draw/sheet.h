// Many pictures on one: rows of tiles with titles, and legends that say what colours mean.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/draw/image.h"

namespace sinew {

struct Tile {
  Image image;
  std::string title;  // one line under the picture; cut with an ellipsis when it is wider
};

struct SheetOptions {
  int columns = 0;      // 0: chosen so that the sheet is about as wide as 16:10
  int gap = 8;          // pixels between tiles and around them
  std::string title{};  // over the sheet; may be empty
  Pixel background{250, 250, 251};
};

// Tiles row by row. A column is as wide as its widest tile and a row as high as its highest; smaller ones are centred.
// Titles take room only when there are any. Throws Error(usage) without tiles.
Image compose_sheet(const std::vector<Tile>& tiles, const SheetOptions& options = {});

// A bar of the colour map with its range and a caption, in the lower left corner.
void draw_color_bar(Image& image, ColorMap map, double low, double high, const std::string& caption);

// A list of colours and names under a caption, in the lower left corner; what does not fit is left out and counted.
void draw_color_keys(Image& image, const std::vector<std::pair<Color, std::string>>& keys, const std::string& caption);

}  // namespace sinew
