// Takes animated PNGs apart again: chunks, checksums, numbering, and what every frame shows.
#include "sinew/draw/animated_png.h"

#include <gtest/gtest.h>

#include <string>

#include "sinew/base/crc32.h"
#include "sinew/error.h"

namespace sinew {
namespace {

using Bytes = std::vector<std::byte>;

struct Chunk {
  std::string name;
  Bytes content;
};

std::uint32_t number_at(const Bytes& bytes, std::size_t at, int size = 4) {
  std::uint32_t value = 0;
  for (int i = 0; i < size; ++i) value = value << 8 | static_cast<std::uint32_t>(bytes.at(at + i));
  return value;
}

void put_number(Bytes& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(value >> shift));
}

// Fails where a length or a checksum is wrong.
std::vector<Chunk> chunks_of(const Bytes& bytes) {
  std::vector<Chunk> chunks;
  std::size_t at = 8;
  while (at < bytes.size()) {
    const std::uint32_t size = number_at(bytes, at);
    EXPECT_LE(at + 12 + size, bytes.size());
    if (at + 12 + size > bytes.size()) break;
    Chunk chunk;
    for (int i = 4; i < 8; ++i) chunk.name += static_cast<char>(bytes[at + i]);
    chunk.content.assign(bytes.begin() + at + 8, bytes.begin() + at + 8 + size);
    EXPECT_EQ(number_at(bytes, at + 8 + size), crc32(std::span(bytes).subspan(at + 4, size + 4))) << chunk.name;
    chunks.push_back(std::move(chunk));
    at += 12 + size;
  }
  return chunks;
}

void put_chunk(Bytes& bytes, const Chunk& chunk) {
  put_number(bytes, static_cast<std::uint32_t>(chunk.content.size()));
  const std::size_t begin = bytes.size();
  for (char letter : chunk.name) bytes.push_back(static_cast<std::byte>(letter));
  bytes.insert(bytes.end(), chunk.content.begin(), chunk.content.end());
  put_number(bytes, crc32(std::span(bytes).subspan(begin)));
}

// What a viewer shows, frame by frame. The colour that means "as before" is black and transparent in the file; here it
// becomes this one, so that an ordinary PNG reader tells where it is.
constexpr Pixel see_through{255, 0, 254};

std::vector<Image> play(const Bytes& file) {
  const std::vector<Chunk> chunks = chunks_of(file);
  Chunk header, colors;
  std::vector<Image> shown;
  std::uint32_t sequence = 0;
  Chunk control;
  for (const Chunk& chunk : chunks) {
    if (chunk.name == "IHDR") header = chunk;
    if (chunk.name == "PLTE") colors = chunk;
    if (chunk.name == "fcTL" || chunk.name == "fdAT") {
      EXPECT_EQ(number_at(chunk.content, 0), sequence++);
    }
    if (chunk.name == "fcTL") control = chunk;
    if (chunk.name != "IDAT" && chunk.name != "fdAT") continue;
    Chunk part_header = header;
    std::copy_n(control.content.begin() + 4, 8, part_header.content.begin());
    for (int c = 0; c < 3; ++c) colors.content[c] = static_cast<std::byte>(see_through[c]);
    Bytes still(file.begin(), file.begin() + 8);
    put_chunk(still, part_header);
    put_chunk(still, colors);
    put_chunk(still, {"IDAT", Bytes(chunk.content.begin() + (chunk.name == "fdAT" ? 4 : 0), chunk.content.end())});
    put_chunk(still, {"IEND", {}});
    const Image part = decode_image(still);
    Image now = shown.empty() ? Image(number_at(header.content, 0), number_at(header.content, 4)) : shown.back();
    const int left = number_at(control.content, 12), top = number_at(control.content, 16);
    const bool over = control.content.at(25) == std::byte{1};
    for (int y = 0; y < part.height; ++y) {
      for (int x = 0; x < part.width; ++x) {
        if (part.at(x, y) == see_through) {
          EXPECT_TRUE(over && !shown.empty());
        } else {
          now.at(left + x, top + y) = part.at(x, y);
        }
      }
    }
    shown.push_back(std::move(now));
  }
  return shown;
}

// A red square that walks over a grey floor; few enough colours to come back exactly.
std::vector<AnimationFrame> walking_square(int count) {
  std::vector<AnimationFrame> frames;
  for (int i = 0; i < count; ++i) {
    Image image(40, 24, {230, 230, 230});
    fill_rectangle(image, 0, 18, 40, 6, {180, 180, 185});
    fill_rectangle(image, 3 * i, 8, 9, 10, {200, 30, 20});
    frames.push_back({std::move(image), 0.05});
  }
  return frames;
}

TEST(AnimatedPng, EveryFrameComesBack) {
  const std::vector<AnimationFrame> frames = walking_square(8);
  const std::vector<Image> shown = play(encode_animated_png(frames));
  ASSERT_EQ(shown.size(), frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(shown[i].pixels, frames[i].image.pixels) << "frame " << i;
}

TEST(AnimatedPng, ChunksAreInOrderAndSayHowItPlays) {
  std::vector<AnimationFrame> frames = walking_square(3);
  frames[0].seconds = 1.5;
  const std::vector<Chunk> chunks = chunks_of(encode_animated_png(frames, {.plays = 2}));
  std::string order;
  for (const Chunk& chunk : chunks) order += chunk.name + " ";
  EXPECT_EQ(order, "IHDR acTL PLTE tRNS fcTL IDAT fcTL fdAT fcTL fdAT IEND ");
  EXPECT_EQ(number_at(chunks[1].content, 0), 3u);
  EXPECT_EQ(number_at(chunks[1].content, 4), 2u);
  EXPECT_EQ(number_at(chunks[4].content, 20, 2), 1500u);
  EXPECT_EQ(number_at(chunks[4].content, 22, 2), 1000u);
  EXPECT_EQ(number_at(chunks[6].content, 20, 2), 50u);
}

TEST(AnimatedPng, AnOrdinaryReaderSeesTheFirstFrame) {
  const std::vector<AnimationFrame> frames = walking_square(4);
  EXPECT_EQ(decode_image(encode_animated_png(frames)).pixels, frames.front().image.pixels);
}

TEST(AnimatedPng, StoresOnlyWhatChanges) {
  std::vector<AnimationFrame> frames = walking_square(2);
  frames.push_back(frames.back());  // nothing moves
  const std::vector<Chunk> chunks = chunks_of(encode_animated_png(frames));
  const Bytes& moved = chunks[6].content;
  EXPECT_EQ(number_at(moved, 4), 12u);  // from the old left edge to the new right edge
  EXPECT_EQ(number_at(moved, 8), 10u);
  EXPECT_EQ(number_at(moved, 16), 8u);
  const Bytes& still = chunks[8].content;
  EXPECT_EQ(number_at(still, 4), 1u);
  EXPECT_EQ(number_at(still, 8), 1u);
  EXPECT_EQ(play(encode_animated_png(frames)).back().pixels, frames.back().image.pixels);
}

TEST(AnimatedPng, ManyColoursAreRoundedTheSameEveryTime) {
  std::vector<AnimationFrame> frames;
  for (int i = 0; i < 3; ++i) {
    Image image(64, 64);
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x) {
        image.at(x, y) = {static_cast<std::uint8_t>(4 * x), static_cast<std::uint8_t>(4 * y),
                          static_cast<std::uint8_t>(40 * i)};
      }
    }
    frames.push_back({std::move(image), 0.1});
  }
  const Bytes file = encode_animated_png(frames);
  EXPECT_EQ(file, encode_animated_png(frames));
  const std::vector<Image> shown = play(file);
  ASSERT_EQ(shown.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    double error = 0;
    for (std::size_t p = 0; p < shown[i].pixels.size(); ++p) {
      for (int c = 0; c < 3; ++c) error += std::abs(shown[i].pixels[p][c] - frames[i].image.pixels[p][c]);
    }
    EXPECT_LT(error / static_cast<double>(3 * shown[i].pixels.size()), 8.0) << "frame " << i;
  }
}

TEST(AnimatedPng, RefusesWhatCannotBeShown) {
  EXPECT_THROW(encode_animated_png({}), Error);
  EXPECT_THROW(encode_animated_png(walking_square(2), {.plays = -1}), Error);
  std::vector<AnimationFrame> sizes = walking_square(2);
  sizes[1].image = Image(3, 3);
  EXPECT_THROW(encode_animated_png(sizes), Error);
  for (double seconds : {0.0, -1.0, 66.0}) {
    std::vector<AnimationFrame> times = walking_square(2);
    times[1].seconds = seconds;
    EXPECT_THROW(encode_animated_png(times), Error) << seconds;
  }
}

}  // namespace
}  // namespace sinew
