// Which joints make a leg, and whether a skeleton stands on two legs or four.
#pragma once

#include <vector>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/anatomy/joint_roles.h"
#include "sinew/rig/ik.h"

namespace sinew {

struct Leg {
  Limb limb;     // thigh, shin and foot; of a front leg: upper arm, forearm and hand
  int toe = -1;  // where the foot touches the ground in front: a toe joint or an end marker; -1: unknown
  BodySide side = BodySide::centre;
  bool front = false;
  bool paw = false;   // of an animal that stands on its toes: wrist and hock are never on the ground
  bool hand = false;  // an arm of a person: its hand stands on the ground in a cartwheel

  double length(const Skeleton& skeleton) const;  // thigh to foot along the bones
};

// Whether the trunk lies rather than stands.
bool stands_on_all_fours(const Skeleton& skeleton, const std::vector<JointIdentity>& joints);

// Arms of a body that stands on two legs, for what stands on its hands.
std::vector<Leg> arms_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints);

// Legs whose three joints are known. Arms count as front legs when the skeleton stands on all fours.
std::vector<Leg> legs_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints);

}  // namespace sinew
