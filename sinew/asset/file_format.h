// Which format bytes are in, by what they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sinew/character.h"

namespace sinew {

std::optional<FileFormat> format_of_content(std::span<const std::byte> bytes);

// Whether the bytes are a binary STL: exactly 80 bytes, a count, and 50 bytes per triangle (a little more is allowed).
// True also for files whose header begins with "solid", the mark of text STL.
bool is_binary_stl(std::span<const std::byte> bytes);

}  // namespace sinew
