// Transforms of joints as C sees them: the very memory of a Motion or a Pose.
#pragma once

#include <span>
#include <vector>

#include "sinew/character.h"
#include "sinew/character_c.h"
#include "sinew/skeleton.h"

namespace sinew::binding {

// Borrowed; NULL for none.
const sinew_joint_transform* for_c(const std::vector<Transform>& transforms);

// Throws Error(bad_input) for numbers that are not finite and rotations of length zero; other rotations get length one.
std::vector<Transform> transforms_of(std::span<const sinew_joint_transform> transforms);

// Throws Error(usage) when a pose of the caller has not as many joints as the skeleton.
void require_joints(const Character& character, std::size_t joint_count);

void give_pose(const Pose& pose, sinew_joint_transform* to);

}  // namespace sinew::binding
