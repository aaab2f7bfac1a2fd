#include "sinew/retarget/motion_quality.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sinew/anatomy/detached_feet.h"
#include "sinew/anatomy/joint_limits.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"
#include "sinew/retarget/body_contacts.h"

namespace sinew {
namespace {

constexpr double past_limit = 10.0 * M_PI / 180.0;  // taste of the one who wrote down the limits
constexpr double own_floor = 0.05;  // of the height: a file whose feet stand further off has another floor than at rest

double middle_of(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Turn about the bone, in degrees: of rotation = swing · twist.
double twist_about(const Quatd& rotation, const Vec3d& bone) {
  const double angle = 2 * std::atan2(rotation.vec().dot(bone), rotation.w());
  return std::abs(angle - 2 * M_PI * std::round(angle / (2 * M_PI))) * 180.0 / M_PI;
}

bool is_limb(JointRole role) {
  return role == JointRole::upper_arm || role == JointRole::forearm || role == JointRole::hand ||
         role == JointRole::thigh || role == JointRole::shin || role == JointRole::foot;
}

// How far above the floor of the rest pose the feet stand in the motion, where that is another floor.
double raised_floor(const Skeleton& skeleton, const FramePositions& positions, const std::vector<FootContact>& contacts,
                    const std::vector<Leg>& legs, const Vec3d& up, double height) {
  std::vector<double> above;
  for (const FootContact& contact : contacts) {
    const Leg& leg = legs[contact.leg];
    if (leg.hand) continue;
    const int joint = contact.toe ? leg.toe : leg.limb.end;
    for (int f = contact.begin; f < contact.end; ++f)
      above.push_back((positions[f][joint] - skeleton.position(joint)).dot(up));
  }
  const double raised = middle_of(above);
  return std::abs(raised) > own_floor * height ? raised : 0.0;
}

}  // namespace

double height_along(const Skeleton& skeleton, const Vec3d& up) {
  double low = 1e300, high = -1e300;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] == JointKind::helper) continue;
    low = std::min(low, skeleton.position(joint).dot(up));
    high = std::max(high, skeleton.position(joint).dot(up));
  }
  return std::max(high - low, 1e-12);
}

std::pair<double, double> slide_of(const FramePositions& positions, const std::vector<FootContact>& contacts,
                                   const std::vector<Leg>& legs, const Vec3d& up, double height) {
  double worst = 0, sum = 0;
  for (const FootContact& contact : contacts) {
    const double slide = contact_slide(positions, contact, legs, up) / height;
    worst = std::max(worst, slide);
    sum += slide;
  }
  return {worst, contacts.empty() ? 0.0 : sum / static_cast<double>(contacts.size())};
}

FloorContact floor_contact(const FloorInput& input) {
  std::vector<char> stands(input.positions.size(), 0);
  for (const FootContact& contact : input.contacts) {
    if (!input.legs[contact.leg].hand) std::fill(&stands[contact.begin], &stands[0] + contact.end, 1);
  }
  FloorContact result;
  std::vector<double> standing;
  for (std::size_t f = 0; f < input.positions.size(); ++f) {
    double lowest = 1e300;
    for (const Leg& leg : input.legs) {
      if (leg.hand) continue;
      for (const int joint : {leg.limb.end, leg.toe}) {
        if (joint < 0) continue;
        const double above = (input.positions[f][joint] - input.skeleton.position(joint)).dot(input.up) - input.raised;
        lowest = std::min(lowest, above / input.height);
      }
    }
    if (lowest > 1e299) return {};
    result.deepest = f == 0 ? lowest : std::min(result.deepest, lowest);
    if (stands[f]) standing.push_back(lowest);
  }
  result.median = middle_of(standing);
  return result;
}

double limits_broken(const Skeleton& skeleton, const std::vector<Pose>& poses, const std::vector<char>& counts) {
  const JointLimits limits = default_joint_limits(skeleton);
  const Pose rest = rest_pose(skeleton);
  long count = 0, broken = 0;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (limits[joint].carries_body || skeleton.kinds[joint] != JointKind::joint) continue;
    if (!counts.empty() && !counts[joint]) continue;
    for (const Pose& pose : poses) {
      const Vec3d angles = joint_angles(rest[joint].rotation, pose[joint].rotation, limits[joint]);
      const Vec3d beyond = (angles - limits[joint].high).cwiseMax(limits[joint].low - angles);
      ++count;
      broken += beyond.maxCoeff() > past_limit;
    }
  }
  return count > 0 ? static_cast<double>(broken) / static_cast<double>(count) : 0.0;
}

double largest_twist(const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                     const std::vector<Pose>& poses) {
  const Pose rest = rest_pose(skeleton);
  double largest = 0;
  for (int child = 0; child < skeleton.joint_count(); ++child) {
    const int joint = skeleton.parents[child];
    if (joint < 0 || !is_limb(joints[joint].role) || poses.empty()) continue;
    const Vec3d bone = rest[child].translation;
    // Of the joints that hang on a limb's the next one of the limb shows its bone.
    if (!(bone.norm() > 0) || (!is_limb(joints[child].role) && joints[joint].role != JointRole::hand)) continue;
    std::vector<double> turns;
    for (const Pose& pose : poses) {
      turns.push_back(twist_about(rest[joint].rotation.conjugate() * pose[joint].rotation, bone.normalized()));
    }
    const auto rank = turns.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(turns.size() - 1));
    std::nth_element(turns.begin(), rank, turns.end());
    largest = std::max(largest, *rank);
  }
  return largest;
}

MotionQuality motion_quality(const Skeleton& given, const Motion& motion, const BodyGirths& girths) {
  MotionQuality quality;
  quality.motion = motion.name;
  quality.frames = motion.frame_count();
  quality.seconds = motion.duration();
  const AttachedFeet body = gather_body(given);
  const Skeleton& skeleton = body.skeleton;
  const Motion played = body.changed ? reparent_motion(motion, given, skeleton, body.original) : motion;
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  const BodyFrame frame = body_frame(skeleton, joints);
  std::vector<Leg> legs = legs_of(skeleton, joints);
  if (!legs.empty()) {
    const std::vector<Leg> arms = arms_of(skeleton, joints);
    legs.insert(legs.end(), arms.begin(), arms.end());
  }
  const FramePositions positions = joint_positions(skeleton, played);
  const std::vector<FootContact> contacts =
      find_contacts(skeleton, positions, motion.frames_per_second, legs, frame.up);
  const double height = height_along(skeleton, frame.up);
  quality.contacts = static_cast<int>(contacts.size());
  std::tie(quality.worst_slide, quality.mean_slide) = slide_of(positions, contacts, legs, frame.up, height);
  const double raised = raised_floor(skeleton, positions, contacts, legs, frame.up, height);
  const FloorContact floor = floor_contact({skeleton, positions, contacts, legs, frame.up, height, raised});
  quality.floor_deepest = floor.deepest;
  quality.floor_median = floor.median;
  std::vector<Pose> poses;
  for (int f = 0; f < played.frame_count(); ++f) poses.push_back(frame_pose(played, f));
  quality.limits_broken = limits_broken(skeleton, poses);
  quality.twist = largest_twist(skeleton, joints, poses);
  const BodyVolume shape = body_volume(skeleton, joints, girths);
  for (const Pose& pose : poses) {
    const double inside = self_penetration({skeleton, joints, shape, frame}, pose);
    quality.self_penetration += inside / static_cast<double>(poses.size());
    quality.deepest_self_penetration = std::max(quality.deepest_self_penetration, inside);
  }
  return quality;
}

}  // namespace sinew
