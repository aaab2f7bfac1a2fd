#include "sinew/draw/text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/draw/font_data.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wshadow"
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

namespace sinew {
namespace {

struct Font {
  std::vector<unsigned char> bytes;
  stbtt_fontinfo info{};
  int ascent = 0, descent = 0;

  Font() {
    bytes.reserve(8 * font_words.size());
    for (std::uint64_t word : font_words) {
      for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<unsigned char>(word >> shift));
    }
    stbtt_InitFont(&info, bytes.data(), 0);
    int line_gap = 0;
    stbtt_GetFontVMetrics(&info, &ascent, &descent, &line_gap);
  }
};

const Font& font() {
  static const Font loaded;
  return loaded;
}

constexpr int not_a_character = 0xFFFD;

// The next character of UTF-8 text, which is taken off it. A byte that does not belong counts as one wrong character.
int take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (length == 0 || length > text.size()) {
    text.remove_prefix(1);
    return not_a_character;
  }
  int code = length == 1 ? lead : lead & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      text.remove_prefix(1);
      return not_a_character;
    }
    code = code << 6 | (byte(i) & 0x3F);
  }
  text.remove_prefix(length);
  return code < 0x20 ? ' ' : code;
}

double advance_of(int glyph) {
  int advance = 0, bearing = 0;
  stbtt_GetGlyphHMetrics(&font().info, glyph, &advance, &bearing);
  return advance;
}

double exact_width(std::string_view text, float size) {
  const double scale = stbtt_ScaleForPixelHeight(&font().info, size);
  double width = 0;
  while (!text.empty()) width += scale * advance_of(stbtt_FindGlyphIndex(&font().info, take_character(text)));
  return width;
}

}  // namespace

int text_width(std::string_view text, float size) { return static_cast<int>(std::ceil(exact_width(text, size))); }

void draw_text(Image& image, int x, int y, std::string_view text, const TextStyle& style) {
  const float scale = stbtt_ScaleForPixelHeight(&font().info, style.size);
  const int baseline = y + static_cast<int>(std::lround(scale * static_cast<float>(font().ascent)));
  double pen = x;
  if (style.align == TextAlign::centre) pen -= exact_width(text, style.size) / 2;
  if (style.align == TextAlign::right) pen -= exact_width(text, style.size);
  while (!text.empty()) {
    const int glyph = stbtt_FindGlyphIndex(&font().info, take_character(text));
    const double whole = std::floor(pen);
    int width = 0, height = 0, left = 0, top = 0;
    unsigned char* coverage = stbtt_GetGlyphBitmapSubpixel(&font().info, scale, scale, static_cast<float>(pen - whole),
                                                           0, glyph, &width, &height, &left, &top);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        blend(image, static_cast<int>(whole) + left + column, baseline + top + row, style.color,
              coverage[row * width + column] / 255.0f);
      }
    }
    if (coverage) stbtt_FreeBitmap(coverage, nullptr);
    pen += scale * advance_of(glyph);
  }
}

std::string shorten_text(std::string_view text, float size, int width) {
  if (text_width(text, size) <= width) return std::string(text);
  std::string shortened;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view before = rest;
    take_character(rest);
    const std::string longer(text.substr(0, text.size() - rest.size()));
    if (text_width(longer + "…", size) > width) {
      shortened = std::string(text.substr(0, text.size() - before.size()));
      break;
    }
  }
  return shortened + "…";
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const std::string_view before = text;
    const int character = take_character(text);
    valid += character == not_a_character ? "?" : std::string(before.substr(0, before.size() - text.size()));
  }
  return valid;
}

}  // namespace sinew
