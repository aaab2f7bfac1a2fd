#include "sinew/draw/image.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>

#include "sinew/base/file_bytes.h"
#include "sinew/error.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_FAILURE_STRINGS  // one text of them is written into by every thread
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace sinew {

Image::Image(int width_, int height_, Pixel fill) : width(width_), height(height_) {
  constexpr int longest_side = 32768;
  constexpr std::int64_t most_pixels = std::int64_t{1} << 28;
  if (width < 1 || height < 1 || width > longest_side || height > longest_side ||
      std::int64_t{width} * height > most_pixels) {
    throw Error(ErrorCode::option_out_of_range,
                "a picture of " + std::to_string(width) + "x" + std::to_string(height) + " pixels cannot be made",
                "sides go from 1 to 32768 pixels, 268 million pixels in all");
  }
  pixels.assign(static_cast<std::size_t>(width) * height, fill);
}

Pixel to_pixel(const Color& color) { return {srgb_byte(color[0]), srgb_byte(color[1]), srgb_byte(color[2])}; }

void blend(Image& image, int x, int y, const Pixel& color, float coverage) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  Pixel& pixel = image.at(x, y);
  for (int c = 0; c < 3; ++c) {
    pixel[c] =
        static_cast<std::uint8_t>(std::lround(pixel[c] + (color[c] - pixel[c]) * std::clamp(coverage, 0.f, 1.f)));
  }
}

void fill_rectangle(Image& image, int x, int y, int width, int height, const Pixel& color) {
  const int left = std::max(x, 0), right = std::min(x + width, image.width);
  for (int row = std::max(y, 0); row < std::min(y + height, image.height); ++row) {
    for (int column = left; column < right; ++column) image.at(column, row) = color;
  }
}

void paste(Image& target, const Image& source, int x, int y) {
  const int left = std::max(0, -x), right = std::min(source.width, target.width - x);
  if (left >= right) return;
  for (int row = std::max(0, -y); row < std::min(source.height, target.height - y); ++row) {
    std::copy_n(&source.at(left, row), right - left, &target.at(x + left, y + row));
  }
}

std::vector<std::byte> encode_png(const Image& image) {
  std::vector<std::byte> bytes;
  const auto append = [](void* context, void* data, int size) {
    auto& out = *static_cast<std::vector<std::byte>*>(context);
    const auto* begin = static_cast<const std::byte*>(data);
    out.insert(out.end(), begin, begin + size);
  };
  if (image.pixels.empty() ||
      !stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.pixels.data(), image.width * 3)) {
    throw Error(ErrorCode::internal, "the picture could not be encoded");
  }
  return bytes;
}

std::vector<std::byte> zlib_stream(std::span<const std::byte> bytes) {
  constexpr int effort = 64;  // matches looked at per place
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Error(ErrorCode::output_too_large, "the picture is too large to be compressed");
  }
  int size = 0;
  // stb only reads what it is given, although its type does not say so.
  auto* const data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
  const std::unique_ptr<unsigned char, decltype(&std::free)> stream(
      stbi_zlib_compress(data, static_cast<int>(bytes.size()), &size, effort), &std::free);
  if (!stream) throw Error(ErrorCode::internal, "the picture could not be compressed");
  const auto* begin = reinterpret_cast<const std::byte*>(stream.get());
  return {begin, begin + size};
}

Image decode_image(std::span<const std::byte> bytes) {
  int width = 0, height = 0, channels = 0;
  const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), std::numeric_limits<int>::max()));
  const std::unique_ptr<stbi_uc, decltype(&std::free)> data(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), size, &width, &height, &channels, 4),
      &std::free);
  if (!data) throw Error(ErrorCode::file_damaged, "not a readable PNG or JPEG");
  Image image(width, height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    for (int c = 0; c < 3; ++c) {
      const int alpha = data.get()[4 * i + 3];
      image.pixels[i][c] = static_cast<std::uint8_t>((data.get()[4 * i + c] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
  }
  return image;
}

void write_png(const Image& image, const std::filesystem::path& path) { write_file_bytes(path, encode_png(image)); }

}  // namespace sinew
