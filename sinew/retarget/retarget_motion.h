// One motion of one skeleton on another whose joints are mapped already; sinew/retarget.h is the whole way.
#pragma once

#include "sinew/anatomy/joint_map.h"
#include "sinew/motion.h"
#include "sinew/retarget.h"
#include "sinew/retarget/body_volume.h"
#include "sinew/retarget/clip_rest_pose.h"

namespace sinew {

// How thick both bodies are, where their skins tell.
struct GirthPair {
  BodyGirths source, target;
};

// `motion` belongs to the skeleton of `source`; `map` links the joints of `target` to it. Joints of the target that are linked to
// nothing keep their place in the rest pose. Of the options only contacts, in_place, loop, root_motion and scale count. Throws
// Error(bad_input) when things do not fit together.
Motion retarget_motion(const ClipRest& source, const Motion& motion, const Skeleton& target, const JointMap& map,
                       const RetargetOptions& options, RetargetReport& report, const Progress& progress = {},
                       const GirthPair& girths = {});

}  // namespace sinew
