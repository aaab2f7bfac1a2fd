// CRC-32 as PNG, zip and Ethernet compute it: notices damage, does not keep out anyone who wants to cause it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sinew {

namespace detail {

constexpr std::array<std::uint32_t, 256> make_crc32_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0xedb88320u : 0u);
    table[i] = value;
  }
  return table;
}

}  // namespace detail

inline std::uint32_t crc32(std::span<const std::byte> bytes) {
  static constexpr std::array<std::uint32_t, 256> table = detail::make_crc32_table();
  std::uint32_t crc = ~0u;
  for (const std::byte byte : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<std::uint32_t>(byte)) & 0xff];
  return ~crc;
}

}  // namespace sinew
