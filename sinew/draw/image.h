// An 8-bit sRGB picture, and PNG files of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "sinew/draw/color.h"

namespace sinew {

using Pixel = std::array<std::uint8_t, 3>;  // sRGB

struct Image {
  int width = 0, height = 0;
  std::vector<Pixel> pixels;  // row by row, top left first

  Image() = default;
  // Throws Error(usage) unless both sides are 1…32768 and the picture is at most 2^28 pixels.
  Image(int width, int height, Pixel fill = {255, 255, 255});

  Pixel& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * width + x]; }
  const Pixel& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * width + x]; }
};

Pixel to_pixel(const Color& color);

// Blends `color` over a pixel with this coverage (0…1), in sRGB as screens and type designers expect. Points outside
// the image are ignored.
void blend(Image& image, int x, int y, const Pixel& color, float coverage);

// A filled rectangle; clipped to the image.
void fill_rectangle(Image& image, int x, int y, int width, int height, const Pixel& color);

// Copies `source` into `target` with its top left corner at (x, y); clipped.
void paste(Image& target, const Image& source, int x, int y);

// PNG with three channels. The same image gives the same bytes.
std::vector<std::byte> encode_png(const Image& image);
// A zlib stream of these bytes, as chunks of PNG files hold it.
std::vector<std::byte> zlib_stream(std::span<const std::byte> bytes);
// Reads PNG and JPEG; alpha is laid over white. Throws Error(bad_input).
Image decode_image(std::span<const std::byte> bytes);

// The file appears complete or not at all. Throws Error(failed) when it cannot be written.
void write_png(const Image& image, const std::filesystem::path& path);

}  // namespace sinew
