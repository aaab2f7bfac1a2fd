// Inverse kinematics of limbs of two bones: legs that reach for the ground, arms that reach for a handle.
#pragma once

#include "sinew/skeleton.h"

namespace sinew {

// Rotations that bring a two-bone limb to a target: `upper` and `lower` turn its present bones root→middle and
// middle→end, in character space. The middle joint bends towards `pole`. A target out of reach is approached as far as
// the limb goes.
struct TwoBoneAngles {
  Quatd upper, lower;
};
TwoBoneAngles reach_with_two_bones(const Vec3d& upper_bone, const Vec3d& lower_bone, const Vec3d& root_to_target,
                                   const Vec3d& pole);

// The three joints of a limb; others may stand between them (twist joints) and move along.
struct Limb {
  int root = -1, middle = -1, end = -1;
};

// Changes the rotations of `limb` in `pose` so that its end joint comes to `target` (character space) while its
// orientation in character space becomes `end_turn` times what it was. The knee or elbow stays in its plane; a straight
// limb bends towards `straight_pole`. Lengths never change: a target out of reach is approached.
void reach_with_limb(const Skeleton& skeleton, const Limb& limb, const Vec3d& target, const Quatd& end_turn,
                     const Vec3d& straight_pole, Pose& pose);

}  // namespace sinew
