// A bar that bends in the middle: the character whose figures can be worked out on paper.
#pragma once

#include "sinew/character.h"

namespace sinew::test {

// A square prism along x from 0 to `length` with `rings` rings of four vertices (half thickness 0.1), open at its ends
// unless `capped`; joints "root" at x = 0 and "bend" at x = length / 2. Weights of "bend": a ramp of width `ramp`
// around the middle (0: a step; the ring in the middle belongs to the root).
Character bar(int rings = 21, double ramp = 0.5, bool capped = false, double length = 2.0);

// Turns "bend" by `degrees` about z.
Pose bent(const Skeleton& skeleton, double degrees);

}  // namespace sinew::test
