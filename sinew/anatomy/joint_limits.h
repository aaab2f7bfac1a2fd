// How far joints turn: default ranges by body part, poses drawn at random within them,
// and poses brought back into them.
//
// A joint's rotation away from the rest pose is split into a swing of its bone and a twist about it. The swing is a
// rotation vector with two components: flexion (knees backwards, elbows and hips forwards, spine and neck bowing,
// fingers into the palm) and abduction (sideways). The axes come from the skeleton: the bone's direction, which way the
// body faces and which side is left, the bend already in a knee or elbow, the plane of the palm. Ranges are anatomical,
// so a character in an A pose can raise its arms further than one in a T pose.
#pragma once

#include <vector>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/base/random.h"
#include "sinew/body_frame.h"
#include "sinew/skeleton.h"

namespace sinew {

// Estimated from the skeleton's left and right joints, feet and hips.
BodyFrame body_frame(const Skeleton& skeleton);
// The same for joints identified in another way than by their names.
BodyFrame body_frame(const Skeleton& skeleton, const std::vector<JointIdentity>& joints);

struct JointLimit {
  Mat3d axes = Mat3d::Identity();  // columns: flexion, abduction and twist axis in the joint's space; a rotation
  Vec3d low = Vec3d::Zero();       // radians about those axes, low ≤ 0 ≤ high: the rest pose is always allowed
  Vec3d high = Vec3d::Zero();
  bool carries_body = false;  // root and hips: turning them turns the whole character, which clamp_pose allows freely
};

using JointLimits = std::vector<JointLimit>;  // one per joint

// By joint role (joint_roles.h). Parts nobody knows by name get a cone of 25°; end markers, helpers, controls and props
// do not move.
JointLimits default_joint_limits(const Skeleton& skeleton);

// Every angle uniform within its range; joints keep their rest offsets and scales.
Pose random_pose(const Skeleton& skeleton, const JointLimits& limits, Random& random);

// The same poses without anatomy: every joint turned about a uniformly random axis by a normally distributed angle with
// this standard deviation. Roots, end markers and helpers stay.
Pose random_pose_normal(const Skeleton& skeleton, double degrees, Random& random);

// The nearest angles within the limits, joint by joint; translations and scales stay.
Pose clamp_pose(const Skeleton& skeleton, const Pose& pose, const JointLimits& limits);

// Flexion, abduction and twist of one joint's rotation relative to its rest, in radians, each within ±π.
Vec3d joint_angles(const Quatd& rest, const Quatd& posed, const JointLimit& limit);
// The rotation with these angles: the inverse of joint_angles.
Quatd joint_rotation(const Quatd& rest, const Vec3d& angles, const JointLimit& limit);

}  // namespace sinew
