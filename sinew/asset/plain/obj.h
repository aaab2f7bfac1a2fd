// Wavefront OBJ: meshes with texture coordinates, normals and vertex colours. Use load_character (io.h) unless the
// format is known.
//
// Reading: every run of faces under one object or group name and one material becomes a Part. A vertex is split only
// where its texture coordinate or normal differs, or where two parts share it; a file with one part and no splits keeps
// its vertex order. Polygons are cut into triangles (polygon.h). Curves, lines and points are ignored with a warning;
// the .mtl file is not opened, material names are kept.
// Writing: positions, texture coordinates and normals that are equal are written once, so seams stay closed.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Character read_obj(std::span<const std::byte> bytes, const LoadOptions& options = {});
std::string write_obj(const Character& character);

}  // namespace sinew
