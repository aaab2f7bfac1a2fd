// Bones as segments: where the bone of each joint ends. Files tell joints, not bones, so tails are chosen.
//
// By the skeleton alone; binding, which also knows the surface, has its own choice of segments (weights/bones.h).
// For a joint with
//   an end marker among its children   the bone ends there, because the author said so;
//   one child                          at the child;
//   several children                   at the one that continues the bone: the child most in line with the parent's
//                                      bone if it is within 60°, otherwise the one that carries the longest chain. The
//                                      neck continues the chest, not a shoulder; the middle finger continues the hand.
//                                      Eyes, ears, jaws, twists, props and controls never continue a bone;
//   none                               straight on: along the local axis on which most joints of the skeleton hold
//                                      their child, or else in the parent's direction; 0.7 of the parent's bone long,
//                                      but between 2 % and 12 % of the skeleton's size.
// A child at the same place as its joint is looked through. Helpers and end markers have no bone.
#pragma once

#include <vector>

#include "sinew/rig/bone.h"
#include "sinew/skeleton.h"

namespace sinew {

enum class BoneFan {
  main_child,   // one bone per joint
  every_child,  // and one more to every other child: hips to both thighs, hand to every finger
};

// In order of joints; a joint's own bone comes before the rest of its fan. Bones have length unless all joints of the
// skeleton are in one place.
std::vector<Bone> bones_of(const Skeleton& skeleton, BoneFan fan = BoneFan::main_child);

}  // namespace sinew
