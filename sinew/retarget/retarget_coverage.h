// How much of a character a motion moves, and whether that is enough to be called the same motion.
#pragma once

#include <string>
#include <vector>

#include "sinew/anatomy/joint_map.h"
#include "sinew/retarget.h"

namespace sinew {

// Every part of the target's body once: hips, spine, neck, head and limbs by side, also those that follow nothing.
std::vector<RetargetPart> body_parts(const JointMap& map, const Skeleton& source, const Skeleton& target);

// Share of those parts that follow something; of a body whose parts nobody knows, of its joints.
double mapped_share(const JointMap& map, const Skeleton& source, const Skeleton& target);

// Throws Error(bad_input) when an automatic map says that the motion is not for this body: less than half of it would
// move, or one of the two goes on four legs and the other on two. The message names what maps and what does not.
void require_coverage(const JointMap& map, const Skeleton& source, const Skeleton& target);

}  // namespace sinew
