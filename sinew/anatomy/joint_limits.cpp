#include "sinew/anatomy/joint_limits.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/error.h"

namespace sinew {
namespace {

void check_sizes(const Skeleton& skeleton, std::size_t limits, std::size_t pose) {
  if (limits != skeleton.names.size() || pose != skeleton.names.size()) {
    throw Error(ErrorCode::settings_invalid, "joint limits for " + std::to_string(limits) + " joints and a pose of " +
                                                 std::to_string(pose) + " do not fit a skeleton of " +
                                                 std::to_string(skeleton.names.size()));
  }
}

Quatd from_rotation_vector(const Vec3d& vector) {
  const double angle = vector.norm();
  return angle > 0 ? Quatd(Eigen::AngleAxisd(angle, vector / angle)) : Quatd::Identity();
}

Vec3d to_rotation_vector(Quatd q) {
  if (q.w() < 0) q.coeffs() *= -1;
  const double sine = q.vec().norm();
  return sine > 0 ? Vec3d(2.0 * std::atan2(sine, q.w()) / sine * q.vec()) : Vec3d::Zero();
}

Vec3d random_direction(Random& random) {
  for (;;) {
    const double z = random.normal(), y = random.normal(), x = random.normal();
    const Vec3d direction(x, y, z);
    if (direction.norm() > 1e-6) return direction.normalized();
  }
}

}  // namespace

Vec3d joint_angles(const Quatd& rest, const Quatd& posed, const JointLimit& limit) {
  Quatd turn = rest.conjugate() * posed;
  if (turn.w() < 0) turn.coeffs() *= -1;
  const Vec3d bone = limit.axes.col(2);
  const double along = turn.vec().dot(bone);
  // A half turn of swing leaves the twist open; zero is as good as any.
  const double twist = turn.w() == 0 && along == 0 ? 0.0 : 2.0 * std::atan2(along, turn.w());
  const Vec3d swing = to_rotation_vector(turn * Quatd(Eigen::AngleAxisd(-twist, bone)));
  return {swing.dot(limit.axes.col(0)), swing.dot(limit.axes.col(1)), twist};
}

Quatd joint_rotation(const Quatd& rest, const Vec3d& angles, const JointLimit& limit) {
  const Vec3d swing = limit.axes.col(0) * angles.x() + limit.axes.col(1) * angles.y();
  const Quatd twist(Eigen::AngleAxisd(angles.z(), Vec3d(limit.axes.col(2))));
  return (rest * from_rotation_vector(swing) * twist).normalized();
}

Pose random_pose(const Skeleton& skeleton, const JointLimits& limits, Random& random) {
  Pose pose = rest_pose(skeleton);
  check_sizes(skeleton, limits.size(), pose.size());
  for (std::size_t joint = 0; joint < pose.size(); ++joint) {
    const JointLimit& limit = limits[joint];
    // Drawn for every joint, so that a locked one does not change what the others get.
    Vec3d angles;
    for (int axis = 0; axis < 3; ++axis) angles[axis] = random.uniform();
    angles = limit.low + angles.cwiseProduct(limit.high - limit.low);
    if (angles != Vec3d::Zero()) pose[joint].rotation = joint_rotation(pose[joint].rotation, angles, limit);
  }
  return pose;
}

Pose random_pose_normal(const Skeleton& skeleton, double degrees, Random& random) {
  Pose pose = rest_pose(skeleton);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const Vec3d axis = random_direction(random);
    const double angle = random.normal() * degrees * M_PI / 180.0;
    if (skeleton.parents[joint] < 0 || skeleton.kinds[joint] != JointKind::joint) continue;
    pose[joint].rotation = (pose[joint].rotation * Quatd(Eigen::AngleAxisd(angle, axis))).normalized();
  }
  return pose;
}

Pose clamp_pose(const Skeleton& skeleton, const Pose& pose, const JointLimits& limits) {
  check_sizes(skeleton, limits.size(), pose.size());
  const Pose rest = rest_pose(skeleton);
  Pose clamped = pose;
  for (std::size_t joint = 0; joint < pose.size(); ++joint) {
    const JointLimit& limit = limits[joint];
    if (limit.carries_body) continue;
    const Vec3d angles = joint_angles(rest[joint].rotation, pose[joint].rotation, limit);
    const Vec3d allowed = angles.cwiseMax(limit.low).cwiseMin(limit.high);
    if (allowed != angles) clamped[joint].rotation = joint_rotation(rest[joint].rotation, allowed, limit);
  }
  return clamped;
}

}  // namespace sinew
