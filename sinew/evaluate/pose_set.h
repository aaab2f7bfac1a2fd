// The poses over which deformation is measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/motion.h"

namespace sinew {

struct PoseSet {
  std::string name;  // "motions", "limits", "normal"
  std::vector<Pose> poses;
  std::vector<std::string> labels;  // one per pose, for a person: "Walk at 1.25 s", "random pose 3"
};

// `poses_per_motion` poses of each motion, evenly in time from its beginning to its end, so that every motion counts
// the same. Empty when no pose deforms anything: some files hold one motion that is the bind pose.
PoseSet motion_poses(const Skeleton& skeleton, const std::vector<Motion>& motions, int poses_per_motion);

// Random poses within the joints' limits; without any, the default ones.
PoseSet limit_poses(const Skeleton& skeleton, int count, std::uint64_t seed, const JointLimits& limits = {});

// Random poses that know no anatomy: every joint turned about a random axis by a normal angle with this standard
// deviation. Fairer to skeletons that are not human,
// and the poses in which other tools were measured (docs/metrics.md).
PoseSet normal_poses(const Skeleton& skeleton, int count, double degrees, std::uint64_t seed);

}  // namespace sinew
