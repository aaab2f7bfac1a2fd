// Which way a body stands, and which of its joints are each other's mirror image.
#pragma once

#include <vector>

#include "sinew/eigen_types.h"
#include "sinew/export.h"
#include "sinew/skeleton.h"

namespace sinew {

// Unit vectors, at right angles. +x left, +y up, +z forward where nothing tells.
struct BodyFrame {
  Vec3d left = Vec3d::UnitX(), up = Vec3d::UnitY(), forward = Vec3d::UnitZ();
};

// Every joint's mirror image, and the plane between left and right: for painting or mirroring both sides.
struct JointMirror {
  std::vector<int> joints;        // itself in the middle, -1 when a joint of one side has no counterpart
  Vec3d normal = Vec3d::UnitX();  // unit length, towards the body's left
  double offset = 0;              // points p of the plane have p · normal = offset
};

// Joints pair up by name ("LeftPocket", "RightPocket"), then by body part and place along it, and where names tell no
// side by position across the plane. With several candidates the one nearest to the mirrored position counts.
SINEW_API JointMirror mirror_joints(const Skeleton& skeleton);

}  // namespace sinew
