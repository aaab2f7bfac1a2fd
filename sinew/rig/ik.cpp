#include "sinew/rig/ik.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/rotation.h"

namespace sinew {
namespace {

// Joint space → character space of one joint of a pose.
Affine3d global_of(const Skeleton& skeleton, const Pose& pose, int joint) {
  Affine3d result = pose[joint].matrix();
  for (int up = skeleton.parents[joint]; up >= 0; up = skeleton.parents[up]) result = pose[up].matrix() * result;
  return result;
}

Quatd rotation_of(const Skeleton& skeleton, const Pose& pose, int joint) {
  Quatd result = Quatd::Identity();
  for (int up = joint; up >= 0; up = skeleton.parents[up]) result = pose[up].rotation * result;
  return result.normalized();
}

// Turns a joint in character space, its children with it.
void turn(const Skeleton& skeleton, int joint, const Quatd& rotation, Pose& pose) {
  const int parent = skeleton.parents[joint];
  const Quatd above = parent >= 0 ? rotation_of(skeleton, pose, parent) : Quatd::Identity();
  pose[joint].rotation = (above.conjugate() * rotation * above * pose[joint].rotation).normalized();
}

}  // namespace

TwoBoneAngles reach_with_two_bones(const Vec3d& upper_bone, const Vec3d& lower_bone, const Vec3d& root_to_target,
                                   const Vec3d& pole) {
  const double a = upper_bone.norm(), b = lower_bone.norm();
  const double distance = std::clamp(root_to_target.norm(), std::abs(a - b) + 1e-6, (a + b) * (1 - 1e-9));
  const Vec3d direction = root_to_target.normalized();
  const Vec3d side = (pole - direction * direction.dot(pole)).normalized();
  // Law of cosines at the root.
  const double cosine = std::clamp((a * a + distance * distance - b * b) / (2 * a * distance), -1.0, 1.0);
  const Vec3d middle = a * (cosine * direction + std::sqrt(1 - cosine * cosine) * side);
  return {rotation_between(upper_bone, middle), rotation_between(lower_bone, distance * direction - middle)};
}

void reach_with_limb(const Skeleton& skeleton, const Limb& limb, const Vec3d& target, const Quatd& end_turn,
                     const Vec3d& straight_pole, Pose& pose) {
  const Vec3d root = global_of(skeleton, pose, limb.root).translation();
  const Vec3d middle = global_of(skeleton, pose, limb.middle).translation();
  const Vec3d end = global_of(skeleton, pose, limb.end).translation();
  const Vec3d upper = middle - root, lower = end - middle, reach = target - root;
  if (upper.norm() <= 0 || lower.norm() <= 0 || reach.norm() <= 0) return;

  // Where the middle stands off the line from root to end; nearly straight limbs bend towards the given pole.
  const Vec3d line = (end - root).normalized();
  const Vec3d offset = upper - line * line.dot(upper);
  const double bend = std::clamp((offset.norm() / upper.norm() - 0.01) / 0.05, 0.0, 1.0);
  Vec3d pole = (1 - bend) * straight_pole;
  if (offset.norm() > 0) pole += bend * offset.normalized();
  const Vec3d direction = reach.normalized();
  if ((pole - direction * direction.dot(pole)).norm() < 1e-9) pole = direction.unitOrthogonal();

  const Quatd end_before = rotation_of(skeleton, pose, limb.end);
  const TwoBoneAngles angles = reach_with_two_bones(upper, lower, reach, pole);
  turn(skeleton, limb.root, angles.upper, pose);
  // The lower bone already turned with the upper one.
  turn(skeleton, limb.middle, angles.lower * angles.upper.conjugate(), pose);
  const Quatd end_now = rotation_of(skeleton, pose, limb.end);
  turn(skeleton, limb.end, end_turn * end_before * end_now.conjugate(), pose);
}

}  // namespace sinew
