// Rest poses of clips: some files store a moment of the motion as the rest pose, which would twist whatever follows it.
#pragma once

#include "sinew/error.h"
#include "sinew/skeleton.h"

namespace sinew {

// When `clip` is plainly not at rest and most of its joints have a namesake in `target`, it gets the target's rest
// rotations; otherwise it stays as it is. A warning says which, and what to do.
Skeleton usable_rest_pose(const Skeleton& clip, const Skeleton& target, Warnings& warnings);

// `clip` with the rest rotations that joints of the same name have in `reference`; joints without a namesake keep
// theirs. Lengths stay.
Skeleton with_rest_rotations_of(const Skeleton& clip, const Skeleton& reference);

// Whether left and right differ so much at rest that it cannot be a bind pose: 0 mirror images, 1 as far apart as the
// legs are long.
double rest_asymmetry(const Skeleton& skeleton);

}  // namespace sinew
