// Whole files in and out, safely: a size limit on reading, all-or-nothing on writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/error.h"

namespace sinew {

std::string_view as_text(std::span<const std::byte> bytes);

// Throws Error(bad_input) when the file is missing, a folder, unreadable or larger than `max_bytes`.
std::vector<std::byte> read_file_bytes(const std::filesystem::path& path,
                                       std::uint64_t max_bytes = std::uint64_t{4} << 30);

// What `parse` makes of the bytes of a file. Parsers know nothing of files: their errors get the file's name here.
template <typename Parse>
auto parse_file(const std::filesystem::path& path, Parse parse, std::uint64_t max_bytes = std::uint64_t{4} << 30) {
  const std::vector<std::byte> bytes = read_file_bytes(path, max_bytes);
  try {
    return parse(std::span<const std::byte>(bytes));
  } catch (const Error& error) {
    throw error.within("reading '" + path.string() + "'");
  }
}

// Writes the pieces one after the other to a new file beside `path`, then renames it: `path` is complete or untouched.
// Throws Error(failed) when the folder does not exist or the disk is full.
void write_file_bytes(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces);
void write_file_bytes(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_file_text(const std::filesystem::path& path, std::string_view text);

}  // namespace sinew
