#include "sinew/builtin/builtin_motions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/error.h"

namespace sinew::builtin {

Quatd about(const Vec3d& axis, double degrees) {
  return Quatd(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()));
}

Motion range_of_motion(const Skeleton& skeleton, const std::vector<JointRange>& ranges) {
  constexpr int frames_per_axis = 16;
  Motion motion{"rom", 30.0, skeleton.joint_count(), {}};
  PoseWriter writer(skeleton);
  writer.append_to(motion);
  for (const JointRange& range : ranges) {
    for (int frame = 1; frame <= frames_per_axis; ++frame) {
      const double wave = std::sin(2 * std::numbers::pi * frame / frames_per_axis);
      const double angle = (wave > 0 ? wave * range.high : -wave * range.low) * std::numbers::pi / 180;
      const Vec3d mirrored_axis(range.axis.x(), -range.axis.y(), -range.axis.z());
      const Quatd left(Eigen::AngleAxisd(angle, range.axis)), right(Eigen::AngleAxisd(angle, mirrored_axis));
      writer.turn((range.sided ? "Left" : "") + range.joint, left);
      if (range.sided) writer.turn("Right" + range.joint, right);
      writer.append_to(motion);
    }
  }
  return motion;
}

PoseWriter::PoseWriter(const Skeleton& skeleton) : skeleton_(skeleton), rest_(rest_pose(skeleton)), pose_(rest_) {}

int PoseWriter::index(const std::string& joint) const {
  const int found = find_joint(skeleton_, joint);
  if (found < 0) throw Error(ErrorCode::internal, "the skeleton has no joint '" + joint + "'");
  return found;
}

void PoseWriter::turn(const std::string& joint, const Quatd& rotation) {
  Transform& transform = pose_[index(joint)];
  transform.rotation = rotation * transform.rotation;
}

void PoseWriter::turn_to(const std::string& joint, const Quatd& rotation) {
  const int j = index(joint);
  pose_[j].rotation = orientation(skeleton_.names[skeleton_.parents[j]]).inverse() * rotation * rest_[j].rotation;
}

void PoseWriter::move_root(const Vec3d& position) { pose_[0].translation = position; }

Vec3d PoseWriter::position(const std::string& joint) const {
  return global_transforms(skeleton_, pose_)[index(joint)].translation();
}

Quatd PoseWriter::orientation(const std::string& joint) const {
  Quatd result = Quatd::Identity();
  for (int j = index(joint); j >= 0; j = skeleton_.parents[j]) {
    result = pose_[j].rotation * rest_[j].rotation.inverse() * result;
  }
  return result;
}

void PoseWriter::append_to(Motion& motion) {
  motion.transforms.insert(motion.transforms.end(), pose_.begin(), pose_.end());
  pose_ = rest_;
}

}  // namespace sinew::builtin
