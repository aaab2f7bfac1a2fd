// Playing the motion of one skeleton on another.
//
// Rotations carry over relative to the rest poses, in character space, so that joint axes do not matter; up axis and
// facing direction are turned into each other. Where the rest poses differ (T pose against A pose) the bones of the
// limbs are aligned first. The hips' path is scaled by the ratio of leg lengths. Feet that stand in the source stand in
// the result: each contact gets one place on the ground, and the leg reaches it by inverse kinematics, the hips sinking
// where it would be too short.
#pragma once

#include "sinew/anatomy/foot_contacts.h"
#include "sinew/anatomy/joint_map.h"
#include "sinew/error.h"

namespace sinew {

struct RetargetOptions {
  bool keep_contacts = true;
  bool in_place = false;  // leave out the path over the ground
  double scale = 0;       // of the hips' path; 0: by the lengths of the legs
  ContactOptions contacts{};
};

struct RetargetReport {
  int linked_joints = 0;
  double scale = 1;        // of the hips' path
  int contacts = 0;        // of feet and toes
  double worst_slide = 0;  // of the result over all contacts, divided by the target's height (contact_slide)
  double mean_slide = 0;
  double worst_slide_before = 0;  // the same without inverse kinematics
  Warnings warnings;
};

// `motion` belongs to `source`; `map` links the joints of `target` to it. Joints of the target that are linked to
// nothing keep their place in the rest pose. Throws Error(bad_input) when things do not fit together.
Motion retarget_motion(const Skeleton& source, const Motion& motion, const Skeleton& target, const JointMap& map,
                       const RetargetOptions& options, RetargetReport& report);

}  // namespace sinew
