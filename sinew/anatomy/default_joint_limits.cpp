// Default ranges by body part, and the anatomical axes they are about.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "sinew/anatomy/bones.h"
#include "sinew/anatomy/joint_limits.h"
#include "sinew/anatomy/joint_roles.h"

namespace sinew {
namespace {

constexpr double radians = M_PI / 180.0;

// Degrees. For chains of several joints (spine, neck) the range of the whole chain, shared equally.
struct Range {
  Vec3d low, high;
};

Range range_of(JointRole role) {
  switch (role) {
    case JointRole::hips:
      return {{-15, -10, -20}, {15, 10, 20}};
    case JointRole::hip_joint:
      return {{-5, -5, -5}, {5, 5, 5}};
    case JointRole::spine:
    case JointRole::chest:
      return {{-20, -25, -35}, {50, 25, 35}};
    case JointRole::neck:
    case JointRole::head:
      return {{-40, -30, -60}, {40, 30, 60}};
    case JointRole::jaw:
      return {{0, -3, 0}, {25, 3, 0}};
    case JointRole::eye:
      return {{-20, -25, 0}, {20, 25, 0}};
    case JointRole::ear:
      return {{-15, -15, -10}, {15, 15, 10}};
    case JointRole::face:
      return {{-3, -3, -3}, {3, 3, 3}};
    case JointRole::clavicle:
      return {{-10, -8, -5}, {10, 20, 5}};
    case JointRole::upper_arm:
      return {{-40, 15, -45}, {110, 160, 45}};  // abduction: 0 hangs down, 90 straight out
    case JointRole::forearm:
      return {{0, -3, -60}, {140, 3, 60}};  // flexion: 0 straight
    case JointRole::hand:
      return {{-55, -20, -5}, {60, 20, 5}};
    case JointRole::thumb:
      return {{-10, -15, -5}, {45, 15, 5}};
    case JointRole::index_finger:
    case JointRole::middle_finger:
    case JointRole::ring_finger:
    case JointRole::little_finger:
      return {{-10, -8, -2}, {85, 8, 2}};
    case JointRole::thigh:
      return {{-25, -15, -30}, {100, 40, 30}};
    case JointRole::shin:
      return {{0, -2, -8}, {135, 2, 8}};
    case JointRole::foot:
      return {{-20, -15, -10}, {40, 15, 10}};  // flexion: toes down
    case JointRole::toe:
      return {{-40, -3, -2}, {15, 3, 2}};
    case JointRole::tail:
      return {{-15, -20, -5}, {15, 20, 5}};
    case JointRole::wing:
      return {{-30, -40, -15}, {30, 40, 15}};
    case JointRole::twist:
      return {{0, 0, -30}, {0, 0, 30}};
    case JointRole::root:
    case JointRole::control:
    case JointRole::prop:
      return {Vec3d::Zero(), Vec3d::Zero()};
    case JointRole::unknown:
      return {{-25, -25, -15}, {25, 25, 15}};
  }
  return {Vec3d::Zero(), Vec3d::Zero()};
}

const Range leg_on_all_fours = {{-40, -10, -12}, {45, 20, 12}};

bool is_shared_by_chain(JointRole role) {
  return role == JointRole::spine || role == JointRole::chest || role == JointRole::neck || role == JointRole::head;
}

// Spine and chest are one chain, neck and head another.
JointRole chain_of(JointRole role) {
  if (role == JointRole::chest) return JointRole::spine;
  return role == JointRole::head ? JointRole::neck : role;
}

double angle_between(const Vec3d& a, const Vec3d& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

// `axis` without its part along `bone`, of unit length; some other perpendicular when nothing is left.
Vec3d perpendicular(const Vec3d& axis, const Vec3d& bone) {
  const Vec3d rest = axis - axis.dot(bone) * bone;
  return rest.norm() > 0.1 ? rest.normalized() : bone.unitOrthogonal();
}

class LimitMaker {
 public:
  explicit LimitMaker(const Skeleton& skeleton)
      : skeleton_(skeleton),
        roles_(identify_joints(skeleton)),
        body_(body_frame(skeleton)),
        direction_(skeleton.names.size(), Vec3d::UnitY()) {
    for (const Bone& bone : bones_of(skeleton)) {
      if (bone.length() > 0) direction_[bone.joint] = bone.direction();
    }
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
      if (skeleton.kinds[joint] == JointKind::joint) ++chain_length_[chain_of(roles_[joint].role)];
    }
    const int hips = first_of(JointRole::hips), head = first_of(JointRole::head);
    if (hips >= 0 && head >= 0) {
      const Vec3d spine = skeleton.position(head) - skeleton.position(hips);
      on_all_fours_ = spine.dot(body_.up) < 0.6 * spine.norm();
    }
  }

  JointLimit make(int joint) const {
    JointLimit limit;
    const JointRole role = roles_[joint].role;
    limit.carries_body = role == JointRole::root || role == JointRole::hips || skeleton_.parents[joint] < 0;
    if (skeleton_.kinds[joint] != JointKind::joint) return limit;
    Range range = range_of(role);
    if (on_all_fours_ && (role == JointRole::upper_arm || role == JointRole::thigh)) range = leg_on_all_fours;
    if (is_shared_by_chain(role)) {
      const double share = 1.0 / chain_length_.at(chain_of(role));
      range = {range.low * share, range.high * share};
    }
    // A second wrist or heel only finishes what the first one does.
    if (roles_[joint].index > 1 &&
        (role == JointRole::hand || role == JointRole::foot || role == JointRole::upper_arm ||
         role == JointRole::forearm || role == JointRole::shin)) {
      range = {Vec3d::Constant(-5), Vec3d::Constant(5)};
    }
    const Vec3d bone = direction_[joint];
    const Vec3d flexion = flexion_axis(joint, bone), sideways = bone.cross(flexion);
    // Abduction is away from the middle (upwards for arms): positive about `sideways` or about its opposite.
    const Vec3d outward = abduction_target(joint);
    if (sideways.cross(bone).dot(outward) < 0) {
      std::swap(range.low.y(), range.high.y());
      range.low.y() *= -1;
      range.high.y() *= -1;
    }
    measure_from_rest(joint, bone, flexion, sideways, range);
    // Mirrored or scaled rest transforms still have a rotation, and that is what poses change.
    const Mat3d to_joint = Transform::from_matrix(skeleton_.rest[joint]).rotation.conjugate().toRotationMatrix();
    limit.axes.col(0) = to_joint * flexion;
    limit.axes.col(1) = to_joint * sideways;
    limit.axes.col(2) = to_joint * bone;
    limit.low = (radians * range.low).cwiseMin(0.0);
    limit.high = (radians * range.high).cwiseMax(0.0);
    return limit;
  }

 private:
  int first_of(JointRole role) const {
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (roles_[joint].role == role) return joint;
    }
    return -1;
  }

