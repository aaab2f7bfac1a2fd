// A Character as bytes and back, for handing it from one process of this program to another. Not a file format: the
// layout follows the machine and the version. Of `source` the looks of files that are not glTF (materials.h) come along, nothing else.
#pragma once

#include <string>
#include <string_view>

#include "sinew/character.h"

namespace sinew {

std::string character_to_bytes(const Character& character);

// Throws Error(failed) when the bytes end early.
Character character_from_bytes(std::string_view bytes);

}  // namespace sinew
