// A character made ready to get weights from another one.
#pragma once

#include "sinew/character.h"

namespace sinew {

// A copy whose parts that take weights are skinned, with empty weights where it had none, and with the source's skeleton
// and motions where it had no skeleton. `slots`: influences of its weights, at least.
Character prepared_target(const Character& target, const Character& source, int slots);

}  // namespace sinew
