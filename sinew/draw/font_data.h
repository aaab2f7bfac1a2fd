// The font that labels are written in, as a TrueType file in memory. Use text.h.
#pragma once

#include <array>
#include <cstdint>

namespace sinew {

extern const std::array<std::uint64_t, 2075> font_words;

}  // namespace sinew
