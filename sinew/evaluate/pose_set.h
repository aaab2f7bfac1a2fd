// The poses over which deformation is measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/rig/motion.h"

namespace sinew {

struct PoseSet {
  std::string name;  // "motions", "limits", "normal"
  std::vector<Pose> poses;
  std::vector<std::string> labels;  // one per pose, for a person: "Walk, frame 12", "random 3"
};

// Frames of the motions, at most `frames_per_motion` of each, spread evenly from the first frame to the last.
// Motions that never leave one pose count as one frame.
PoseSet motion_poses(const std::vector<Motion>& motions, int frames_per_motion);

// Random poses within the joints' limits.
PoseSet limit_poses(const Skeleton& skeleton, int count, std::uint64_t seed);

// Random poses that know no limits: every joint turned about a random axis by a normal angle with this standard
// deviation.
PoseSet normal_poses(const Skeleton& skeleton, int count, double degrees, std::uint64_t seed);

}  // namespace sinew
