#include "sinew/retarget/body_volume.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/anatomy/joint_structure.h"

namespace sinew {
namespace {

// Of a person's height, as anthropometric tables have them.
constexpr double trunk_width = 0.095, trunk_depth = 0.065, head_radius = 0.06, head_middle = 0.06, arm_radius = 0.028,
                 thigh_radius = 0.05, shin_radius = 0.035;
constexpr double legs_and_trunk = 0.79;           // hip joint to ankle and to the base of the neck, together
constexpr double thinnest = 0.5, thickest = 3.0;  // of a person's: further off it was not flesh that was measured

int first_with(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, JointRole role, BodySide side) {
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (joints[joint].role == role && joints[joint].side == side && skeleton.kinds[joint] == JointKind::joint)
      return joint;
  }
  return -1;
}

double known_or(double measured, double usual) {
  return measured > 0 ? std::clamp(measured, thinnest * usual, thickest * usual) : usual;
}

double percentile_85(std::vector<double>& values) {
  if (values.size() < 12) return 0;
  const auto rank = values.begin() + static_cast<std::ptrdiff_t>(0.85 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), rank, values.end());
  return *rank;
}

bool belongs_to(JointRole role, BodyPart::Kind kind) {
  switch (kind) {
    case BodyPart::Kind::trunk:
      return role == JointRole::hips || role == JointRole::spine || role == JointRole::chest;
    case BodyPart::Kind::head:
      return role == JointRole::head;
    case BodyPart::Kind::upper_arm:
      return role == JointRole::upper_arm;
    case BodyPart::Kind::thigh:
      return role == JointRole::thigh;
    case BodyPart::Kind::shin:
      return role == JointRole::shin;
  }
  return false;
}

// The trunk from between the thighs to where the neck begins.
bool add_trunk(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, BodyVolume& shape) {
  const int hips = first_with(skeleton, joints, JointRole::hips, BodySide::centre);
  int top = first_with(skeleton, joints, JointRole::neck, BodySide::centre);
  if (top < 0) top = first_with(skeleton, joints, JointRole::head, BodySide::centre);
  const int left = first_with(skeleton, joints, JointRole::thigh, BodySide::left),
            right = first_with(skeleton, joints, JointRole::thigh, BodySide::right);
  if (hips < 0 || top < 0 || left < 0 || right < 0) return false;
  BodyPart trunk{BodyPart::Kind::trunk, BodySide::centre, hips, top, {}, skeleton.position(top), 0, 0};
  trunk.begin = 0.5 * (skeleton.position(left) + skeleton.position(right));
  shape.parts.push_back(trunk);
  return true;
}

void add_limb(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, BodyPart::Kind kind, JointRole from,
              JointRole to, BodySide side, double radius, BodyVolume& shape) {
  const int a = first_with(skeleton, joints, from, side), b = first_with(skeleton, joints, to, side);
  if (a < 0 || b < 0) return;
  shape.parts.push_back({kind, side, a, b, skeleton.position(a), skeleton.position(b), radius, radius});
}

double leg_length(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  double longest = 0;
  for (const Leg& leg : legs_of(skeleton, joints)) longest = std::max(longest, leg.length(skeleton));
  return longest;
}

}  // namespace

BodyVolume body_volume(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, const BodyGirths& girths) {
  BodyVolume shape;
  if (stands_on_all_fours(skeleton, joints) || !add_trunk(skeleton, joints, shape)) return {};
  shape.arms = arms_of(skeleton, joints);
  BodyPart& trunk = shape.parts[0];
  shape.height = (leg_length(skeleton, joints) + (trunk.end - trunk.begin).norm()) / legs_and_trunk;
  if (shape.arms.size() != 2 || !(shape.height > 0)) return {};
  trunk.width = known_or(girths.trunk_width, trunk_width * shape.height);
  trunk.depth = known_or(girths.trunk_depth, trunk_depth * shape.height);
  if (const int head = first_with(skeleton, joints, JointRole::head, BodySide::centre); head >= 0) {
    const double radius = known_or(girths.head, head_radius * shape.height);
    const Vec3d middle =
        skeleton.position(head) +
        (girths.head_height > 0 ? girths.head_height : head_middle * shape.height) * body_frame(skeleton, joints).up;
    shape.parts.push_back({BodyPart::Kind::head, BodySide::centre, head, head, middle, middle, radius, radius});
  }
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    add_limb(skeleton, joints, BodyPart::Kind::upper_arm, JointRole::upper_arm, JointRole::forearm, side,
             known_or(girths.upper_arm, arm_radius * shape.height), shape);
    add_limb(skeleton, joints, BodyPart::Kind::thigh, JointRole::thigh, JointRole::shin, side,
             known_or(girths.thigh, thigh_radius * shape.height), shape);
    add_limb(skeleton, joints, BodyPart::Kind::shin, JointRole::shin, JointRole::foot, side,
             known_or(girths.shin, shin_radius * shape.height), shape);
  }
  return shape;
}

