// Which part of a character's mesh a skeleton is fitted into.
#pragma once

#include "sinew/character.h"

namespace sinew {

// The mesh without the parts that are children of one joint: weapons say nothing about the body.
TriangleMesh mesh_to_fit(const Character& character);

}  // namespace sinew
