// Trained numbers in a file: named arrays of floats and a text that says what they are.
//
// Format (.sinewfit): "SINEWNET", version (u32 = 1), text (u32 length, UTF-8 JSON), number of arrays (u32), then per
// array: name (u32 length, bytes), rank (u32 ≤ 4), sizes (u32 each), floats. Little endian throughout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct NetworkArray {
  std::vector<std::uint32_t> shape;  // product = number of values
  std::vector<float> values;         // last index fastest
};

struct NetworkFile {
  std::string description;  // JSON: how it was trained
  std::map<std::string, NetworkArray> arrays;

  // Throws Error(bad_input) naming the array when it is missing or of another shape.
  const NetworkArray& array(const std::string& name, const std::vector<std::uint32_t>& shape) const;
};

std::vector<std::byte> to_bytes(const NetworkFile& file);

// Throws Error(bad_input) for anything but a whole file: sizes are checked against the bytes that remain, and values
// that are not finite are refused.
NetworkFile parse_network_file(std::span<const std::byte> bytes);

void save_network_file(const NetworkFile& file, const std::filesystem::path& path);
NetworkFile load_network_file(const std::filesystem::path& path);

}  // namespace sinew
