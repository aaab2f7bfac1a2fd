// Labels on pictures: anti-aliased Latin-1 text in a built-in font.
//
// Text is UTF-8; characters the font lacks, and bytes that are not UTF-8, show as an empty box.
#pragma once

#include <string>
#include <string_view>

#include "sinew/draw/image.h"

namespace sinew {

enum class TextAlign { left, centre, right };

struct TextStyle {
  float size = 15;  // height of a line in pixels, ascenders to descenders
  Pixel color{40, 42, 46};
  TextAlign align = TextAlign::left;
};

// Writes one line whose top is `y` and whose left end, middle or right end is `x`. Clipped to the image.
void draw_text(Image& image, int x, int y, std::string_view text, const TextStyle& style = {});

// Width of a line in pixels.
int text_width(std::string_view text, float size);

// The text, or its beginning and an ellipsis, so that it is no wider than `width` pixels.
std::string shorten_text(std::string_view text, float size, int width);

// The text with every byte that is not UTF-8 replaced by "?": for files that others read.
std::string valid_utf8(std::string_view text);

}  // namespace sinew
