// PLY: meshes, point clouds and Gaussian splats. Use load_character (io.h) unless the format is known.
//
// Reads text and both binary byte orders, any order and type of properties, polygons and triangle strips. Everything a
// file holds is kept (ply_document.h) and written back, in the same encoding: only what changed in the Character
// changes. Understood: x y z, nx ny nz, s t | u v | texture_u texture_v, red green blue alpha, and for Gaussian splats
// f_dc_0…2 and opacity, which give the vertices a colour.
//
// A skin is written into the same file: vertex properties joint_0 … joint_(n-1) (ushort) and weight_0 … weight_(n-1)
// (float), and one header line per joint:
//   comment sinew_joint INDEX PARENT KIND m00 m01 m02 m03 m10 … m23 NAME
// with PARENT -1 for a root, KIND joint, end or helper, and the rest transform row by row.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Character read_ply(std::span<const std::byte> bytes, const LoadOptions& options = {});
// `warnings` receives what was lost.
std::string write_ply(const Character& character, const SaveOptions& options, Warnings& warnings);

}  // namespace sinew
