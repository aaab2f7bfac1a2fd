// A bone: the segment of space that a joint moves. Skeletons hold joints, not bones, so somebody has to say where each
// one ends: anatomy/bones.h from the skeleton alone, weights/bones.h with the surface around it.
#pragma once

#include <algorithm>

#include "sinew/eigen_types.h"

namespace sinew {

struct Bone {
  int joint = 0;
  Vec3d head = Vec3d::Zero();  // the joint's position
  Vec3d tail = Vec3d::Zero();  // equals head for a joint that moves a single point

  double length() const { return (tail - head).norm(); }
  Vec3d direction() const { return (tail - head).normalized(); }
};

struct PointOnBone {
  Vec3d position;   // between head and tail
  double distance;  // from the point asked for
  double along;     // where that point lies beside the bone: 0 at the head, 1 at the tail, beyond them outside 0 … 1
};

inline PointOnBone closest_point_on_bone(const Bone& bone, const Vec3d& point) {
  const Vec3d axis = bone.tail - bone.head;
  const double length_squared = axis.squaredNorm();
  const double along = length_squared > 0 ? (point - bone.head).dot(axis) / length_squared : 0.0;
  const Vec3d closest = bone.head + std::clamp(along, 0.0, 1.0) * axis;
  return {closest, (point - closest).norm(), along};
}

}  // namespace sinew
