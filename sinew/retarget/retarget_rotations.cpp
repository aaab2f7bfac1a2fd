#include "sinew/retarget/retarget_rotations.h"

#include <algorithm>
#include <cmath>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/anatomy/legs.h"
#include "sinew/base/rotation.h"
#include "sinew/error.h"

namespace sinew {
namespace {

constexpr double degrees = M_PI / 180.0;

std::vector<Quatd> global_rotations(const Skeleton& skeleton, const Pose& pose) {
  std::vector<Quatd> result(pose.size());
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int parent = skeleton.parents[joint];
    result[joint] = parent >= 0 ? (result[parent] * pose[joint].rotation).normalized() : pose[joint].rotation;
  }
  return result;
}

bool is_limb_bone(JointRole role) {
  return role == JointRole::upper_arm || role == JointRole::forearm || role == JointRole::thigh ||
         role == JointRole::shin || is_finger(role);
}

// The part that a limb's bone leads to.
bool continues(JointRole role, JointRole next) {
  switch (role) {
    case JointRole::upper_arm:
      return next == JointRole::forearm;
    case JointRole::forearm:
      return next == JointRole::hand;
    case JointRole::thigh:
      return next == JointRole::shin;
    case JointRole::shin:
      return next == JointRole::foot;
    case JointRole::foot:
      return next == JointRole::toe;
    default:
      return next == role;
  }
}

bool is_below(const Skeleton& skeleton, int joint, int above) {
  return joint != above && hangs_on(skeleton.parents, joint, above);
}

// Rotations of files are exact to a degree or two; feet and hips seldom point exactly along an axis.
BodyFrame on_axes(BodyFrame frame) {
  int axis = 0;
  const double largest = frame.forward.cwiseAbs().maxCoeff(&axis);
  if (largest > std::cos(20 * degrees)) {
    frame.forward = (frame.forward[axis] < 0 ? -1.0 : 1.0) * Vec3d::Unit(axis);
    frame.left = frame.up.cross(frame.forward);
  }
  return frame;
}

Mat3d columns(const BodyFrame& frame) {
  Mat3d result;
  result << frame.left, frame.up, frame.forward;
  return result;
}

int first_of(const std::vector<JointIdentity>& joints, JointRole role) {
  const auto found =
      std::find_if(joints.begin(), joints.end(), [&](const JointIdentity& joint) { return joint.role == role; });
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

}  // namespace

RotationTransfer::RotationTransfer(const Skeleton& source, bool from_motion, const Skeleton& target,
                                   const JointMap& map)
    : source_(source),
      from_motion_(from_motion),
      target_(target),
      map_(map),
      source_joints_(identify_joints_anyhow(source)),
      target_joints_(identify_joints_anyhow(target)),
      source_frame_(from_motion ? body_frame(source, source_joints_) : on_axes(body_frame(source, source_joints_))),
      target_frame_(on_axes(body_frame(target, target_joints_))),
      alignment_(columns(target_frame_) * columns(source_frame_).transpose()),
      source_rest_(rest_pose(source)),
      target_rest_(rest_pose(target)),
      source_rest_turn_(global_rotations(source, source_rest_)),
      target_rest_turn_(global_rotations(target, target_rest_)),
      on_paws_(stands_on_all_fours(target, target_joints_)) {
  anchor_ = first_of(target_joints_, JointRole::hips);
  if (anchor_ < 0 || map.links[anchor_].source < 0) {
    const auto linked =
        std::find_if(map.links.begin(), map.links.end(), [](const JointLink& l) { return l.source >= 0; });
    if (linked == map.links.end()) throw Error(ErrorCode::settings_invalid, "the joint map links no joint");
    anchor_ = static_cast<int>(linked - map.links.begin());
  }
  carrier_ = common_carrier();
  correct_rest_poses();
}

// The lowest joint above the hips, all thighs, all upper arms and the head: in some rigs legs hang beside the hips, in
// others the body grows from the chest.
int RotationTransfer::common_carrier() const {
  int carrier = anchor_;
  for (int joint = 0; joint < target_.joint_count(); ++joint) {
    const JointRole role = target_joints_[joint].role;
    const bool counts = role == JointRole::thigh || role == JointRole::upper_arm || role == JointRole::head;
    if (!counts || map_.links[joint].source < 0) continue;
    int up = carrier;
    while (up >= 0 && !hangs_on(target_.parents, joint, up)) up = target_.parents[up];
    if (up >= 0) carrier = up;  // a tree of its own moves by itself
  }
  return carrier;
}

// Directions of a joint's bone at rest in the target and, brought into target space, in the source.
bool RotationTransfer::bone_directions(int joint, Vec3d& own, Vec3d& wanted) const {
  const int source = map_.links[joint].source;
  const double size = 1e-9;
  for (int next = joint + 1; next < target_.joint_count(); ++next) {
    const int other = map_.links[next].source;
    if (other < 0 || !continues(target_joints_[joint].role, target_joints_[next].role)) continue;
    if (!is_below(target_, next, joint) || !is_below(source_, other, source)) continue;
    own = target_.position(next) - target_.position(joint);
    wanted = alignment_ * (source_.position(other) - source_.position(source));
    if (own.norm() <= size || wanted.norm() <= size) continue;
    own.normalize();
    wanted.normalize();
    return true;
  }
  return false;
}

// A clip whose rest pose is bowed: the trunk is brought along. Upright trunks differ only by the rigger's taste, and
// how an animal carries its head says nothing about its trunk.
Quatd RotationTransfer::trunk_correction() const {
  for (const JointRole top : {JointRole::head, JointRole::neck, JointRole::chest}) {
    const int end = first_of(target_joints_, top);
    if (top != JointRole::chest && on_paws_) continue;
    if (end < 0 || map_.links[end].source < 0) continue;
    const Vec3d own = target_.position(end) - target_.position(anchor_);
    const Vec3d wanted = alignment_ * (source_.position(map_.links[end].source) - source_.position(source_anchor()));
    if (own.norm() <= 0 || wanted.norm() <= 0) continue;
    const Quatd turn = rotation_between(own, wanted);
    const double riggers_taste = (from_motion_ ? 8 : 20) * degrees;
    return turn.angularDistance(Quatd::Identity()) > riggers_taste ? turn : Quatd::Identity();
  }
  return Quatd::Identity();
}

// Feet stand flat in a rest pose, whatever the slope from ankle to toe: only the heading is aligned. A foot that points
// somewhere else altogether is no standing foot and is aligned like any bone.
Quatd RotationTransfer::foot_correction(int joint) const {
  Vec3d own, wanted;
  if (!bone_directions(joint, own, wanted)) return Quatd::Identity();
  const Vec3d up = target_frame_.up;
  const double slope = std::asin(std::clamp(own.dot(up), -1.0, 1.0)) - std::asin(std::clamp(wanted.dot(up), -1.0, 1.0));
  if (std::abs(slope) > 35 * degrees) return rotation_between(own, wanted);
  const Vec3d flat = own - own.dot(up) * up, flat_wanted = wanted - wanted.dot(up) * up;
  if (flat.norm() < 0.2 || flat_wanted.norm() < 0.2) return Quatd::Identity();
  return rotation_between(flat, flat_wanted);
}

void RotationTransfer::correct_rest_poses() {
  correction_.assign(target_.names.size(), Quatd::Identity());
  const Quatd trunk = trunk_correction();
  for (int joint = 0; joint < target_.joint_count(); ++joint) {
    const int parent = target_.parents[joint];
    Quatd& own = correction_[joint];
    if (parent >= 0) own = correction_[parent];
    if (joint == carrier_) own = trunk;
    if (map_.links[joint].source < 0) continue;
    const JointRole role = target_joints_[joint].role;
    Vec3d direction, wanted;
    if (role == JointRole::foot) {
      own = foot_correction(joint);
    } else if (is_limb_bone(role) && bone_directions(joint, direction, wanted)) {
      own = (rotation_between(own * direction, wanted) * own).normalized();
    }
  }
}

// A person's toes only bend, up further than down: what else captured toes do is noise.
Quatd RotationTransfer::bent_toe(int joint, const std::vector<Quatd>& turn) const {
  const int parent = target_.parents[joint];
  const Quatd foot = turn[parent] * target_rest_turn_[parent].conjugate();
  Quatd bend = foot.conjugate() * turn[joint] * target_rest_turn_[joint].conjugate();
  if (bend.w() < 0) bend.coeffs() *= -1;
  const Vec3d across = target_frame_.left;  // about which a positive angle points toes down
  const double angle = std::clamp(2 * std::atan2(bend.vec().dot(across), bend.w()), -70 * degrees, 15 * degrees);
  return (foot * Quatd(Eigen::AngleAxisd(angle, across)) * target_rest_turn_[joint]).normalized();
}

Pose RotationTransfer::transfer(const Pose& source_pose) const {
  const std::vector<Quatd> source_turn = global_rotations(source_, source_pose);
  const Quatd align(alignment_);
  const auto delta = [&](int joint) {
    return (source_turn[joint] * source_rest_turn_[joint].conjugate()).normalized();
  };
  Pose pose = target_rest_;
  std::vector<Quatd> turn(pose.size());
  for (int joint = 0; joint < target_.joint_count(); ++joint) {
    const int parent = target_.parents[joint];
    const Quatd above = parent >= 0 ? turn[parent] : Quatd::Identity();
    const JointLink& link = map_.links[joint];
    turn[joint] = (above * target_rest_[joint].rotation).normalized();
    if (link.source < 0) continue;
    Quatd moved = delta(link.source);
    if (link.before >= 0) moved = delta(link.before).slerp(link.share, moved);
    turn[joint] = (align * moved * align.conjugate() * correction_[joint] * target_rest_turn_[joint]).normalized();
    const bool toe = target_joints_[joint].role == JointRole::toe && parent >= 0 && !on_paws_;
    if (toe) turn[joint] = bent_toe(joint, turn);
    pose[joint].rotation = (above.conjugate() * turn[joint]).normalized();
  }
  return pose;
}

}  // namespace sinew
