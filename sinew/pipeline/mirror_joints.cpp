#include <algorithm>
#include <tuple>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/paint.h"

namespace sinew {

JointMirror mirror_joints(const Skeleton& skeleton) {
  const std::vector<JointIdentity> joints = identify_joints(skeleton);
  const std::size_t count = joints.size();
  JointMirror mirror;
  mirror.joints.assign(count, -1);
  Vec3d across = Vec3d::Zero(), middle = Vec3d::Zero();
  int pairs = 0;
  for (std::size_t j = 0; j < count; ++j) {
    if (joints[j].side == BodySide::centre) {
      mirror.joints[j] = static_cast<int>(j);
      continue;
    }
    for (std::size_t other = 0; other < count && mirror.joints[j] < 0; ++other) {
      const bool opposite = joints[other].side != BodySide::centre && joints[other].side != joints[j].side;
      const bool same_kind =
          std::tie(joints[other].role, joints[other].index) == std::tie(joints[j].role, joints[j].index);
      // Several joints may be of one kind (twists): they pair up in order.
      const bool taken = std::find(mirror.joints.begin(), mirror.joints.begin() + static_cast<std::ptrdiff_t>(j),
                                   static_cast<int>(other)) != mirror.joints.begin() + static_cast<std::ptrdiff_t>(j);
      if (opposite && same_kind && !taken) mirror.joints[j] = static_cast<int>(other);
    }
    const int found = mirror.joints[j];
    if (joints[j].side != BodySide::left || found < 0) continue;
    across += skeleton.position(static_cast<int>(j)) - skeleton.position(found);
    middle += 0.5 * (skeleton.position(static_cast<int>(j)) + skeleton.position(found));
    ++pairs;
  }
  if (pairs > 0 && across.norm() > 0) {
    mirror.normal = across.normalized();
    mirror.offset = mirror.normal.dot(middle / pairs);
  }
  return mirror;
}

}  // namespace sinew
