// A skeleton as the networks see it: joints with a place and a parent, without names.
//
// Only joints of the body take part: no end markers, helpers, controls, props or roots on the floor.
#pragma once

#include <vector>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/learn/dense_layers.h"
#include "sinew/skeleton.h"

namespace sinew {

struct SkeletonGraph {
  std::vector<int> joints;       // in the skeleton they come from
  std::vector<int> parents;      // among these; -1 for a root; a parent precedes its children
  std::vector<Vec3d> positions;  // in body space, or in the skeleton's own (see below)

  int count() const { return static_cast<int>(parents.size()); }
};

SkeletonGraph body_graph(const Skeleton& skeleton, const std::vector<JointIdentity>& joints);
// Of these joints only, whatever they are.
SkeletonGraph graph_of(const Skeleton& skeleton, const std::vector<char>& take_part);

// Moves and scales the graph so that it stands as a body does in body space: lowest joint at 0.04, highest at 0.92, the
// middle at x = z = 0. `axes`: rows left, up, forward of the skeleton.
void stand_in_body_space(SkeletonGraph& graph, const Mat3d& axes);

inline constexpr int joint_inputs = 9;  // columns of graph_inputs
inline constexpr int hop_kinds = 11;    // values of hop_kind

// What the network is told of each joint: place, offset from the parent, whether it is a leaf, joints below it, depth.
NetMatrix graph_inputs(const SkeletonGraph& graph);

// How joint b is related to a, for every pair: 0 itself, 1 … 4 the a's ancestor so many steps up (4: or more), 5 … 8
// descendant, 9 sibling, 10 anything else. Row-major.
std::vector<std::uint8_t> hop_relations(const SkeletonGraph& graph);

// The other of a left and right pair, by place in a graph that stands in body space; a joint in the middle is its own,
// and one without a counterpart has -1.
std::vector<int> mirror_partners(const SkeletonGraph& graph);

}  // namespace sinew
