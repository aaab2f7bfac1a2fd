// What people do to a motion before and after it is retargeted: a piece of it, faster, the other way round.
#pragma once

#include "sinew/motion.h"

namespace sinew {

// The frames from `begin` to `end` seconds, both included; an end of zero or past the motion is its end. Throws
// Error(usage) when nothing is left.
Motion trimmed_motion(const Motion& motion, double begin, double end);

// Played `speed` times as fast, at the same frame rate.
Motion sped_up_motion(const Motion& motion, double speed);

// Left and right exchanged, across the plane between the two sides of the skeleton at rest. Joints without a counterpart
// mirror themselves.
Motion mirrored_motion(const Skeleton& skeleton, const Motion& motion);

// Some BVH files give every joint a position and mean by it how far it is from its place at rest, not where it is: read
// as places, all bones have no length. Whether a motion is of that kind, and the same motion with places.
bool bones_collapse(const Skeleton& skeleton, const Motion& motion);
Motion with_places(const Skeleton& skeleton, const Motion& motion);

}  // namespace sinew