  Vec3d outward(int joint) const {
    switch (roles_[joint].side) {
      case BodySide::left:
        return body_.left;
      case BodySide::right:
        return -body_.left;
      case BodySide::centre:
        break;
    }
    return body_.left;
  }

  Vec3d abduction_target(int joint) const {
    const JointRole role = roles_[joint].role;
    const bool upwards = role == JointRole::upper_arm || role == JointRole::clavicle || role == JointRole::wing;
    return upwards ? body_.up : outward(joint);
  }

  // Positive rotation about it flexes.
  Vec3d flexion_axis(int joint, const Vec3d& bone) const {
    const JointRole role = roles_[joint].role;
    switch (role) {
      case JointRole::shin:
      case JointRole::forearm: {
        const Vec3d usual = bone.cross(role == JointRole::shin ? Vec3d(-body_.forward) : body_.forward);
        const Vec3d above = incoming(joint);
        const Vec3d bend = above.cross(bone);
        // A bend of more than 10° shows the hinge, unless it bends the impossible way by a little.
        if (bend.norm() > std::sin(10 * radians) && (bend.dot(usual) > 0 || bend.norm() > std::sin(30 * radians))) {
          return perpendicular(bend.normalized(), bone);
        }
        return perpendicular(usual, bone);
      }
      case JointRole::thigh:
      case JointRole::upper_arm:
      case JointRole::clavicle:
      case JointRole::wing:
        return perpendicular(bone.cross(body_.forward), bone);
      case JointRole::hand:
      case JointRole::thumb:
      case JointRole::index_finger:
      case JointRole::middle_finger:
      case JointRole::ring_finger:
      case JointRole::little_finger:
        return perpendicular(bone.cross(palm_normal(joint)), bone);
      default:
        return perpendicular(body_.left, bone);  // bowing, toes down, mouth open
    }
  }

  Vec3d incoming(int joint) const {
    const int parent = skeleton_.parents[joint];
    return parent >= 0 ? direction_[parent] : direction_[joint];
  }

