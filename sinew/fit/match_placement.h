// From the nodes that the joints of a skeleton were matched with to places for them. Internal to match_skeleton.cpp.
#pragma once

#include <limits>

#include "sinew/fit/curve_skeleton.h"
#include "sinew/fit/matchable_joints.h"

namespace sinew {

struct Alignment {
  Mat3d turn = Mat3d::Identity();
  double scale = 1;
  Vec3d shift = Vec3d::Zero();

  Vec3d operator()(const Vec3d& p) const { return scale * (turn * p) + shift; }
};

struct MatchedNodes {
  Alignment alignment;                                    // of the skeleton in the mesh
  std::vector<int> nodes;                                 // per matchable joint; -1: left out
  std::vector<double> costs;                              // per matchable joint
  double cost = std::numeric_limits<double>::infinity();  // mean
  std::vector<int> partner;  // per matchable joint: its mirror image; empty where skeleton and mesh are not symmetric
};

// How far a bone may differ from what it was: a share of its length in the mesh, and at least a share of the diagonal.
inline double slack_of_bone(double length, double diagonal) { return 0.35 * length + 0.015 * diagonal; }

// Per matchable joint: at its node, or within the thickness there where its bones ask for it. Joints without a node
// stand where the alignment puts them.
std::vector<Vec3d> relaxed_places(const CurveSkeleton& curve, const MatchableJoints& joints, const Skeleton& skeleton,
                                  const MatchedNodes& found);

// Where a joint without a node goes: beside the joint that was nearest to it among those with one, turned and scaled
// like it. `nodes`, `places`: per joint of the skeleton; places of those with a node are known.
Vec3d carried_place(const Skeleton& skeleton, int joint, const Alignment& alignment, const std::vector<int>& nodes,
                    const std::vector<Vec3d>& places);

// Share of the curve's length that lies along the bones between `places`, one per matchable joint.
double covered_share(const CurveSkeleton& curve, const MatchableJoints& joints, const std::vector<Vec3d>& places);

}  // namespace sinew
