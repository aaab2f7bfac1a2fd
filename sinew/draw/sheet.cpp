#include "sinew/draw/sheet.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/plain_text.h"
#include "sinew/draw/text.h"
#include "sinew/error.h"

namespace sinew {
namespace {

// Labels grow with the picture, within what is readable.
float size_of_labels(int width) { return std::clamp(static_cast<float>(width) / 42.0f, 11.0f, 22.0f); }

int choose_columns(const std::vector<Tile>& tiles) {
  const double width = tiles.front().image.width, height = tiles.front().image.height;
  const double ideal = std::sqrt(static_cast<double>(tiles.size()) * 1.6 * height / width);
  const int count = static_cast<int>(tiles.size());
  const int columns = std::clamp(static_cast<int>(std::lround(ideal)), 1, count);
  // The same number of rows with the tiles spread evenly over them.
  const int rows = (count + columns - 1) / columns;
  return (count + rows - 1) / rows;
}

}  // namespace

Image compose_sheet(const std::vector<Tile>& tiles, const SheetOptions& options) {
  if (tiles.empty()) throw Error(ErrorCode::argument_invalid, "a sheet needs at least one picture");
  const int count = static_cast<int>(tiles.size());
  const int columns = options.columns > 0 ? std::min(options.columns, count) : choose_columns(tiles);
  const int rows = (count + columns - 1) / columns;
  std::vector<int> widths(columns, 0), heights(rows, 0);
  bool titled = false;
  for (int i = 0; i < count; ++i) {
    widths[i % columns] = std::max(widths[i % columns], tiles[i].image.width);
    heights[i / columns] = std::max(heights[i / columns], tiles[i].image.height);
    titled = titled || !tiles[i].title.empty();
  }
  const float size = size_of_labels(*std::max_element(widths.begin(), widths.end()));
  const int label = titled ? static_cast<int>(std::ceil(1.5f * size)) : 0;
  const float heading_size = 1.4f * size;
  const int heading = options.title.empty() ? 0 : static_cast<int>(std::ceil(1.6f * heading_size));
  const int width = std::accumulate(widths.begin(), widths.end(), options.gap * (columns + 1));
  const int height = std::accumulate(heights.begin(), heights.end(), heading + rows * label + options.gap * (rows + 1));

  Image sheet(width, height, options.background);
  if (heading > 0) {
    draw_text(sheet, width / 2, options.gap + static_cast<int>(0.2f * heading_size),
              shorten_text(options.title, heading_size, width - 2 * options.gap),
              {.size = heading_size, .align = TextAlign::centre});
  }
  int y = heading + options.gap;
  for (int row = 0; row < rows; ++row) {
    int x = options.gap;
    for (int column = 0; column < columns && row * columns + column < count; ++column) {
      const Tile& tile = tiles[row * columns + column];
      paste(sheet, tile.image, x + (widths[column] - tile.image.width) / 2, y + (heights[row] - tile.image.height) / 2);
      draw_text(sheet, x + widths[column] / 2, y + heights[row] + static_cast<int>(0.25f * size),
                shorten_text(tile.title, size, widths[column]), {.size = size, .align = TextAlign::centre});
      x += widths[column] + options.gap;
    }
    y += heights[row] + label + options.gap;
  }
  return sheet;
}

void draw_color_bar(Image& image, ColorMap map, double low, double high, const std::string& caption) {
  const float size = size_of_labels(image.width);
  const int margin = static_cast<int>(size), thickness = std::max(6, static_cast<int>(0.6f * size));
  const int length = std::min(image.width - 2 * margin, std::max(90, image.width / 4));
  const int line = static_cast<int>(std::ceil(1.15f * size));
  const int x = margin, y = image.height - margin - line - thickness;
  if (length < 2 || y < line) return;
  for (int i = 0; i < length; ++i) {
    fill_rectangle(image, x + i, y, 1, thickness, to_pixel(map_color(map, i / (length - 1.0))));
  }
  const int below = y + thickness + 2;
  draw_text(image, x, below, number_text(low, 3), {.size = size});
  draw_text(image, x + length, below, number_text(high, 3), {.size = size, .align = TextAlign::right});
  draw_text(image, x, y - line, shorten_text(caption, size, image.width - 2 * margin), {.size = size});
}

void draw_color_keys(Image& image, const std::vector<std::pair<Color, std::string>>& keys, const std::string& caption) {
  const float size = size_of_labels(image.width);
  const int margin = static_cast<int>(size), line = static_cast<int>(std::ceil(1.2f * size));
  const int swatch = static_cast<int>(0.8f * size);
  const int room = (image.height - 2 * margin) / line - 1;
  if (room < 1) return;
  const bool all = static_cast<int>(keys.size()) <= room;
  const int shown = all ? static_cast<int>(keys.size()) : room - 1;
  int y = image.height - margin - (shown + (all ? 1 : 2)) * line;
  const int text_room = image.width / 3;
  draw_text(image, margin, y, shorten_text(caption, size, image.width - 2 * margin), {.size = size});
  for (int i = 0; i < shown; ++i) {
    y += line;
    fill_rectangle(image, margin, y + (line - swatch) / 2, swatch, swatch, to_pixel(keys[i].first));
    draw_text(image, margin + swatch + swatch / 2, y, shorten_text(keys[i].second, size, text_room), {.size = size});
  }
  if (!all) {
    draw_text(image, margin, y + line, "and " + std::to_string(keys.size() - shown) + " more", {.size = size});
  }
}

}  // namespace sinew
