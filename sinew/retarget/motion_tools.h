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

// Made to repeat: the end eases into the first pose, so that the last frame is the first one again, further along the way
// over the ground where the body has come along. `hips`: the joint that carries the body. `change`, if given: the mean
// turn of the joints between the first frame and the last of before, in radians.
Motion looped_motion(const Skeleton& skeleton, const Motion& motion, int hips, const Vec3d& up,
                     double* change = nullptr);

// The way over the ground and the heading moved from the hips to the first joint or node above them, on the floor under
// them; every other joint is where it was. Throws Error(bad_input) when nothing is above the hips.
Motion with_root_motion(const Skeleton& skeleton, const Motion& motion, int hips, const Vec3d& up);

// Some BVH files give every joint a position and mean by it how far it is from its place at rest, not where it is: read
// as places, all bones have no length. Whether a motion is of that kind, and the same motion with places.
bool bones_collapse(const Skeleton& skeleton, const Motion& motion);
Motion with_places(const Skeleton& skeleton, const Motion& motion);

}  // namespace sinew
