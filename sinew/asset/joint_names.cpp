#include "sinew/asset/joint_names.h"

#include "sinew/asset/plain/text_scanner.h"

namespace sinew {

bool names_bone_end(std::string_view name) {
  // Exporters append numbers to make names unique: "Head_end_061".
  const std::size_t last = name.find_last_not_of("0123456789._ ");
  if (last != std::string_view::npos) name = name.substr(0, last + 1);
  for (const std::string_view end :
       {"_end", ".end", " end", "nub", "_leaf", "end site", "endsite", "_end_l", "_end_r"}) {
    if (name.size() > end.size() && equal_ignoring_case(name.substr(name.size() - end.size()), end)) return true;
  }
  return false;
}

void mark_end_joints(Skeleton& skeleton, const SkinWeights& weights) {
  std::vector<bool> keeps(skeleton.names.size(), false);
  for (const int parent : skeleton.parents) {
    if (parent >= 0) keeps[parent] = true;
  }
  for (std::size_t slot = 0; slot < weights.weights.size(); ++slot) {
    if (weights.weights[slot] > 0) keeps[weights.joints[slot]] = true;
  }
  for (std::size_t joint = 0; joint < keeps.size(); ++joint) {
    if (!keeps[joint] && skeleton.kinds[joint] == JointKind::joint && names_bone_end(skeleton.names[joint])) {
      skeleton.kinds[joint] = JointKind::end;
    }
  }
}

}  // namespace sinew