BodyGirths measure_girths(const Character& character) {
  BodyGirths girths;
  if (!character.has_skin() || character.skeleton.empty()) return girths;
  const Skeleton& skeleton = character.skeleton;
  const SkinWeights& weights = character.weights;
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  const BodyVolume shape = body_volume(skeleton, joints, girths);
  const BodyFrame frame = body_frame(skeleton, joints);
  const std::vector<Affine3d> still(skeleton.names.size(), Affine3d::Identity());
  const int head = first_with(skeleton, joints, JointRole::head, BodySide::centre);
  for (const BodyPart& part : shape.parts) {
    const PlacedPart placed = place_part(part, still, frame);
    std::vector<double> across, forward;
    double low = 1e300, high = -1e300;
    for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
      const std::size_t strongest = v * static_cast<std::size_t>(weights.influences);
      const int joint = weights.joints[strongest];
      if (weights.weights[strongest] <= 0 || !belongs_to(joints[joint].role, part.kind) ||
          joints[joint].side != part.side)
        continue;
      const Vec3d point = character.mesh.positions[v].cast<double>();
      const Vec3d away = placed.axes.transpose() * (point - placed.begin);
      across.push_back(std::abs(away.x()));
      forward.push_back(std::abs(away.z()));
      if (head >= 0) low = std::min(low, (point - skeleton.position(head)).dot(frame.up));
      if (head >= 0) high = std::max(high, (point - skeleton.position(head)).dot(frame.up));
    }
    const double width = percentile_85(across), depth = percentile_85(forward), round = 0.5 * (width + depth);
    switch (part.kind) {
      case BodyPart::Kind::trunk:
        girths.trunk_width = width;
        girths.trunk_depth = depth;
        break;
      case BodyPart::Kind::head:
        girths.head = round;
        if (round > 0) girths.head_height = std::max(0.0, 0.5 * (low + high));
        break;
      case BodyPart::Kind::upper_arm:
        girths.upper_arm = std::max(girths.upper_arm, round);
        break;
      case BodyPart::Kind::thigh:
        girths.thigh = std::max(girths.thigh, round);
        break;
      case BodyPart::Kind::shin:
        girths.shin = std::max(girths.shin, round);
        break;
    }
  }
  return girths;
}

PlacedPart place_part(const BodyPart& part, const std::vector<Affine3d>& skinning, const BodyFrame& frame) {
  PlacedPart placed{skinning[part.from] * part.begin, skinning[part.to] * part.end, Mat3d::Identity()};
  const Mat3d turn = skinning[part.from].linear();
  Vec3d along = placed.end - placed.begin;
  along = along.norm() > 0 ? Vec3d(along.normalized()) : Vec3d((turn * frame.up).normalized());
  Vec3d across = turn * frame.left;
  across -= across.dot(along) * along;
  across = across.norm() > 1e-6 ? Vec3d(across.normalized()) : along.unitOrthogonal();
  placed.axes << across, along, across.cross(along);
  return placed;
}

PartCoordinates coordinates_of(const Vec3d& point, const BodyPart& part, const PlacedPart& placed) {
  const Vec3d bone = placed.end - placed.begin;
  PartCoordinates result;
  if (bone.squaredNorm() > 0)
    result.along = std::clamp((point - placed.begin).dot(bone) / bone.squaredNorm(), 0.0, 1.0);
  const Vec3d away = placed.axes.transpose() * (point - (placed.begin + result.along * bone));
  result.offset = away.cwiseQuotient(Vec3d(part.width, 0.5 * (part.width + part.depth), part.depth));
  return result;
}

Vec3d point_at(const PartCoordinates& coordinates, const BodyPart& part, const PlacedPart& placed) {
  const Vec3d widths(part.width, 0.5 * (part.width + part.depth), part.depth);
  return placed.begin + coordinates.along * (placed.end - placed.begin) +
         placed.axes * coordinates.offset.cwiseProduct(widths);
}

Vec3d palm_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, const Leg& arm,
              const std::vector<Affine3d>& global) {
  Vec3d knuckles = Vec3d::Zero();
  int count = 0;
  for (int joint = arm.limb.end + 1; joint < skeleton.joint_count(); ++joint) {
    const JointIdentity& own = joints[joint];
    if (!is_finger(own.role) || own.role == JointRole::thumb || own.index != 1 || own.side != arm.side) continue;
    knuckles += global[joint].translation();
    ++count;
  }
  const Vec3d wrist = global[arm.limb.end].translation();
  const Vec3d beyond = wrist + 0.3 * (wrist - global[arm.limb.middle].translation());
  // Knuckles that are missing on one of two bodies must not move its palm.
  return count > 0 && (knuckles / count - wrist).norm() > 0
             ? wrist + (beyond - wrist).norm() * (knuckles / count - wrist).normalized()
             : beyond;
}

}  // namespace sinew
