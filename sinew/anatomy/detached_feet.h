// Feet that do not hang on their legs, and legs that do not hang on the hips.
//
// Many game rigs keep the feet (of animals: the paws) at the root, where an animator's IK moves them; the leg ends at
// the shin. Fitting and retargeting need whole legs: here such feet are attached to the leg they belong to, without
// moving anything, and what was computed is brought back into the rig's own hierarchy.
#pragma once

#include "sinew/motion.h"

namespace sinew {

struct AttachedFeet {
  Skeleton skeleton;          // the same joints at the same places, feet below their legs; order may differ
  std::vector<int> original;  // per joint of `skeleton`: its index in the given one
  std::vector<int> index_of;  // per joint of the given skeleton: its index in `skeleton`
  bool changed = false;       // false: the skeleton is the given one
};

AttachedFeet attach_detached_feet(const Skeleton& skeleton);

// The same for everything: legs beside the hips, below a root that stays on the floor, are hung on the hips, arms and
// heads on the chest, and whatever else hangs on nothing that moves on the joint that is nearest. What moves the hips
// then moves the body. Where joints know no hips only feet are attached.
AttachedFeet gather_body(const Skeleton& skeleton);

// A motion of one hierarchy for another of the same joints: every joint is where it was, in every frame. `from_of`:
// per joint of `to`, its index in `from`.
Motion reparent_motion(const Motion& motion, const Skeleton& from, const Skeleton& to, const std::vector<int>& from_of);

}  // namespace sinew
