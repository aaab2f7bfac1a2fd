// Which place of a mesh's curve skeleton belongs to which joint of a given skeleton: any creature, names or none.
//
// A pictorial structure (Felzenszwalb and Huttenlocher, "Pictorial Structures for Object Recognition", 2005) over the
// curve: every joint chooses a node; what its bone would be in the mesh should be as long and point where it did, the
// way along the curve should not be longer than the bone, chains should reach the tips of limbs, and every joint should
// be about where it was in the body. Dynamic programming over the skeleton's tree finds the best choice of all joints
// together. Size and place of the skeleton follow from the best choice and are found in turn with it; quarter turns are
// tried where the skeleton does not match as it stands. Two chains that end in one limb are told apart. Where skeleton and mesh are symmetric only one half is
// chosen and the other half is its reflection.
//
// Joints that are no part of the body (animators' controls, what floats beside it) and short ends that the mesh does
// not show (eyes, jaws) take no node and are carried along by what they hang on.
#pragma once

#include "sinew/fit/curve_skeleton.h"
#include "sinew/skeleton.h"

namespace sinew {

struct MatchOptions {
  bool turns = true;  // also try skeletons that face or stand another way
};

struct SkeletonMatch {
  std::vector<Vec3d> places;       // per joint, in the mesh's space
  std::vector<int> nodes;          // per joint: the curve node; -1: carried along
  std::vector<double> misfits;     // per joint that has a node: 0 fits well, 1 barely; 1 for the others
  Mat3d turn = Mat3d::Identity();  // from the skeleton's axes to the mesh's
  double scale = 1;                // of the skeleton in the mesh
  double misfit = 0;               // mean over the joints with nodes; below 0.5 is a good match
  double covered = 0;              // share of the curve's length that lies along the skeleton, 0 … 1
};

// The skeleton must have at least two joints in different places, the curve at least two nodes: throws
// Error(bad_input) otherwise.
SkeletonMatch match_skeleton(const CurveSkeleton& curve, const Skeleton& skeleton, const MatchOptions& options = {});

}  // namespace sinew
