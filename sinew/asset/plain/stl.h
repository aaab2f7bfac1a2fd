// STL, text and binary. Use load_character (io.h) unless the format is known.
//
// STL lists loose triangles: corners at exactly the same place become one vertex. Every solid of a text file becomes a
// Part. Stored normals are ignored (they follow from the corners). Written as binary.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Character read_stl(std::span<const std::byte> bytes, const LoadOptions& options = {});
std::string write_stl(const Character& character);

}  // namespace sinew
