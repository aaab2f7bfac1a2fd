#include "sinew/anatomy/legs.h"

#include <algorithm>

namespace sinew {
namespace {

int find_role(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, JointRole role, BodySide side,
              int below) {
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (joints[joint].role != role || joints[joint].side != side || skeleton.kinds[joint] != JointKind::joint) continue;
    if (below < 0) return joint;
    for (int up = skeleton.parents[joint]; up >= 0; up = skeleton.parents[up]) {
      if (up == below) return joint;
    }
  }
  return -1;
}

// The first toe joint (of paws the lowest), or else whatever hangs on the foot and reaches furthest from it.
int toe_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, int foot, JointRole role, BodySide side,
           bool paw, const Vec3d& up) {
  int named = find_role(skeleton, joints, role, side, foot);
  for (int joint = named + 1; paw && named >= 0 && joint < skeleton.joint_count(); ++joint) {
    if (joints[joint].role != role || joints[joint].side != side || skeleton.kinds[joint] != JointKind::joint) continue;
    if (skeleton.position(joint).dot(up) < skeleton.position(named).dot(up)) named = joint;
  }
  if (named >= 0) return named;
  int best = -1;
  for (int joint = foot + 1; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.parents[joint] != foot) continue;
    const auto reach = [&](int j) { return (skeleton.position(j) - skeleton.position(foot)).norm(); };
    if (reach(joint) > 0 && (best < 0 || reach(joint) > reach(best))) best = joint;
  }
  return best;
}

}  // namespace

double Leg::length(const Skeleton& skeleton) const {
  return (skeleton.position(limb.middle) - skeleton.position(limb.root)).norm() +
         (skeleton.position(limb.end) - skeleton.position(limb.middle)).norm();
}

bool stands_on_all_fours(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  const int hips = find_role(skeleton, joints, JointRole::hips, BodySide::centre, -1);
  const int arm = find_role(skeleton, joints, JointRole::upper_arm, BodySide::left, -1);
  const int thigh = find_role(skeleton, joints, JointRole::thigh, BodySide::left, -1);
  if (hips < 0 || arm < 0 || thigh < 0) return false;
  const Vec3d up = body_frame(skeleton, joints).up;
  const Vec3d trunk = skeleton.position(arm) - skeleton.position(hips);
  if (trunk.dot(up) > 0.6 * trunk.norm()) return false;
  // Front legs reach down as hind legs do; arms that hang end halfway down the thighs.
  const auto lowest_below = [&](int joint) {
    double low = skeleton.position(joint).dot(up);
    std::vector<char> below(skeleton.names.size(), 0);
    for (int j = joint; j < skeleton.joint_count(); ++j) {
      below[j] = j == joint || (skeleton.parents[j] >= 0 && below[skeleton.parents[j]]);
      if (below[j]) low = std::min(low, skeleton.position(j).dot(up));
    }
    return low;
  };
  const double ground = lowest_below(thigh), hind = skeleton.position(thigh).dot(up) - ground;
  return lowest_below(arm) < ground + 0.65 * hind;
}

std::vector<Leg> arms_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  std::vector<Leg> arms;
  if (stands_on_all_fours(skeleton, joints)) return arms;
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    Leg arm;
    arm.side = side;
    arm.front = arm.hand = true;
    arm.limb.root = find_role(skeleton, joints, JointRole::upper_arm, side, -1);
    if (arm.limb.root < 0) continue;
    arm.limb.middle = find_role(skeleton, joints, JointRole::forearm, side, arm.limb.root);
    if (arm.limb.middle < 0) continue;
    arm.limb.end = find_role(skeleton, joints, JointRole::hand, side, arm.limb.middle);
    if (arm.limb.end >= 0) arms.push_back(arm);
  }
  return arms;
}

std::vector<Leg> legs_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  std::vector<Leg> legs;
  const Vec3d up = body_frame(skeleton, joints).up;
  const bool fours = stands_on_all_fours(skeleton, joints);
  for (const bool front : {false, true}) {
    if (front && !fours) break;
    for (const BodySide side : {BodySide::left, BodySide::right}) {
      Leg leg;
      leg.side = side;
      leg.front = front;
      leg.paw = fours;
      leg.limb.root = find_role(skeleton, joints, front ? JointRole::upper_arm : JointRole::thigh, side, -1);
      if (leg.limb.root < 0) continue;
      leg.limb.middle = find_role(skeleton, joints, front ? JointRole::forearm : JointRole::shin, side, leg.limb.root);
      if (leg.limb.middle < 0) continue;
      leg.limb.end = find_role(skeleton, joints, front ? JointRole::hand : JointRole::foot, side, leg.limb.middle);
      if (leg.limb.end < 0) continue;
      leg.toe =
          toe_of(skeleton, joints, leg.limb.end, front ? JointRole::middle_finger : JointRole::toe, side, fours, up);
      legs.push_back(leg);
    }
  }
  return legs;
}

}  // namespace sinew
