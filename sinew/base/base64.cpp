#include "sinew/base/base64.h"

#include <cstdint>

namespace sinew {

std::string encode_base64(std::span<const std::span<const std::byte>> pieces) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::size_t size = 0;
  for (const std::span<const std::byte> piece : pieces) size += piece.size();
  std::string text;
  text.reserve(size / 3 * 4 + 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const std::span<const std::byte> piece : pieces) {
    for (const std::byte byte : piece) {
      bits = bits << 8 | std::to_integer<std::uint32_t>(byte);
      if (++count < 3) continue;
      for (int shift = 18; shift >= 0; shift -= 6) text += digits[bits >> shift & 63];
      bits = 0;
      count = 0;
    }
  }
  if (count == 1) {
    text += digits[bits >> 2 & 63];
    text += digits[bits << 4 & 63];
    text += "==";
  } else if (count == 2) {
    text += digits[bits >> 10 & 63];
    text += digits[bits >> 4 & 63];
    text += digits[bits << 2 & 63];
    text += '=';
  }
  return text;
}

}  // namespace sinew
