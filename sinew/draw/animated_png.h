// Moving pictures: animated PNG, which every browser plays and every other program shows the first frame of.
//
//   std::vector<AnimationFrame> frames;
//   for (…) frames.push_back({draw_character(…), 1.0 / 15});
//   write_file_bytes("walk.png", encode_animated_png(frames));
//
// The frames share a palette of 255 colours and one that means "as before", and after the first only the rectangle that
// changed is stored: a character that walks takes a third of what true colours would. (APNG 1.0, since 2025 part of the
// third edition of the PNG specification, section 11.3.6.)
#pragma once

#include "sinew/draw/image.h"

namespace sinew {

struct AnimationFrame {
  Image image;
  double seconds = 0.1;  // how long it is shown: 0.001 … 65
};

struct AnimationOptions {
  int plays = 0;  // how often the frames are shown from first to last; 0: for ever
};

// The same frames give the same bytes. Throws Error(usage) without frames, for frames of different sizes, and for
// times and plays out of range.
std::vector<std::byte> encode_animated_png(const std::vector<AnimationFrame>& frames,
                                           const AnimationOptions& options = {});

}  // namespace sinew
