#include "sinew/retarget/clip_rest_pose.h"

#include <algorithm>
#include <array>
#include <map>

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

double rest_asymmetry(const Skeleton& skeleton) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
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

Skeleton usable_rest_pose(const Skeleton& clip, const Skeleton& target, Warnings& warnings) {
  constexpr double not_at_rest = 0.15;  // artists' bind poses stay below 0.06, frames of a walk begin at 0.2
  if (rest_asymmetry(clip) < not_at_rest) return clip;
  const JointMatch names = match_joints(clip, target);
  if (2 * names.matched() < clip.joint_count() && 2 * names.matched() < target.joint_count()) {
    warnings.push_back({"posed-rest-pose",
                        "the motion's skeleton is not at rest in its file, so the result may be twisted; give "
                        "the rest pose of a character with the same rig"});
    return clip;
  }
  warnings.push_back({"rest-pose-replaced",
                      "the motion's skeleton is not at rest in its file; the rest pose of the character, whose joints "
                      "have the same names, was used"});
  return with_rest_rotations_of(clip, target);
}

}  // namespace sinew
