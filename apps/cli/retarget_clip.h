// What `retarget` and `rig` share: making a clip's skeleton usable as the source of a motion.
#pragma once

#include "sinew/base/error.h"
#include "sinew/rig/retarget.h"

namespace sinew::cli {

// Clips without a mesh may store a moment of the motion as their rest pose. When `clip` is plainly not at rest and most
// of its joints have a namesake in `target`, it gets the target's rest rotations; otherwise a warning says what to do.
Skeleton usable_rest_pose(const Skeleton& clip, const Skeleton& target, Warnings& warnings);

}  // namespace sinew::cli
