// The checksum at the head of .sinewc files and at the end of every training shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace sinew {

// FNV-1a over 32-bit words, 64 bits wide; finds torn and flipped bytes, not forgery. The span's length must be a
// multiple of 4.
inline std::uint64_t hash_words(std::span<const std::byte> bytes, std::uint64_t seed = 0xcbf29ce484222325ull) noexcept {
  std::uint64_t hash = seed;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint32_t word;
    std::memcpy(&word, bytes.data() + i, 4);
    hash = (hash ^ word) * 0x100000001b3ull;
  }
  return hash;
}

}  // namespace sinew
