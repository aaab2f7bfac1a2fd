// Reads a file that is already in memory: every format but glTF, which may name other files beside it.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/asset/file_format.h"
#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

// Cleaned up and checked, as load_character gives it, but without names taken from the path.
// Throws Error(bad_input) when the bytes are not a valid file of this format, Error(usage) for glTF.
Character read_bytes(std::span<const std::byte> bytes, FileFormat format, const LoadOptions& options = {});

}  // namespace sinew
