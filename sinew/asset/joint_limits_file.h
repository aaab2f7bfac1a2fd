// Joint limits as JSON that people edit:
//
//   {"LeftForeArm": {"flexion": [-5, 140], "twist": [-80, 80]}, "Jaw": {"flexion": [0, 25]}}
//
// Degrees away from the rest pose about the joint's anatomical axes (anatomy/joint_limits.h); low ≤ 0 ≤ high.
// Joints and angles that are not named keep their default range.
#pragma once

#include <string>
#include <string_view>

#include "sinew/anatomy/joint_limits.h"

namespace sinew {

// Throws Error(bad_input) for text that does not look like this or names a joint that the skeleton lacks.
JointLimits parse_joint_limits(std::string_view text, const Skeleton& skeleton);

// Every joint that can turn, with all three ranges: a text to start from.
std::string write_joint_limits(const JointLimits& limits, const Skeleton& skeleton);

}  // namespace sinew