  // Out of the palm: across hand and knuckles, on the side to which a hand closes. Without fingers: down for an arm
  // held out, inwards for one that hangs.
  Vec3d palm_normal(int joint) const {
    int hand = joint;
    while (hand >= 0 && !(roles_[hand].role == JointRole::hand && roles_[hand].index == 1))
      hand = skeleton_.parents[hand];
    if (hand < 0) return -body_.up;
    const Vec3d along = direction_[hand];
    // From the knuckle nearest the little finger to the one nearest the thumb.
    int first = -1, last = -1;
    for (int other = hand + 1; other < skeleton_.joint_count(); ++other) {
      const JointIdentity& finger = roles_[other];
      if (!is_finger(finger.role) || finger.role == JointRole::thumb || finger.index != 1 ||
          !hangs_on(skeleton_.parents, other, hand))
        continue;
      if (first < 0 || finger.role < roles_[first].role) first = other;
      if (last < 0 || finger.role > roles_[last].role) last = other;
    }
    const Vec3d across = first >= 0 ? Vec3d(skeleton_.position(first) - skeleton_.position(last)) : Vec3d::Zero();
    if (across.norm() > 0 && roles_[hand].side != BodySide::centre) {
      const double sign = roles_[hand].side == BodySide::left ? 1.0 : -1.0;
      const Vec3d normal = sign * along.cross(across);
      if (normal.norm() > 0) return normal.normalized();
    }
    return std::abs(along.dot(body_.up)) < 0.7 ? Vec3d(-body_.up) : Vec3d(-outward(hand));
  }

  // Turns ranges that are measured from an anatomical zero into ranges from the rest pose.
  void measure_from_rest(int joint, const Vec3d& bone, const Vec3d& flexion, const Vec3d& sideways,
                         Range& range) const {
    const JointRole role = roles_[joint].role;
    if (roles_[joint].index > 1) return;
    if (role == JointRole::shin || role == JointRole::forearm) {
      const Vec3d above = incoming(joint);
      const double sign = above.cross(bone).dot(flexion) < 0 ? -1.0 : 1.0;
      const double bent = sign * angle_between(above, bone) / radians;
      range.low.x() -= bent;
      range.high.x() -= bent;
    }
    if (role == JointRole::upper_arm && !on_all_fours_) {
      const double raised = angle_between(bone, -body_.up) / radians;
      const double shift = sideways.cross(bone).dot(body_.up) > 0 ? -raised : raised;
      range.low.y() += shift;
      range.high.y() += shift;
    }
  }

  const Skeleton& skeleton_;
  std::vector<JointIdentity> roles_;
  BodyFrame body_;
  std::vector<Vec3d> direction_;  // of each joint's bone
  std::map<JointRole, int> chain_length_;
  bool on_all_fours_ = false;  // the spine lies rather than stands
};

}  // namespace

BodyFrame body_frame(const Skeleton& skeleton) { return body_frame(skeleton, identify_joints(skeleton)); }

BodyFrame body_frame(const Skeleton& skeleton, const std::vector<JointIdentity>& roles) {
  Vec3d thighs = Vec3d::Zero(), feet = Vec3d::Zero();
  std::map<std::pair<JointRole, int>, std::array<Vec3d, 2>> pairs;  // role and index: where it is on either side
  std::map<std::pair<JointRole, int>, std::array<int, 2>> pair_counts;
  int thigh_count = 0, foot_count = 0;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointIdentity& own = roles[joint];
    if (own.role == JointRole::control || own.role == JointRole::prop) continue;
    if (own.side != BodySide::centre) {
      const int side = own.side == BodySide::left ? 0 : 1;
      const auto key = std::make_pair(own.role, own.index);
      const auto place = pairs.try_emplace(key, std::array<Vec3d, 2>{Vec3d::Zero(), Vec3d::Zero()}).first;
      place->second[side] += skeleton.position(joint);
      ++pair_counts[key][side];
    }
    if (own.role == JointRole::thigh) thighs += skeleton.position(joint), ++thigh_count;
    if (own.role == JointRole::foot) feet += skeleton.position(joint), ++foot_count;
  }
  BodyFrame frame;
  if (thigh_count > 0 && foot_count > 0) {
    // Legs rarely stand exactly upright, but files have an axis that does.
    const Vec3d legs = thighs / thigh_count - feet / foot_count;
    int axis = 0;
    if (legs.norm() > 0) {
      legs.cwiseAbs().maxCoeff(&axis);
      frame.up = (legs[axis] < 0 ? -1.0 : 1.0) * Vec3d::Unit(axis);
    }
  }
  Vec3d left = Vec3d::Zero();
  for (const auto& [key, sums] : pairs) {
    const auto [left_count, right_count] = pair_counts[key];
    if (left_count > 0 && right_count > 0) left += sums[0] / left_count - sums[1] / right_count;
  }
  left -= left.dot(frame.up) * frame.up;
  if (left.norm() > 0) {
    frame.left = left.normalized();
    frame.forward = frame.left.cross(frame.up).normalized();
  } else {
    frame.forward = frame.up == Vec3d::UnitZ() ? Vec3d(-Vec3d::UnitY()) : Vec3d::UnitZ();
    frame.left = frame.up.cross(frame.forward).normalized();
  }
  return frame;
}

JointLimits default_joint_limits(const Skeleton& skeleton) {
  const LimitMaker maker(skeleton);
  JointLimits limits;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) limits.push_back(maker.make(joint));
  return limits;
}

}  // namespace sinew
