// Where the weights of one skeleton's joints go in another skeleton.
#pragma once

#include <vector>

#include "sinew/skeleton.h"
#include "sinew/weight_transfer.h"
#include "sinew/weights/tools/welded_skin.h"

namespace sinew {

// Per joint of the source: a joint of the target. By name, by body part, else that of the joint above; -1 where nothing
// above has one.
struct JointTargets {
  std::vector<int> joint;
  JointTransfer report;  // of the joints that `used` says
};

// Throws Error(bad_input) when no joint that is used has a counterpart.
JointTargets joint_targets(const Skeleton& source, const Skeleton& target, const std::vector<char>& used);

// Per joint: whether a row names it.
std::vector<char> used_joints(const std::vector<WeightRow>& rows, int joint_count);

// The row in the target's joints, sum 1; empty when nothing is left.
WeightRow translated(const WeightRow& row, const JointTargets& targets);

void warn_about_replaced(const JointTransfer& joints, Warnings& warnings);

}  // namespace sinew
