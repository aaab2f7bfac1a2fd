// Object File Format: OFF with the variants N (normals), C (colours) and ST (texture coordinates). Use load_character
// (io.h) unless the format is known.
//
// Comments, polygons and colours of faces (ignored) are understood; the 4-dimensional and binary variants are refused.
// Written as OFF, NOFF, COFF or CNOFF, as the mesh has normals and colours.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Character read_off(std::span<const std::byte> bytes, const LoadOptions& options = {});
std::string write_off(const Character& character);

}  // namespace sinew
