// Characters that lie in their file are stood up, with the skeleton that was found for them.
#pragma once

#include "sinew/fit.h"

namespace sinew {

// Whether the format of the character's file says that y is up.
bool up_is_known(const Character& character);

// What Sinew writes has y up: a body that was found to stand along another axis is turned, with its skeleton, and a
// warning of `fit` tells so. Nothing happens where up_is_known().
void turn_upright(Character& character, FitResult& fit);

}  // namespace sinew
