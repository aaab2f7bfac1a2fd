// One answer for every format to what is wrong in a mesh (docs/bad-input.md). Called by load_character after reading.
//
// Refused: a position that is not finite or larger than 1e15, an index out of range, a file with neither mesh nor
// skeleton. Repaired with a warning: normals, tangents, texture coordinates or colours that are not finite; normals and
// tangents that are not of unit length. Kept with a warning: zero-area triangles, vertices of no triangle. The number
// and the order of vertices and triangles never change.
#pragma once

#include "sinew/character.h"

namespace sinew {

void clean_up(Character& character);

}  // namespace sinew
