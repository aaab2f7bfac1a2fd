// Materials of Wavefront OBJ files: .mtl text and the pictures that it names.
//
//   newmtl skin      Kd, Ke, d or Tr, Ns; Pm and Pr where programs write them; map_Kd, map_Ke, norm, map_Bump (taken for
//                    a normal map, as modelling programs write it), map_d (the colour's own alpha is used)
// A colour that a picture covers counts as white, because most programs write 0.8 or 0 beside it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/materials.h"
#include "sinew/asset/output.h"
#include "sinew/io.h"

namespace sinew {

// The looks that the .mtl files `libraries` give to the parts of an OBJ file, by the names of their materials. Files are
// asked for by options.resolve alone; what is missing or unreadable is a warning of `character`.
void read_obj_materials(const std::vector<std::string>& libraries, const LoadOptions& options, Character& character);

// Adds "NAME.mtl" and the pictures to output.beside. Returns the name of the .mtl file, "" when no part has more than a name;
// `labels` receives the name of every part's material.
std::string write_obj_materials(const Character& character, const SaveOptions& options, Output& output,
                                std::vector<std::string>& labels);

}  // namespace sinew
