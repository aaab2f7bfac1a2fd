// The shortest rotation that turns one direction into another.
#pragma once

#include "sinew/base/eigen_types.h"

namespace sinew {

// Takes `from` to the direction of `to`; lengths do not matter. Opposite directions turn half way round about an axis
// that depends on `from` alone; a zero vector turns nothing. Replaces Eigen's FromTwoVectors, which brings a singular
// value decomposition (ten seconds of compiling) into every file that calls it.
Quatd rotation_between(const Vec3d& from, const Vec3d& to);

}  // namespace sinew
