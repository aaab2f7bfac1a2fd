#include "sinew/retarget/retarget_report.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sinew/retarget/motion_quality.h"

namespace sinew {
namespace {

constexpr double to_degrees = 180.0 / M_PI;

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

double direction_error(const ReportInput& input, const FramePositions& positions) {
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

// What the hands go deeper into the own body than they do in the source.
double penetration_gained(const ReportInput& input) {
  if (input.source_body.shape.arms.empty() || input.target_body.shape.arms.empty() || input.poses.empty()) return 0;
  double sum = 0;
  for (std::size_t f = 0; f < input.poses.size(); ++f) {
    const double own = self_penetration(input.target_body, input.poses[f]);
    if (own <= 0) continue;
    const Pose source = frame_pose(input.source_motion, static_cast<int>(f));
    sum += std::max(0.0, own - self_penetration(input.source_body, source));
  }
  return sum / static_cast<double>(input.poses.size());
}

}  // namespace

std::pair<double, double> measure_slide(const ReportInput& input) {
  return slide_of(joint_positions(input.target, input.poses), input.contacts, input.legs, input.up,
                  height_along(input.target, input.up));
}

void measure_motion(const ReportInput& input, RetargetReport& report) {
  const FramePositions positions = joint_positions(input.target, input.poses);
  const double height = height_along(input.target, input.up);
  std::tie(report.worst_slide, report.mean_slide) = slide_of(positions, input.contacts, input.legs, input.up, height);
  report.contacts = static_cast<int>(input.contacts.size());
  report.direction_error = direction_error(input, positions);
  std::vector<char> follows;
  for (const JointLink& link : input.map.links) follows.push_back(link.source >= 0);
  report.limits_broken = limits_broken(input.target, input.poses, follows);
  const FloorContact floor =
      floor_contact({input.target, positions, input.contacts, input.legs, input.up, height, 0.0});
  report.floor_deepest = floor.deepest;
  report.floor_median = floor.median;
  report.self_penetration = penetration_gained(input);
  report.twist = largest_twist(input.target, input.target_joints, input.poses);
}

}  // namespace sinew
