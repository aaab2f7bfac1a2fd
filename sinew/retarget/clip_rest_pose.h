// Rest poses of clips: some files store a moment of the motion as the rest pose, or none at all (all joints in a row,
// or lying), which would twist whatever follows it. What stands upright, straight and alike on both sides in the motion
// replaces it.
#pragma once

#include <vector>

#include "sinew/error.h"
#include "sinew/motion.h"
#include "sinew/retarget.h"
#include "sinew/skeleton.h"

namespace sinew {

// The skeleton of a clip in a rest pose that serves.
struct ClipRest {
  Skeleton skeleton;
  bool from_motion = false;  // a frame of the motion: it faces anywhere and stands as people do, not as riggers do
};

// As `options` say. By itself: the clip's own rest pose when it can be one; that of `target` when it has most of the
// clip's joint names; otherwise the best frame of the motions. A warning says what was done when it was not the first.
// Throws Error(usage) when a frame is asked for that the motions do not have.
ClipRest clip_rest_pose(const Skeleton& clip, const std::vector<Motion>& motions, const Skeleton& target,
                        const RetargetOptions& options, Warnings& warnings);

// `clip` with the rest rotations that joints of the same name have in `reference`; joints without a namesake keep
// theirs. Lengths stay.
Skeleton with_rest_rotations_of(const Skeleton& clip, const Skeleton& reference);

// Whether left and right differ so much at rest that it cannot be a bind pose: 0 mirror images, 1 as far apart as the
// legs are long.
double rest_asymmetry(const Skeleton& skeleton);

// How far the pose of a person is from standing with straight legs, both sides alike. Below 1 it serves as a rest pose:
// a step of a walk does, because limbs are aligned one by one. Arms may be anywhere. Infinite when the skeleton shows no legs and trunk.
double standing_error(const Skeleton& skeleton);

}  // namespace sinew
