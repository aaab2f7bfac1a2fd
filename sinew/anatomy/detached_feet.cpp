#include "sinew/anatomy/detached_feet.h"

#include <array>
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

}  // namespace

AttachedFeet attach_detached_feet(const Skeleton& skeleton) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  std::vector<int> parents = skeleton.parents;
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    attach_limb(skeleton, joints, hind_limb, side, parents);
    attach_limb(skeleton, joints, front_limb, side, parents);
  }
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
