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

namespace {

Vec3d flat(const Vec3d& v, const Vec3d& up) { return v - v.dot(up) * up; }

// The share of a turn that is about the vertical.
double heading_of(const Quatd& turn, const Vec3d& up) {
  const double angle = 2 * std::atan2(turn.vec().dot(up), turn.w());
  return angle - 2 * M_PI * std::round(angle / (2 * M_PI));
}

// The place of `first` brought under that of `last` by a walk over the ground: turned about the vertical and shifted.
Affine3d brought_along(const Affine3d& first, const Affine3d& last, const Vec3d& up) {
  const Quatd turn = Transform::from_matrix(last).rotation * Transform::from_matrix(first).rotation.conjugate();
  Affine3d result = Affine3d(Eigen::AngleAxisd(heading_of(turn, up), up)) * first;
  result.translation() = flat(last.translation(), up) + first.translation().dot(up) * up;
  return result;
}

constexpr double closing_seconds = 0.5;  // over which a loop finds its beginning again

}  // namespace

Motion looped_motion(const Skeleton& skeleton, const Motion& motion, int hips, const Vec3d& up, double* change) {
  Motion result = motion;
  const int frames = motion.frame_count();
  if (change) *change = 0;
  if (frames < 3) return result;
  const Pose first = frame_pose(motion, 0), last = frame_pose(motion, frames - 1);
  const Affine3d start = global_transforms(skeleton, first)[hips], stop = global_transforms(skeleton, last)[hips];
  Pose wanted = first;
  std::vector<char> above(skeleton.names.size(), 0);  // what carries the hips stays as it is
  for (int up_joint = skeleton.parents[hips]; up_joint >= 0; up_joint = skeleton.parents[up_joint]) {
    above[up_joint] = 1;
    wanted[up_joint] = last[up_joint];
  }
  const int parent = skeleton.parents[hips];
  const Affine3d carried = parent >= 0 ? global_transforms(skeleton, last)[parent] : Affine3d(Affine3d::Identity());
  wanted[hips] = Transform::from_matrix(carried.inverse() * brought_along(start, stop, up));
  const int window =
      std::max(1, std::min(frames / 2, static_cast<int>(std::lround(closing_seconds * motion.frames_per_second))));
  double sum = 0;
  for (int joint = 0; joint < motion.joint_count; ++joint) {
    if (above[joint]) continue;
    const Quatd turn = wanted[joint].rotation * last[joint].rotation.conjugate();
    sum += turn.angularDistance(Quatd::Identity()) / motion.joint_count;
    const Vec3d shift = wanted[joint].translation - last[joint].translation;
    for (int f = frames - window; f < frames; ++f) {
      const double u = static_cast<double>(f - (frames - 1 - window)) / window, share = u * u * (3 - 2 * u);
      Transform& own = result.transforms[static_cast<std::size_t>(f) * motion.joint_count + joint];
      own.rotation = (Quatd::Identity().slerp(share, turn) * own.rotation).normalized();
      own.translation += share * shift;
      own.scale += share * (wanted[joint].scale - own.scale);
    }
    result.transforms[static_cast<std::size_t>(frames - 1) * motion.joint_count + joint] = wanted[joint];
  }
  if (change) *change = sum;
  return result;
}

namespace {

// Where the body heads, per frame, in radians from rest; straight over frames in which it lies or stands on its head.
std::vector<double> headings(const std::vector<std::vector<Affine3d>>& now, const Quatd& rest, int hips,
                             const Vec3d& up) {
  std::vector<double> heading(now.size(), 0.0);
  int before = -1;
  const int frames = static_cast<int>(now.size());
  for (int f = 0; f < frames; ++f) {
    const Quatd turn = Transform::from_matrix(now[f][hips]).rotation * rest.conjugate();
    if ((turn * up).dot(up) < 0.5) continue;
    const double found = heading_of(turn, up), last = before < 0 ? 0.0 : heading[before];
    heading[f] = found - 2 * M_PI * std::round((found - last) / (2 * M_PI));
    for (int g = before + 1; g < f; ++g) {
      const double share = before < 0 ? 1.0 : static_cast<double>(g - before) / (f - before);
      heading[g] = last + share * (heading[f] - last);
    }
    before = f;
  }
  for (int f = before + 1; f < frames; ++f) heading[f] = before < 0 ? 0.0 : heading[before];
  return heading;
}

}  // namespace

Motion with_root_motion(const Skeleton& skeleton, const Motion& motion, int hips, const Vec3d& up) {
  int root = -1;
  for (int joint = skeleton.parents[hips]; joint >= 0; joint = skeleton.parents[joint]) root = joint;
  if (root < 0) {
    throw Error(ErrorCode::skeleton_not_understood,
                "no joint is above '" + skeleton.names[hips] + "' to carry the root motion",
                "leave root motion out, or give the skeleton a root joint")
        .about("root_motion");
  }
  std::vector<std::vector<Affine3d>> now;
  for (int f = 0; f < motion.frame_count(); ++f) now.push_back(global_transforms(skeleton, frame_pose(motion, f)));
  const std::vector<double> heading = headings(now, Transform::from_matrix(skeleton.rest[hips]).rotation, hips, up);
  Motion result = motion;
  const Vec3d under = flat(skeleton.position(hips), up);
  for (std::size_t f = 0; f < now.size(); ++f) {
    Affine3d moved = Affine3d::Identity();
    moved.translate(flat(now[f][hips].translation(), up)).rotate(Eigen::AngleAxisd(heading[f], up)).translate(-under);
    const Affine3d carried = moved * skeleton.rest[root];
    for (int joint = 0; joint < motion.joint_count; ++joint) {
      Transform& own = result.transforms[f * static_cast<std::size_t>(motion.joint_count) + joint];
      if (joint == root) own = Transform::from_matrix(carried);
      if (skeleton.parents[joint] == root) own = Transform::from_matrix(carried.inverse() * now[f][joint]);
    }
  }
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
