// The named poses: what each joint does in a body, about the axes that its limits are about.
#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/plain_text.h"
#include "sinew/check.h"

namespace sinew {
namespace {

constexpr double largest_bend = 90, smallest_bend = 30, smallest_twist = 20;  // degrees

// What a turn about each axis of a joint's limit is called: "left " + subject + " " + verb + " 90°".
struct Movement {
  const char* subject;
  std::array<const char*, 3> verbs;  // flexion, abduction, twist; null: this joint does not do it
};

Movement movement_of(JointRole role) {
  switch (role) {
    case JointRole::hips:
      return {"hips", {"tilted", "leaned", "turned"}};
    case JointRole::spine:
      return {"spine", {"bowed", "leaned", "twisted"}};
    case JointRole::chest:
      return {"chest", {"bowed", "leaned", "twisted"}};
    case JointRole::neck:
      return {"neck", {"bowed", "leaned", "turned"}};
    case JointRole::head:
      return {"head", {"nodded", "leaned", "turned"}};
    case JointRole::jaw:
      return {"jaw", {"opened", nullptr, nullptr}};
    case JointRole::eye:
      return {"eye", {"looking down", "looking aside", nullptr}};
    case JointRole::ear:
      return {"ear", {"bent", "bent sideways", nullptr}};
    case JointRole::clavicle:
      return {"shoulder", {"forward", "raised", nullptr}};
    case JointRole::upper_arm:
      return {"arm", {"forward", "raised", "twisted"}};
    case JointRole::forearm:
      return {"elbow", {"bent", nullptr, "twisted"}};
    case JointRole::hand:
      return {"wrist", {"bent", "bent sideways", nullptr}};
    case JointRole::thumb:
      return {"thumb", {"bent", nullptr, nullptr}};
    case JointRole::index_finger:
      return {"index finger", {"bent", nullptr, nullptr}};
    case JointRole::middle_finger:
      return {"middle finger", {"bent", nullptr, nullptr}};
    case JointRole::ring_finger:
      return {"ring finger", {"bent", nullptr, nullptr}};
    case JointRole::little_finger:
      return {"little finger", {"bent", nullptr, nullptr}};
    case JointRole::hip_joint:
      return {"hip joint", {"tilted", "leaned", nullptr}};
    case JointRole::thigh:
      return {"hip", {"flexed", "spread", "twisted"}};
    case JointRole::shin:
      return {"knee", {"bent", nullptr, nullptr}};
    case JointRole::foot:
      return {"foot", {"pointed", "rolled", nullptr}};
    case JointRole::toe:
      return {"toes", {"bent", nullptr, nullptr}};
    case JointRole::tail:
      return {"tail", {"bowed", "swung", nullptr}};
    case JointRole::wing:
      return {"wing", {"forward", "raised", "twisted"}};
    case JointRole::twist:
      return {"", {nullptr, nullptr, "twisted"}};
    case JointRole::root:
    case JointRole::control:
    case JointRole::prop:
    case JointRole::face:
    case JointRole::unknown:
      break;
  }
  return {"", {"bent", "bent sideways", "twisted"}};
}

std::string pose_name(const Skeleton& skeleton, int joint, const JointIdentity& identity, const char* verb,
                      double degrees, bool ambiguous) {
  const Movement movement = movement_of(identity.role);
  std::string name = identity.side == BodySide::left ? "left " : identity.side == BodySide::right ? "right " : "";
  if (movement.subject[0] == '\0') {
    name = skeleton.names[static_cast<std::size_t>(joint)];
  } else {
    name += movement.subject;
    if (ambiguous) name += " (" + skeleton.names[static_cast<std::size_t>(joint)] + ")";
  }
  return name + " " + verb + " " + fixed_number_text(std::abs(degrees), 0) + "°";
}

// The end of the range that is farther from rest, within what shows a defect and what a body does.
double angle_to_show(double low, double high, bool twist) {
  const double end = high >= -low ? high : low;
  const double least = twist ? smallest_twist : smallest_bend;
  return std::copysign(std::clamp(std::abs(end), least, largest_bend), end);
}

}  // namespace

Pose check_pose(const Skeleton& skeleton, const CheckPose& turn) {
  if (turn.joint < 0 || turn.joint >= skeleton.joint_count())
    throw Error(ErrorCode::joint_unknown, "the pose turns a joint that the skeleton does not have");
  Pose pose = rest_pose(skeleton);
  const std::size_t joint = static_cast<std::size_t>(turn.joint);
  const Vec3d place = skeleton.position(turn.joint);
  Affine3d global = Eigen::Translation3d(place) * Eigen::AngleAxisd(turn.degrees * M_PI / 180, turn.axis) *
                    Eigen::Translation3d(-place) * skeleton.rest[joint];
  const int parent = skeleton.parents[joint];
  if (parent >= 0) global = skeleton.rest[static_cast<std::size_t>(parent)].inverse() * global;
  pose[joint] = Transform::from_matrix(global);
  return pose;
}

std::vector<CheckPose> range_of_motion(const Skeleton& skeleton) {
  const std::vector<JointIdentity> roles = identify_joints_anyhow(skeleton);
  const JointLimits limits = default_joint_limits(skeleton);
  std::vector<CheckPose> poses;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::size_t own = static_cast<std::size_t>(joint);
    const JointRole role = roles[own].role;
    if (skeleton.kinds[own] != JointKind::joint) continue;
    if (role == JointRole::root || role == JointRole::control) continue;
    const bool ambiguous = std::count(roles.begin(), roles.end(), roles[own]) > 1 || roles[own].index > 1;
    const Mat3d to_character = Transform::from_matrix(skeleton.rest[own]).rotation.toRotationMatrix();
    const Movement movement = movement_of(role);
    for (int axis = 0; axis < 3; ++axis) {
      if (!movement.verbs[static_cast<std::size_t>(axis)]) continue;
      const double to_degrees = 180 / M_PI;
      const double degrees =
          angle_to_show(to_degrees * limits[own].low[axis], to_degrees * limits[own].high[axis], axis == 2);
      CheckPose pose;
      pose.name =
          pose_name(skeleton, joint, roles[own], movement.verbs[static_cast<std::size_t>(axis)], degrees, ambiguous);
      pose.joint = joint;
      pose.axis = to_character * limits[own].axes.col(axis);
      pose.degrees = degrees;
      poses.push_back(std::move(pose));
    }
  }
  return poses;
}

}  // namespace sinew
