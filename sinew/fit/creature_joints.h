// Where a generated skeleton has joints: along every path of a taken-apart curve skeleton.
//
// Every place of a path collects votes: limbs vote for a joint of the body where they leave it, bends and necks (places
// thinner than those around them) for a joint where they are, and anatomy for one at the shares of a limb's length where
// artists put elbows, knees and ankles. How many joints a path has follows from its length. The places with the most
// votes win, and each suppresses its neighbourhood.
//
// Shares and densities were chosen on creatures that artists rigged (docs/notes/creatures.md).
#pragma once

#include <vector>

#include "sinew/fit/curve_paths.h"

namespace sinew {

struct CreatureJoints {
  // Per path: lengths from its first node, growing. Empty for a path that is too short or too stout to move by itself.
  std::vector<std::vector<double>> along;
  int root = 0;          // index into along[0]: the joint of the spine that is nearest to the core
  int tail_joints = 0;   // so many of along[0], from its beginning, are the tail's
  int trunk_joints = 0;  // so many after them the trunk's; the rest are neck and head

  int count() const;
};

struct JointChoice {
  double density = 1.0;     // joints over what artists use
  bool small_parts = true;  // whether what is short or branches off limbs has joints
  int most = 0;             // joints altogether; the least prominent limbs go first; 0: no limit
};

CreatureJoints place_creature_joints(const CurveSkeleton& curve, const CurvePaths& paths, const JointChoice& choice);

}  // namespace sinew
