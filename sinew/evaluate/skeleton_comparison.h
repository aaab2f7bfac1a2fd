// How far two skeletons are apart, whatever their joints are called and however many there are.
//
// Chamfer distances of RigNet (Xu et al. 2020, section 6.1): joints to joints, joints to bones, bones to bones.
// Joints that only group others (JointKind::helper) do not count; a bone is the segment from a joint to its parent.
// Definitions: docs/metrics.md, "Skeletons".
#pragma once

#include "sinew/evaluate/skin_pair.h"

namespace sinew {

// Distances in the characters' unit. Divide by `height` or `diagonal` to compare characters.
struct SkeletonComparison {
  int candidate_joints = 0;
  int truth_joints = 0;
  double j2j = 0;        // mean over the joints of each to the nearest joint of the other; the mean of both directions
  double j2b = 0;        // joints of each to the nearest point of the other's bones
  double b2b = 0;        // points along the bones of each (evenly by length) to the nearest point of the other's bones
  int named_joints = 0;  // joints with a match by name
  double named_distance = 0;  // mean distance between them; 0 when there is none
  double height = 0;          // extent along y of the truth's mesh at rest (of its joints, when it has no mesh)
  double diagonal = 0;        // of the bounding box of the same
};

// Throws Error(bad_input) when one of the two has no joint, or the truth has no extent.
SkeletonComparison compare_skeletons(const Character& candidate, const Character& truth);

}  // namespace sinew
