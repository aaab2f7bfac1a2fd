#include "sinew/weights/tools/joint_targets.h"

#include <cmath>

#include "sinew/anatomy/joint_map.h"
#include "sinew/error.h"

namespace sinew {

std::vector<char> used_joints(const std::vector<WeightRow>& rows, int joint_count) {
  std::vector<char> used(joint_count, 0);
  for (const WeightRow& row : rows) {
    for (const Influence& influence : row) used[influence.joint] = 1;
  }
  return used;
}

JointTargets joint_targets(const Skeleton& source, const Skeleton& target, const std::vector<char>& used) {
  JointTargets targets;
  targets.joint = match_joints(source, target).truth_of;
  std::vector<char> named(targets.joint.size(), 0), taken(target.joint_count(), 0);
  for (std::size_t j = 0; j < named.size(); ++j) {
    named[j] = targets.joint[j] >= 0;
    if (named[j]) taken[targets.joint[j]] = 1;
  }
  const JointMap map = map_joints(source, target);
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    const JointLink& link = map.links[joint];
    if (link.source < 0 || link.reason == MapReason::none || taken[joint] || targets.joint[link.source] >= 0) continue;
    targets.joint[link.source] = joint;
    taken[joint] = 1;
  }
  bool any = false;
  for (int joint = 0; joint < source.joint_count(); ++joint) {  // parents come first
    const bool direct = targets.joint[joint] >= 0;
    if (!direct && source.parents[joint] >= 0) targets.joint[joint] = targets.joint[source.parents[joint]];
    if (!used[joint]) continue;
    any = any || direct;
    targets.report.by_name += direct && named[joint];
    targets.report.by_role += direct && !named[joint];
    if (!direct) targets.report.replaced.push_back(source.names[joint]);
  }
  if (!any) {
    throw Error(ErrorCode::skeletons_differ, "no joint with weights has a counterpart in the target's skeleton",
                "use a target with the same skeleton, or without one");
  }
  return targets;
}

WeightRow translated(const WeightRow& row, const JointTargets& targets) {
  WeightRow result;
  for (const Influence& influence : row) {
    const int joint = targets.joint[influence.joint];
    if (joint >= 0) add_row(result, {{static_cast<std::uint16_t>(joint), influence.weight}}, 1.0);
  }
  const double sum = row_sum(result);
  if (sum > 0 && std::abs(sum - 1) > 1e-6) scale_row(result, 1.0 / sum);  // floats that sum to 1 keep their bits
  return result;
}

void warn_about_replaced(const JointTransfer& joints, Warnings& warnings) {
  if (joints.replaced.empty()) return;
  warnings.push_back({"joints-replaced", std::to_string(joints.replaced.size()) +
                                             " joints of the source are not in the target's skeleton ('" +
                                             joints.replaced.front() +
                                             "' is the first): their weights went to the joint above"});
}

}  // namespace sinew
