// Joints that have room inside the mesh are brought inside.
#pragma once

#include <vector>

#include "sinew/skeleton.h"

namespace sinew {

class SolidDomain;

// First as far as the joint above them had to move, then behind the surface that is nearest, or else back towards the
// joint above them that is inside. Joints that do not `matter` stay where they are. `inside` receives for every joint
// whether it lies inside in the end.
void bring_inside(const SolidDomain& domain, const std::vector<char>& matters, Skeleton& skeleton,
                  std::vector<char>& inside);

}  // namespace sinew
