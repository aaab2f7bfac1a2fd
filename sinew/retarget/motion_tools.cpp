#include "sinew/retarget/motion_tools.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/body_frame.h"
#include "sinew/error.h"

namespace sinew {

Motion trimmed_motion(const Motion& motion, double begin, double end) {
  const int frames = motion.frame_count();
  const int first = std::max(0, static_cast<int>(std::lround(std::min(begin * motion.frames_per_second, 1e9))));
  const int last = end > 0 ? static_cast<int>(std::lround(std::min(end * motion.frames_per_second, 1e9))) : frames - 1;
  if (first >= frames || last < first) {
    throw Error(ErrorCode::settings_invalid, "nothing is left of motion '" + motion.name + "', which lasts " +
                                                 number_text(motion.duration()) + " seconds")
        .about("trim");
  }
  Motion result{motion.name, motion.frames_per_second, motion.joint_count, {}};
  const auto joints = static_cast<std::ptrdiff_t>(motion.joint_count);
  result.transforms.assign(motion.transforms.begin() + first * joints,
                           motion.transforms.begin() + (std::min(last, frames - 1) + 1) * joints);
  return result;
}

Motion sped_up_motion(const Motion& motion, double speed) {
  if (!(speed > 0) || !std::isfinite(speed))
    throw Error(ErrorCode::settings_invalid, "the speed of a motion must be above 0").about("speed");
  Motion faster = motion;
  faster.frames_per_second *= speed;
  Motion result = resample_motion(faster, motion.frames_per_second);
  return result;
}

Motion mirrored_motion(const Skeleton& skeleton, const Motion& motion) {
  const JointMirror mirror = mirror_joints(skeleton);
  // Across the plane through the origin of the motion's path: a reflection of places is one of turns as well.
  Affine3d reflection = Affine3d::Identity();
  reflection.linear() -= 2 * mirror.normal * mirror.normal.transpose();
  reflection.translation() = 2 * mirror.offset * mirror.normal;
  Motion result{motion.name, motion.frames_per_second, motion.joint_count, {}};
  const auto joints = static_cast<std::size_t>(motion.joint_count);
  result.transforms.resize(motion.transforms.size());
  parallel_for(static_cast<std::size_t>(motion.frame_count()), 16, [&](std::size_t begin, std::size_t end) {
    std::vector<Affine3d> mirrored(joints);
    for (std::size_t f = begin; f < end; ++f) {
      const std::vector<Affine3d> moved = skinning_transforms(skeleton, frame_pose(motion, static_cast<int>(f)));
      for (std::size_t joint = 0; joint < joints; ++joint) {
        const int other = mirror.joints[joint] >= 0 ? mirror.joints[joint] : static_cast<int>(joint);
        mirrored[joint] = reflection * moved[other] * reflection * skeleton.rest[joint];
        const int parent = skeleton.parents[joint];
        const Affine3d local = parent >= 0 ? mirrored[parent].inverse() * mirrored[joint] : mirrored[joint];
        result.transforms[f * joints + joint] = Transform::from_matrix(local);
      }
    }
  });
  return result;
}

bool bones_collapse(const Skeleton& skeleton, const Motion& motion) {
  if (motion.frame_count() == 0 || motion.joint_count != skeleton.joint_count()) return false;
  const Pose rest = rest_pose(skeleton), first = frame_pose(motion, 0);
  int bones = 0, collapsed = 0;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const double length = rest[joint].translation.norm();
    if (skeleton.parents[joint] < 0 || skeleton.kinds[joint] != JointKind::joint || !(length > 0)) continue;
    ++bones;
    collapsed += first[joint].translation.norm() < 0.05 * length;
  }
  return bones >= 4 && 2 * collapsed > bones;
}

Motion with_places(const Skeleton& skeleton, const Motion& motion) {
  const Pose rest = rest_pose(skeleton);
  Motion result = motion;
  for (std::size_t i = 0; i < result.transforms.size(); ++i) {
    const std::size_t joint = i % static_cast<std::size_t>(motion.joint_count);
    if (skeleton.parents[joint] < 0) continue;
    Vec3d& place = result.transforms[i].translation;
    // Joints without a position of their own keep their places already.
    if ((place - rest[joint].translation).norm() > 0.5 * rest[joint].translation.norm())
      place += rest[joint].translation;
  }
  return result;
}

}  // namespace sinew
