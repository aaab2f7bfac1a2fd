// Where on a body a place lies, in coordinates that all bodies share: what the image network learns to see.
//
// Every vertex is carried, by its own weights, from its bones to those of one standard body in a T pose (height 1,
// body space): along the bone in proportion, around it turned with it. The same place of two bodies gets about the same
// coordinates, however they are built and posed.
#pragma once

#include <vector>

#include "sinew/learn/skeleton_graph.h"
#include "sinew/skin_weights.h"

namespace sinew {

// `positions` and `graph` in body space; `identities`, one per joint of the graph; `weights` number the graph's joints.
// Throws Error(bad_input) when a limb is missing.
std::vector<Vec3f> body_coordinates(const std::vector<Vec3f>& positions, const SkeletonGraph& graph,
                                    const std::vector<JointIdentity>& identities, const SkinWeights& weights);

}  // namespace sinew
