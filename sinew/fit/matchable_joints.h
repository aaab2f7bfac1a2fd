// Which joints of a skeleton take part in matching it with a curve, and how they hang together there. Internal.
#pragma once

#include <vector>

#include "sinew/skeleton.h"

namespace sinew {

struct MatchableJoints {
  std::vector<int> joints;   // of the skeleton; parents precede children
  std::vector<int> parents;  // per entry: index into `joints`, -1 for the first alone
  std::vector<std::vector<int>> children;
  std::vector<char> main_end;  // per entry: the last of a chain that is long enough to be a limb
  double size = 0;             // of the box around them
};

// Leaves out helpers, animators' controls and props by name, and what floats: ends far from everything. Feet that hang
// on a root (detached_feet.h) and roots of their own hang on the joint that is nearest. Joints of further, small trees
// do the same.
MatchableJoints matchable_joints(const Skeleton& skeleton);

// Per entry: the entry that is its mirror image across the plane, itself on the plane, -1 where there is none. Parents
// of mirror images are mirror images.
std::vector<int> mirrored_joints(const MatchableJoints& joints, const Skeleton& skeleton, const Vec3d& normal);

}  // namespace sinew
