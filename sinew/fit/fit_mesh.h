// Which part of a character's mesh a skeleton is fitted into.
#pragma once

#include <string>
#include <vector>

#include "sinew/character.h"

namespace sinew {

// The mesh without the parts that are children of one joint (weapons say nothing about the body), and without those that
// a person wants ignored: by name or material, or "#N" for a piece. Throws Error(usage) for parts that do not exist, or
// when nothing is left.
TriangleMesh mesh_to_fit(const Character& character, const std::vector<std::string>& ignore = {});

}  // namespace sinew
