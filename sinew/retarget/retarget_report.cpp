#include "sinew/retarget/retarget_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "sinew/anatomy/joint_limits.h"

namespace sinew {
namespace {

constexpr double to_degrees = 180.0 / M_PI;
constexpr double past_limit = 10.0 / to_degrees;  // taste of the one who wrote down the limits

double height_along(const Skeleton& skeleton, const Vec3d& up) {
  double low = 1e300, high = -1e300;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] == JointKind::helper) continue;
    low = std::min(low, skeleton.position(joint).dot(up));
    high = std::max(high, skeleton.position(joint).dot(up));
  }
  return std::max(high - low, 1e-12);
}

struct BonePair {
  int from, to, source_from, source_to;
};

int first_with(const std::vector<JointIdentity>& joints, JointRole role, BodySide side) {
  const auto found = std::find_if(joints.begin(), joints.end(),
                                  [&](const JointIdentity& joint) { return joint.role == role && joint.side == side; });
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

// The bones of arms and legs that both skeletons have.
std::vector<BonePair> limb_bones(const ReportInput& input) {
  using R = JointRole;
  std::vector<BonePair> bones;
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    for (const auto& [from, to] : {std::pair{R::thigh, R::shin}, std::pair{R::shin, R::foot},
                                   std::pair{R::upper_arm, R::forearm}, std::pair{R::forearm, R::hand}}) {
      const BonePair bone{first_with(input.target_joints, from, side), first_with(input.target_joints, to, side),
                          first_with(input.source_joints, from, side), first_with(input.source_joints, to, side)};
      if (bone.from < 0 || bone.to < 0 || bone.source_from < 0 || bone.source_to < 0) continue;
      if (input.map.links[bone.from].source >= 0) bones.push_back(bone);
    }
  }
  return bones;
}

double direction_error(const ReportInput& input, const std::vector<std::vector<Vec3d>>& positions) {
  double sum = 0;
  long count = 0;
  for (const BonePair& bone : limb_bones(input)) {
    for (std::size_t f = 0; f < positions.size(); ++f) {
      const Vec3d own = positions[f][bone.to] - positions[f][bone.from];
      const Vec3d wanted =
          input.alignment * (input.source_positions[f][bone.source_to] - input.source_positions[f][bone.source_from]);
      sum += std::atan2(own.cross(wanted).norm(), own.dot(wanted));
      ++count;
    }
  }
  return count > 0 ? to_degrees * sum / static_cast<double>(count) : 0.0;
}

// Lowest point of feet and toes above where it is at rest, per frame: the deepest, and the middle of those frames in
// which something stands.
void measure_floor(const ReportInput& input, const std::vector<std::vector<Vec3d>>& positions, double height,
                   RetargetReport& report) {
  std::vector<char> stands(positions.size(), 0);
  for (const FootContact& contact : input.contacts) {
    if (!input.legs[contact.leg].hand) std::fill(&stands[contact.begin], &stands[0] + contact.end, 1);
  }
  std::vector<double> standing;
  for (std::size_t f = 0; f < positions.size(); ++f) {
    double lowest = 1e300;
    for (const Leg& leg : input.legs) {
      if (leg.hand) continue;
      for (const int joint : {leg.limb.end, leg.toe}) {
        if (joint < 0) continue;
        lowest = std::min(lowest, (positions[f][joint] - input.target.position(joint)).dot(input.up) / height);
      }
    }
    if (lowest > 1e299) return;
    report.floor_deepest = f == 0 ? lowest : std::min(report.floor_deepest, lowest);
    if (stands[f]) standing.push_back(lowest);
  }
  if (standing.empty()) return;
  const auto middle = standing.begin() + static_cast<std::ptrdiff_t>(standing.size() / 2);
  std::nth_element(standing.begin(), middle, standing.end());
  report.floor_median = *middle;
}

// Share of the turns of arms, legs and spine that no body can make.
double limits_broken(const ReportInput& input) {
  const JointLimits limits = default_joint_limits(input.target);
  const Pose rest = rest_pose(input.target);
  long count = 0, broken = 0;
  for (int joint = 0; joint < input.target.joint_count(); ++joint) {
    if (limits[joint].carries_body || input.map.links[joint].source < 0) continue;
    for (const Pose& pose : input.poses) {
      const Vec3d angles = joint_angles(rest[joint].rotation, pose[joint].rotation, limits[joint]);
      const Vec3d beyond = (angles - limits[joint].high).cwiseMax(limits[joint].low - angles);
      ++count;
      broken += beyond.maxCoeff() > past_limit;
    }
  }
  return count > 0 ? static_cast<double>(broken) / static_cast<double>(count) : 0.0;
}

std::pair<double, double> slide_of(const ReportInput& input, const std::vector<std::vector<Vec3d>>& positions,
                                   double height) {
  double worst = 0, sum = 0;
  for (const FootContact& contact : input.contacts) {
    const double slide = contact_slide(positions, contact, input.legs, input.up) / height;
    worst = std::max(worst, slide);
    sum += slide;
  }
  return {worst, input.contacts.empty() ? 0.0 : sum / static_cast<double>(input.contacts.size())};
}

}  // namespace

std::pair<double, double> measure_slide(const ReportInput& input) {
  return slide_of(input, joint_positions(input.target, input.poses), height_along(input.target, input.up));
}

void measure_motion(const ReportInput& input, RetargetReport& report) {
  const std::vector<std::vector<Vec3d>> positions = joint_positions(input.target, input.poses);
  const double height = height_along(input.target, input.up);
  std::tie(report.worst_slide, report.mean_slide) = slide_of(input, positions, height);
  report.contacts = static_cast<int>(input.contacts.size());
  report.direction_error = direction_error(input, positions);
  report.limits_broken = limits_broken(input);
  measure_floor(input, positions, height, report);
}

}  // namespace sinew
