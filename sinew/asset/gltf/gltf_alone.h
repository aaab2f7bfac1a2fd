// What a character's glTF file holds that other formats cannot, for one warning that names it all.
#pragma once

#include <string>

#include "sinew/character.h"

namespace sinew {

// "1 camera, 2 lights, VRM", or "" when there is nothing or the character does not come from glTF.
std::string gltf_alone(const Character& character);

}  // namespace sinew
