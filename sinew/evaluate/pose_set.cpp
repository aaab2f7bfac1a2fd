#include "sinew/evaluate/pose_set.h"

#include <algorithm>

namespace sinew {
namespace {

bool is_still(const Motion& motion) {
  const auto same = [](const Transform& a, const Transform& b) {
    return a.translation == b.translation && a.scale == b.scale && a.rotation.coeffs() == b.rotation.coeffs();
  };
  for (std::size_t at = motion.joint_count; at < motion.transforms.size(); ++at) {
    if (!same(motion.transforms[at], motion.transforms[at - motion.joint_count])) return false;
  }
  return true;
}

}  // namespace

PoseSet motion_poses(const std::vector<Motion>& motions, int frames_per_motion) {
  PoseSet set{"motions", {}, {}};
  for (const Motion& motion : motions) {
    const int last = motion.frame_count() - 1;
    if (last < 0) continue;
    const int count = is_still(motion) ? 1 : std::min(std::max(1, frames_per_motion), last + 1);
    for (int step = 0; step < count; ++step) {
      const int frame = count > 1 ? static_cast<int>(static_cast<long>(last) * step / (count - 1)) : 0;
      set.poses.push_back(frame_pose(motion, frame));
      set.labels.push_back(motion.name + ", frame " + std::to_string(frame));
    }
  }
  return set;
}

}  // namespace sinew
