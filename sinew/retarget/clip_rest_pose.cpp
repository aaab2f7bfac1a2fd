#include "sinew/retarget/clip_rest_pose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "sinew/anatomy/joint_map.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/anatomy/legs.h"

namespace sinew {

Skeleton with_rest_rotations_of(const Skeleton& clip, const Skeleton& reference) {
  const JointMatch names = match_joints(clip, reference);
  const Pose reference_pose = rest_pose(reference);
  Pose pose = rest_pose(clip);
  for (int joint = 0; joint < clip.joint_count(); ++joint) {
    const int other = names.truth_of[joint];
    if (other < 0) continue;
    const int parent = clip.parents[joint], other_parent = reference.parents[other];
    // Only where both hang on the same joint does the local rotation mean the same.
    const bool same_parent = parent >= 0 && other_parent >= 0 && names.truth_of[parent] == other_parent;
    if (same_parent) pose[joint].rotation = reference_pose[other].rotation;
    if (!same_parent) {
      // The first of a chain of namesakes: its orientation in character space.
      const Quatd wanted = Transform::from_matrix(reference.rest[other]).rotation;
      const Affine3d above = parent >= 0 ? global_transforms(clip, pose)[parent] : Affine3d::Identity();
      pose[joint].rotation = Transform::from_matrix(above).rotation.conjugate() * wanted;
    }
  }
  Skeleton result = clip;
  result.rest = global_transforms(clip, pose);
  return result;
}

namespace {

double asymmetry_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  const std::vector<Leg> legs = legs_of(skeleton, joints);
  if (legs.size() < 2) return 0;
  const BodyFrame frame = body_frame(skeleton, joints);
  std::map<std::pair<JointRole, int>, std::array<int, 2>> pairs;
  Vec3d middle = Vec3d::Zero();
  int count = 0;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const JointIdentity& own = joints[joint];
    const bool limb = own.role == JointRole::thigh || own.role == JointRole::shin || own.role == JointRole::foot ||
                      own.role == JointRole::upper_arm || own.role == JointRole::forearm || own.role == JointRole::hand;
    if (!limb || own.side == BodySide::centre) continue;
    const auto place = pairs.try_emplace({own.role, own.index}, std::array<int, 2>{-1, -1}).first;
    place->second[own.side == BodySide::left ? 0 : 1] = joint;
    if (own.role == JointRole::thigh) middle += skeleton.position(joint), ++count;
  }
  if (count > 0) middle /= count;
  double worst = 0;
  for (const auto& [key, pair] : pairs) {
    if (pair[0] < 0 || pair[1] < 0) continue;
    Vec3d p = skeleton.position(pair[0]) - middle;
    p -= 2 * p.dot(frame.left) * frame.left;
    worst = std::max(worst, (p - (skeleton.position(pair[1]) - middle)).norm());
  }
  return worst / legs[0].length(skeleton);
}

double standing_error_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  const auto first = [&](JointRole role, BodySide side) {
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
      if (joints[joint].role == role && joints[joint].side == side) return joint;
    }
    return -1;
  };
  Vec3d hips = Vec3d::Zero(), shoulders = Vec3d::Zero();
  std::array<Vec3d, 2> legs;
  double bent = 0;
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    const int thigh = first(JointRole::thigh, side), shin = first(JointRole::shin, side),
              foot = first(JointRole::foot, side), arm = first(JointRole::upper_arm, side);
    if (thigh < 0 || shin < 0 || foot < 0 || arm < 0) return std::numeric_limits<double>::infinity();
    hips += 0.5 * skeleton.position(thigh);
    shoulders += 0.5 * skeleton.position(arm);
    Vec3d& leg = legs[side == BodySide::left ? 0 : 1];
    leg = skeleton.position(foot) - skeleton.position(thigh);
    const double length = (skeleton.position(shin) - skeleton.position(thigh)).norm() +
                          (skeleton.position(foot) - skeleton.position(shin)).norm();
    bent = std::max(bent, length > 0 ? 1 - leg.norm() / length : 1.0);
  }
  const Vec3d trunk = shoulders - hips;
  double spread = 0;
  for (const Vec3d& leg : legs) spread = std::max(spread, std::atan2(leg.cross(-trunk).norm(), leg.dot(-trunk)));
  return std::max({spread / (45 * M_PI / 180), bent / 0.2, asymmetry_of(skeleton, joints) / 0.8});
}

constexpr double not_at_rest = 0.15;  // artists' bind poses stay below 0.06, frames of a walk begin at 0.2
constexpr int most_frames = 300;      // are looked at of all motions together

Skeleton posed_skeleton(const Skeleton& skeleton, const Motion& motion, int frame) {
  Skeleton result = skeleton;
  result.rest = global_transforms(skeleton, frame_pose(motion, frame));
  return result;
}

struct BestFrame {
  Skeleton skeleton;
  const Motion* motion = nullptr;
  int frame = -1;
  double error = std::numeric_limits<double>::infinity();
  Vec3d up = Vec3d::Zero();  // mean direction from the feet to the hips
  int frames = 0;            // looked at
};

