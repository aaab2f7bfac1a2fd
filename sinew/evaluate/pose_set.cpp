#include "sinew/evaluate/pose_set.h"

#include <algorithm>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/base/cancellation.h"
#include "sinew/base/plain_text.h"
#include "sinew/base/random.h"

namespace sinew {
namespace {

constexpr double noticeable_movement = 1e-3;  // of a full turn of the axes, or of the skeleton's size

std::string label(const Motion& motion, double seconds) {
  return motion.name + " at " + fixed_number_text(seconds, 2) + " s";
}

// Whether any two joints move differently: a character that only moves as a whole does not deform.
bool deforms(const Skeleton& skeleton, const Pose& pose) {
  AABBd box;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) box.extend(skeleton.position(joint));
  const double size = std::max(box.diagonal().norm(), 1e-30);
  const std::vector<Affine3d> transforms = skinning_transforms(skeleton, pose);
  for (int joint = 1; joint < skeleton.joint_count(); ++joint) {
    const double turned = (transforms[joint].linear() - transforms[0].linear()).norm();
    const double moved = (transforms[joint] * box.center() - transforms[0] * box.center()).norm();
    if (turned > noticeable_movement || moved > noticeable_movement * size) return true;
  }
  return false;
}

template <class Draw>
PoseSet random_poses(const std::string& name, int count, std::uint64_t seed, const Draw& draw) {
  PoseSet set{name, {}, {}};
  for (int index = 0; index < count; ++index) {
    stop_if_cancelled();
    Random random = Random::stream(seed, index);
    set.poses.push_back(draw(random));
    set.labels.push_back("random pose " + std::to_string(index));
  }
  return set;
}

}  // namespace

PoseSet motion_poses(const Skeleton& skeleton, const std::vector<Motion>& motions, int poses_per_motion) {
  PoseSet set{"motions", {}, {}};
  const int count = std::max(1, poses_per_motion);
  for (const Motion& motion : motions) {
    if (motion.frame_count() == 0) continue;
    for (int step = 0; step < count; ++step) {
      stop_if_cancelled();
      const double seconds = count > 1 ? motion.duration() * step / (count - 1) : 0.0;
      set.poses.push_back(sample_motion(motion, seconds));
      set.labels.push_back(label(motion, seconds));
    }
  }
  const bool any =
      std::any_of(set.poses.begin(), set.poses.end(), [&](const Pose& pose) { return deforms(skeleton, pose); });
  return any ? set : PoseSet{"motions", {}, {}};
}

PoseSet limit_poses(const Skeleton& skeleton, int count, std::uint64_t seed, const JointLimits& limits) {
  const JointLimits ranges = limits.empty() ? default_joint_limits(skeleton) : limits;
  return random_poses("limits", count, seed, [&](Random& random) { return random_pose(skeleton, ranges, random); });
}

PoseSet normal_poses(const Skeleton& skeleton, int count, double degrees, std::uint64_t seed) {
  return random_poses("normal", count, seed,
                      [&](Random& random) { return random_pose_normal(skeleton, degrees, random); });
}

}  // namespace sinew
