// Wavefront OBJ: meshes with texture coordinates, normals and vertex colours. Use load_character (io.h) unless the
// format is known.
//
// Reading: every run of faces under one object or group name and one material becomes a Part. A vertex is split only
// where its texture coordinate or normal differs, or where two parts share it; a file with one part and no splits keeps
// its vertex order. Polygons are cut into triangles (polygon.h). Curves, lines and points are ignored with a warning;
// materials and pictures come from .mtl files beside it (mtl.h) when LoadOptions::resolve finds them.
// Writing: positions, texture coordinates and normals that are equal are written once, so seams stay closed; a .mtl
// file and pictures beside it when the character has any.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sinew/asset/output.h"
#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Character read_obj(std::span<const std::byte> bytes, const LoadOptions& options = {});
std::string write_obj(const Character& character, const SaveOptions& options, Output& output);

}  // namespace sinew
