// Which way a body stands.
#pragma once

#include "sinew/eigen_types.h"

namespace sinew {

// Unit vectors, at right angles. +x left, +y up, +z forward where nothing tells.
struct BodyFrame {
  Vec3d left = Vec3d::UnitX(), up = Vec3d::UnitY(), forward = Vec3d::UnitZ();
};

}  // namespace sinew
