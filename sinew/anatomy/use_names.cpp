#include <algorithm>
#include <cmath>

#include "sinew/anatomy/convention_axes.h"
#include "sinew/anatomy/convention_names.h"
#include "sinew/name_convention.h"

namespace sinew {
namespace {

bool is_even(const Vec3d& scale) {
  return scale.minCoeff() > 0 && scale.maxCoeff() - scale.minCoeff() <= 1e-6 * scale.maxCoeff();
}

// The joint's turn at rest, where its rest transform is a rotation with an even scale.
std::optional<Mat3d> rotation_at_rest(const Affine3d& rest) {
  const Mat3d linear = rest.linear();
  const double size = std::cbrt(linear.determinant());
  if (!(size > 0)) return std::nullopt;
  const Mat3d rotation = linear / size;
  if (!(rotation * rotation.transpose()).isIdentity(1e-6)) return std::nullopt;
  return rotation;
}

bool scaled_unevenly(const std::vector<Motion>& motions, const Pose& rest, std::size_t joint) {
  if (!is_even(rest[joint].scale)) return true;
  for (const Motion& motion : motions) {
    for (std::size_t at = joint; at < motion.transforms.size(); at += rest.size()) {
      if (!is_even(motion.transforms[at].scale)) return true;
    }
  }
  return false;
}

// From the new axes of every joint to its old ones.
std::vector<Quatd> turns_of(const Skeleton& skeleton, const std::vector<Motion>& motions,
                            const std::vector<std::optional<Mat3d>>& axes, std::size_t& kept) {
  const Pose rest = rest_pose(skeleton);
  std::vector<Quatd> turns(axes.size(), Quatd::Identity());
  for (std::size_t joint = 0; joint < axes.size(); ++joint) {
    if (!axes[joint]) continue;
    const std::optional<Mat3d> old = rotation_at_rest(skeleton.rest[joint]);
    if (!old || scaled_unevenly(motions, rest, joint)) {
      ++kept;
      continue;
    }
    turns[joint] = Quatd(Mat3d(old->transpose() * *axes[joint])).normalized();
  }
  return turns;
}

// A point of a joint's space is the same point after its axes turned, so what follows the joint does not move.
void turn_axes(Skeleton& skeleton, std::vector<Motion>& motions, const std::vector<Quatd>& turns) {
  for (std::size_t joint = 0; joint < turns.size(); ++joint) {
    skeleton.rest[joint].linear() = skeleton.rest[joint].linear() * turns[joint].toRotationMatrix();
  }
  for (Motion& motion : motions) {
    for (std::size_t at = 0; at < motion.transforms.size(); ++at) {
      const std::size_t joint = at % turns.size();
      const int parent = skeleton.parents[joint];
      Transform& local = motion.transforms[at];
      local.rotation = local.rotation * turns[joint];
      if (parent >= 0) {
        const Quatd back = turns[parent].conjugate();
        local.rotation = back * local.rotation;
        local.translation = back * local.translation;
      }
      local.rotation.normalize();
    }
  }
}

}  // namespace

Warnings use_names(Skeleton& skeleton, std::vector<Motion>& motions, NameConvention convention) {
  if (convention == NameConvention::keep || skeleton.empty()) return {};
  for (const Motion& motion : motions) {
    if (motion.joint_count == skeleton.joint_count()) continue;
    throw Error(ErrorCode::motion_invalid, "motion '" + motion.name + "' is for another skeleton");
  }
  const std::vector<JointIdentity> joints = identify_joints(skeleton);
  const std::vector<BodyPlace> places = body_places(skeleton, joints);
  if (std::none_of(places.begin(), places.end(), [](const BodyPlace& p) { return p.role != JointRole::unknown; })) {
    return Warnings{{"no-body", "no joint is recognised as part of a body; the names stay as they are"}};
  }
  std::vector<std::string> names = names_in_convention(skeleton, convention);
  std::size_t kept = 0;
  const std::vector<Quatd> turns = turns_of(skeleton, motions, convention_axes(skeleton, joints, convention), kept);
  turn_axes(skeleton, motions, turns);
  skeleton.names = std::move(names);
  if (kept == 0) return {};
  return Warnings{{"axes-kept", std::to_string(kept) + " joints are scaled unevenly and keep their axes"}};
}

}  // namespace sinew
