// Rotations out of directions and matrices. The decompositions behind them take ten seconds to compile, so they are
// compiled here once.
#pragma once

#include "sinew/eigen_types.h"

namespace sinew {

// Takes `from` to the direction of `to`; lengths do not matter. Opposite directions turn half way round about an axis
// that depends on `from` alone; a zero vector turns nothing. Used instead of Eigen's FromTwoVectors.
Quatd rotation_between(const Vec3d& from, const Vec3d& to);

// matrix = rotation * stretch, with the nearest rotation and a symmetric stretch. A matrix that mirrors does so in its
// stretch, along the axis it scales least. Allocates nothing.
struct RotationAndStretch {
  Mat3d rotation, stretch;
};
RotationAndStretch split_rotation(const Mat3d& matrix) noexcept;

}  // namespace sinew
