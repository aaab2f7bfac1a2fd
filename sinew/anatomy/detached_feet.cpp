#include "sinew/anatomy/detached_feet.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <numeric>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace {

using LimbRoles = std::array<JointRole, 4>;
constexpr LimbRoles hind_limb = {JointRole::thigh, JointRole::shin, JointRole::foot, JointRole::toe};
constexpr LimbRoles front_limb = {JointRole::upper_arm, JointRole::forearm, JointRole::hand, JointRole::middle_finger};

int first_with(const std::vector<JointIdentity>& joints, JointRole role, BodySide side) {
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    if (joints[joint].role == role && joints[joint].side == side) return static_cast<int>(joint);
  }
  return -1;
}

// New parents of one limb's joints: a part that hangs on none of the parts before it hangs on the last of them.
void attach_limb(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, const LimbRoles& roles,
                 BodySide side, std::vector<int>& parents) {
  const int root = first_with(joints, roles[0], side);
  if (root < 0) return;
  int last = root;
  double length = 0;
  for (std::size_t i = 1; i < roles.size(); ++i) {
    const int joint = first_with(joints, roles[i], side);
    if (joint < 0) continue;
    const double away = (skeleton.position(joint) - skeleton.position(last)).norm();
    // Five times the limb so far is no part of this limb. A thigh without a shin is not enough to tell.
    if (!hangs_on(parents, joint, root) && i > 1 && away < 5 * length && !hangs_on(parents, last, joint)) {
      parents[joint] = last;
    }
    length += away;
    last = joint;
  }
}

// Joints with every parent before its children, otherwise in their old order.
std::vector<int> parents_first(const std::vector<int>& parents) {
  std::vector<int> order;
  std::vector<char> done(parents.size(), 0);
  while (order.size() < parents.size()) {
    for (std::size_t joint = 0; joint < parents.size(); ++joint) {
      if (done[joint] || (parents[joint] >= 0 && !done[parents[joint]])) continue;
      done[joint] = 1;
      order.push_back(static_cast<int>(joint));
    }
  }
  return order;
}

std::vector<int> with_feet_attached(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  std::vector<int> parents = skeleton.parents;
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    attach_limb(skeleton, joints, hind_limb, side, parents);
    attach_limb(skeleton, joints, front_limb, side, parents);
  }
  return parents;
}

// Everything that hangs beside the body, on what carries it, is hung on the body: legs on the hips, arms and head on the
// chest, anything else on the joint that is nearest.
class BodyGatherer {
 public:
  BodyGatherer(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, std::vector<int>& parents)
      : skeleton_(skeleton),
        joints_(joints),
        parents_(parents),
        hips_(first_with(joints, JointRole::hips, BodySide::centre)) {}