BestFrame best_standing_frame(const Skeleton& clip, const std::vector<Motion>& motions) {
  BestFrame best;
  int frames = 0;
  for (const Motion& motion : motions) frames += motion.frame_count();
  const int step = std::max(1, frames / most_frames);
  // Names tell the parts in every pose alike; where they do not, each pose is looked at by itself.
  bool by_structure = false;
  const std::vector<JointIdentity> joints = identify_joints_anyhow(clip, &by_structure);
  const std::vector<Leg> legs = legs_of(clip, joints);
  for (const Motion& motion : motions) {
    if (motion.joint_count != clip.joint_count()) continue;
    for (int frame = 0; frame < motion.frame_count(); frame += step) {
      Skeleton posed = posed_skeleton(clip, motion, frame);
      ++best.frames;
      for (const Leg& leg : legs) {
        best.up += (posed.position(leg.limb.root) - posed.position(leg.limb.end)).normalized();
      }
      const double error = standing_error_of(posed, by_structure ? identify_joints_anyhow(posed) : joints);
      if (!(error < best.error)) continue;
      best.skeleton = std::move(posed);
      best.motion = &motion;
      best.frame = frame;
      best.error = error;
    }
  }
  if (best.frames > 0 && !legs.empty()) best.up /= static_cast<double>(best.frames) * static_cast<double>(legs.size());
  return best;
}

// One pose may fly or lie; a motion that stands for most of its frames does not.
constexpr int frames_that_tell = 20;

// Whether the motion stands along the file's up axis while the rest pose lies.
bool lies_at_rest(const Skeleton& clip, const BestFrame& best) {
  if (best.frames < frames_that_tell) return false;
  const Vec3d up = body_frame(clip, identify_joints_anyhow(clip)).up;
  return up.y() < 0.5 && best.up.normalized().y() > 0.87 && best.up.norm() > 0.7;
}

ClipRest at_frame(const Skeleton& clip, const std::vector<Motion>& motions, int frame) {
  for (const Motion& motion : motions) {
    if (frame >= 0 && frame < motion.frame_count() && motion.joint_count == clip.joint_count()) {
      return {posed_skeleton(clip, motion, frame), true};
    }
  }
  throw Error(ErrorCode::settings_invalid, "the motion has no frame " + std::to_string(frame) + " to take as rest pose")
      .about("rest_frame");
}

}  // namespace

double rest_asymmetry(const Skeleton& skeleton) { return asymmetry_of(skeleton, identify_joints_anyhow(skeleton)); }

double standing_error(const Skeleton& skeleton) {
  return standing_error_of(skeleton, identify_joints_anyhow(skeleton));
}

ClipRest clip_rest_pose(const Skeleton& clip, const std::vector<Motion>& motions, const Skeleton& target,
                        const RetargetOptions& options, Warnings& warnings) {
  if (options.rest) return {with_rest_rotations_of(clip, *options.rest)};
  if (options.rest_choice == RestChoice::frame) return at_frame(clip, motions, options.rest_frame);
  if (options.rest_choice == RestChoice::stored) return {clip};
  const double asymmetry = rest_asymmetry(clip), error = standing_error(clip);
  // A rest pose that stands needs no look at the motion; animals never stand upright, in no frame.
  if (asymmetry < not_at_rest && error < 2 && body_frame(clip, identify_joints_anyhow(clip)).up.y() > 0.5)
    return {clip};
  BestFrame best = best_standing_frame(clip, motions);
  const bool lies = best.error < 1 && lies_at_rest(clip, best);
  const bool better = best.error < 1 && error > 2;
  if (asymmetry < not_at_rest && !better && !lies) return {clip};
  const JointMatch names = match_joints(clip, target);
  const bool same_rig =
      names.matched() > 0 && (2 * names.matched() >= clip.joint_count() || 2 * names.matched() >= target.joint_count());
  if (same_rig && rest_asymmetry(target) < not_at_rest) {
    warnings.push_back({"rest-pose-replaced",
                        "the motion's skeleton is not at rest in its file; the rest pose of the character, whose "
                        "joints have the same names, was used"});
    return {with_rest_rotations_of(clip, target)};
  }
  if (lies || (best.error < 1.2 && best.error < 0.7 * error)) {
    const int percent = static_cast<int>(std::lround(100 / (1 + best.error)));
    warnings.push_back({"rest-pose-from-motion", "the motion's skeleton is not at rest in its file; frame " +
                                                     std::to_string(best.frame) + " of '" + best.motion->name +
                                                     "', which stands upright, was taken as its rest pose (" +
                                                     std::to_string(percent) + " % sure)"});
    return {std::move(best.skeleton), true};
  }
  warnings.push_back({"posed-rest-pose",
                      "the motion's skeleton is not at rest in its file, so the result may be twisted; give "
                      "the rest pose of a character with the same rig"});
  return {clip};
}

}  // namespace sinew
