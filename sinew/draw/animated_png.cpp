#include "sinew/draw/animated_png.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/crc32.h"
#include "sinew/base/plain_text.h"
#include "sinew/draw/palette.h"
#include "sinew/error.h"

namespace sinew {
namespace {

using Bytes = std::vector<std::byte>;
using Indices = std::vector<std::uint8_t>;  // one per pixel

constexpr std::uint8_t as_before = 0;  // the index of the transparent colour

struct Rectangle {
  int left = 0, top = 0, width = 1, height = 1;
};

void put_u8(Bytes& out, unsigned value) { out.push_back(static_cast<std::byte>(value)); }
void put_u16(Bytes& out, unsigned value) {
  put_u8(out, value >> 8 & 0xff);
  put_u8(out, value & 0xff);
}
void put_u32(Bytes& out, std::uint32_t value) {
  put_u16(out, value >> 16);
  put_u16(out, value & 0xffff);
}

// Length, name, content, checksum of name and content.
void put_chunk(Bytes& out, const char* name, const Bytes& content) {
  put_u32(out, static_cast<std::uint32_t>(content.size()));
  const std::size_t begin = out.size();
  for (int i = 0; i < 4; ++i) put_u8(out, static_cast<unsigned char>(name[i]));
  out.insert(out.end(), content.begin(), content.end());
  put_u32(out, crc32(std::span(out).subspan(begin)));
}

void check(const std::vector<AnimationFrame>& frames, const AnimationOptions& options) {
  if (frames.empty()) throw Error(ErrorCode::argument_invalid, "an animation needs at least one frame");
  if (options.plays < 0)
    throw Error(ErrorCode::option_out_of_range, "plays must be 0 (for ever) or more").about("plays");
  for (const AnimationFrame& frame : frames) {
    if (frame.image.width != frames.front().image.width || frame.image.height != frames.front().image.height) {
      throw Error(ErrorCode::argument_invalid, "the frames of an animation must have one size");
    }
    if (!(frame.seconds >= 0.001 && frame.seconds <= 65)) {
      throw Error(ErrorCode::option_out_of_range,
                  "a frame must be shown for 0.001 to 65 seconds, not " + number_text(frame.seconds));
    }
  }
}

// The smallest rectangle that holds every pixel in which two frames differ; one pixel when none does.
Rectangle changed(const Indices& before, const Indices& now, int width) {
  int left = width, right = -1, top = -1, bottom = -1;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (before[i] == now[i]) continue;
    const int x = static_cast<int>(i % width), y = static_cast<int>(i / width);
    left = std::min(left, x);
    right = std::max(right, x);
    if (top < 0) top = y;
    bottom = y;
  }
  if (right < 0) return {};
  return {left, top, right - left + 1, bottom - top + 1};
}

// The rectangle's rows, each behind a zero (no filter: neighbouring indices have nothing to do with each other),
// compressed. Pixels that stay are stored as such when `before` is given.
Bytes compressed_rows(const Indices& now, const Indices* before, int width, const Rectangle& part) {
  Bytes rows;
  rows.reserve(static_cast<std::size_t>(part.width + 1) * part.height);
  for (int y = part.top; y < part.top + part.height; ++y) {
    put_u8(rows, 0);
    for (int x = part.left; x < part.left + part.width; ++x) {
      const std::size_t i = static_cast<std::size_t>(y) * width + x;
      put_u8(rows, before && (*before)[i] == now[i] ? as_before : now[i]);
    }
  }
  return zlib_stream(rows);
}

Bytes frame_control(std::uint32_t sequence, const Rectangle& part, double seconds, bool over) {
  Bytes content;
  put_u32(content, sequence);
  put_u32(content, part.width);
  put_u32(content, part.height);
  put_u32(content, part.left);
  put_u32(content, part.top);
  put_u16(content, static_cast<unsigned>(std::lround(seconds * 1000)));
  put_u16(content, 1000);
  put_u8(content, 0);             // leave it when the next one comes
  put_u8(content, over ? 1 : 0);  // laid over what is there, or in its place
  return content;
}

void put_head(Bytes& out, const AnimationFrame& first, std::size_t frames, int plays,
              const std::vector<Pixel>& palette) {
  for (const unsigned value : {0x89, 'P' + 0, 'N' + 0, 'G' + 0, 0x0d, 0x0a, 0x1a, 0x0a}) put_u8(out, value);
  Bytes header;
  put_u32(header, first.image.width);
  put_u32(header, first.image.height);
  for (const unsigned value : {8, 3, 0, 0, 0}) put_u8(header, value);  // 8 bits, palette, the usual methods
  put_chunk(out, "IHDR", header);
  Bytes control;
  put_u32(control, static_cast<std::uint32_t>(frames));
  put_u32(control, plays);
  put_chunk(out, "acTL", control);
  Bytes colors(3, std::byte{0});  // of `as_before`
  for (const Pixel& pixel : palette) {
    for (const std::uint8_t channel : pixel) put_u8(colors, channel);
  }
  put_chunk(out, "PLTE", colors);
  put_chunk(out, "tRNS", {std::byte{0}});
}

}  // namespace

Bytes encode_animated_png(const std::vector<AnimationFrame>& frames, const AnimationOptions& options) {
  check(frames, options);
  std::vector<const Image*> images;
  for (const AnimationFrame& frame : frames) images.push_back(&frame.image);
  const std::vector<Pixel> palette = choose_palette(images, 255);
  PaletteMap map(palette);
  const int width = frames.front().image.width, height = frames.front().image.height;

  Bytes out;
  put_head(out, frames.front(), frames.size(), options.plays, palette);
  Indices before;
  std::uint32_t sequence = 0;
  for (const AnimationFrame& frame : frames) {
    Indices now = map.indices_of(frame.image);
    for (std::uint8_t& index : now) ++index;  // behind `as_before`
    const bool first = before.empty();
    const Rectangle part = first ? Rectangle{0, 0, width, height} : changed(before, now, width);
    Bytes rows = compressed_rows(now, nullptr, width, part);
    bool over = false;
    if (!first) {
      Bytes differences = compressed_rows(now, &before, width, part);
      over = differences.size() < rows.size();
      if (over) rows = std::move(differences);
    }
    put_chunk(out, "fcTL", frame_control(sequence++, part, frame.seconds, over));
    if (first) {
      put_chunk(out, "IDAT", rows);
    } else {
      Bytes content;
      put_u32(content, sequence++);
      content.insert(content.end(), rows.begin(), rows.end());
      put_chunk(out, "fdAT", content);
    }
    before = std::move(now);
  }
  put_chunk(out, "IEND", {});
  return out;
}

}  // namespace sinew