  void run() {
    if (hips_ < 0) return;
    measure_legs();
    int top = hips_;
    while (parents_[top] >= 0 && !only_carries(parents_[top])) top = parents_[top];
    std::vector<char> of_body(joints_.size(), 0);
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) of_body[joint] = hangs_on(parents_, joint, top);
    std::vector<int> beside;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      const int parent = parents_[joint];
      const bool first = (parent < 0 || only_carries(parent)) && !only_carries(joint);
      const bool apart = !of_body[joint] && !hangs_on(parents_, top, joint);
      if (first && apart && skeleton_.kinds[joint] == JointKind::joint) beside.push_back(joint);
    }
    for (const bool limbs : {true, false}) {
      for (const int joint : beside) {
        const int place = place_of(joint, of_body, limbs);
        if (place < 0) continue;
        parents_[joint] = place;
        for (int below = 0; limbs && below < skeleton_.joint_count(); ++below) {
          if (hangs_on(parents_, below, joint)) of_body[below] = 1;
        }
      }
    }
  }

 private:
  void measure_legs() {
    int count = 0;
    for (const BodySide side : {BodySide::left, BodySide::right}) {
      const int thigh = first_with(joints_, JointRole::thigh, side), foot = first_with(joints_, JointRole::foot, side);
      if (thigh < 0) continue;
      middle_ += skeleton_.position(thigh);
      ++count;
      if (foot >= 0) leg_ = (skeleton_.position(foot) - skeleton_.position(thigh)).norm();
    }
    if (count > 0) middle_ /= count;
  }

  // A root on the floor, or a group of the file. What stands between the hip joints is a pelvis whatever it is called.
  bool only_carries(int joint) const {
    if (skeleton_.kinds[joint] != JointKind::joint) return true;
    if (joints_[joint].role != JointRole::root) return false;
    return leg_ <= 0 || (skeleton_.position(joint) - middle_).norm() > 0.35 * leg_;
  }

  bool any_below(int top, std::initializer_list<JointRole> roles) const {
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (std::find(roles.begin(), roles.end(), joints_[joint].role) == roles.end()) continue;
      if (hangs_on(parents_, joint, top)) return true;
    }
    return false;
  }

  // What a loose joint hangs on from now on; -1: nothing, or not in this round.
  int place_of(int joint, const std::vector<char>& of_body, bool limbs) const {
    const bool leg = any_below(joint, {JointRole::thigh});
    const bool upper = any_below(joint, {JointRole::upper_arm, JointRole::head, JointRole::neck});
    if (limbs != (leg || upper)) return -1;
    if (leg) return hips_;
    if (upper) {
      for (const JointRole role : {JointRole::chest, JointRole::spine}) {
        const int trunk = last_with(role);
        if (trunk >= 0 && of_body[trunk] && !hangs_on(parents_, trunk, joint)) return trunk;
      }
      return hips_;
    }
    int nearest = -1;
    double least = 0;
    for (int other = 0; other < skeleton_.joint_count(); ++other) {
      if (!of_body[other] || skeleton_.kinds[other] != JointKind::joint || hangs_on(parents_, other, joint)) continue;
      const double away = (skeleton_.position(other) - skeleton_.position(joint)).norm();
      if (nearest < 0 || away < least) nearest = other, least = away;
    }
    return nearest;
  }

  int last_with(JointRole role) const {
    for (int joint = skeleton_.joint_count() - 1; joint >= 0; --joint) {
      if (joints_[joint].role == role && joints_[joint].side == BodySide::centre) return joint;
    }
    return -1;
  }

  const Skeleton& skeleton_;
  const std::vector<JointIdentity>& joints_;
  std::vector<int>& parents_;
  int hips_;
  Vec3d middle_ = Vec3d::Zero();  // of both hip joints
  double leg_ = 0;
};

AttachedFeet with_parents(const Skeleton& skeleton, const std::vector<int>& parents) {
  AttachedFeet result{skeleton, std::vector<int>(parents.size()), std::vector<int>(parents.size()), false};
  std::iota(result.original.begin(), result.original.end(), 0);
  result.index_of = result.original;
  if (parents == skeleton.parents) return result;
  result.changed = true;
  result.original = parents_first(parents);
  for (std::size_t i = 0; i < parents.size(); ++i) result.index_of[result.original[i]] = static_cast<int>(i);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const int old = result.original[i];
    result.skeleton.names[i] = skeleton.names[old];
    result.skeleton.rest[i] = skeleton.rest[old];
    result.skeleton.kinds[i] = skeleton.kinds[old];
    result.skeleton.parents[i] = parents[old] >= 0 ? result.index_of[parents[old]] : -1;
  }
  return result;
}

}  // namespace

AttachedFeet attach_detached_feet(const Skeleton& skeleton) {
  return with_parents(skeleton, with_feet_attached(skeleton, identify_joints_anyhow(skeleton)));
}

AttachedFeet gather_body(const Skeleton& skeleton) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  std::vector<int> parents = with_feet_attached(skeleton, joints);
  BodyGatherer(skeleton, joints, parents).run();
  return with_parents(skeleton, parents);
}

Motion reparent_motion(const Motion& motion, const Skeleton& from, const Skeleton& to,
                       const std::vector<int>& from_of) {
  Motion result{motion.name, motion.frames_per_second, to.joint_count(), {}};
  result.transforms.resize(motion.transforms.size());
  parallel_for(static_cast<std::size_t>(motion.frame_count()), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      const std::vector<Affine3d> global = global_transforms(from, frame_pose(motion, static_cast<int>(f)));
      for (int joint = 0; joint < to.joint_count(); ++joint) {
        const int old = from_of[joint], parent = to.parents[joint];
        // Joints that keep their parent keep their numbers, to the last bit.
        const bool same = parent >= 0 ? from.parents[old] == from_of[parent] : from.parents[old] < 0;
        Transform& local = result.transforms[f * static_cast<std::size_t>(to.joint_count()) + joint];
        if (same) {
          local = motion.transforms[f * static_cast<std::size_t>(motion.joint_count) + old];
        } else {
          local = Transform::from_matrix(parent >= 0 ? global[from_of[parent]].inverse() * global[old] : global[old]);
        }
      }
    }
  });
  return result;
}

}  // namespace sinew
