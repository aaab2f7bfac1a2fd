// Joint limits as a JSON file that people edit:
//
//   {"LeftForeArm": {"flexion": [-5, 140], "twist": [-80, 80]}, "Jaw": {"flexion": [0, 25]}}
//
// Degrees away from the rest pose about the joint's anatomical axes (anatomy/joint_limits.h); low ≤ 0 ≤ high.
// Joints and angles that are not named keep their default range.
#pragma once

#include <filesystem>
#include <string_view>

#include "sinew/anatomy/joint_limits.h"

namespace sinew {

// Throws Error(bad_input) for text that does not look like this or names a joint that the skeleton lacks.
JointLimits parse_joint_limits(std::string_view text, const Skeleton& skeleton);
JointLimits read_joint_limits(const std::filesystem::path& path, const Skeleton& skeleton);

// Every joint that can turn, with all three ranges: a file to start from.
// Throws Error(failed) when it cannot be written.
void write_joint_limits(const std::filesystem::path& path, const Skeleton& skeleton, const JointLimits& limits);

}  // namespace sinew
