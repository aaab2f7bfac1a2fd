// Whole files in and out, safely: a size limit on reading, all-or-nothing on writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace sinew {

// Throws Error(bad_input) when the file is missing, a folder, unreadable or larger than `max_bytes`.
std::vector<std::byte> read_file_bytes(const std::filesystem::path& path,
                                       std::uint64_t max_bytes = std::uint64_t{4} << 30);

// Writes the pieces one after the other to a new file beside `path`, then renames it: `path` is complete or untouched.
// Throws Error(failed) when the folder does not exist or the disk is full.
void write_file_bytes(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces);
void write_file_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file_text(const std::filesystem::path& path, std::string_view text);

}  // namespace sinew
