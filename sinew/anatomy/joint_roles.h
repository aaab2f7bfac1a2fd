// Which part of a body each joint is, from its name and its place in the hierarchy.
//
// Understands the names of Mixamo, VRM and Unity humanoids, Unreal, Rigify and other Blender rigs, 3ds Max Biped, CMU
// and other BVH files, MakeHuman, KayKit, Quaternius and this project's own characters. Front legs of animals get the
// roles of arms, because they bend like them. A name nobody knows gives JointRole::unknown, never a guess.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sinew/skeleton.h"

namespace sinew {

enum class JointRole : std::uint8_t {
  unknown,
  root,  // carries the whole body, on the floor or at the hips
  hips,
  hip_joint,  // between hips and one thigh
  spine,
  chest,  // the last of the spine: carries the shoulders
  neck,
  head,
  jaw,
  eye,
  ear,
  face,  // lips, brows, tongue, hair, …
  clavicle,
  upper_arm,
  forearm,
  hand,
  thumb,
  index_finger,
  middle_finger,  // also a mitten
  ring_finger,
  little_finger,
  thigh,
  shin,
  foot,
  toe,
  tail,
  wing,
  twist,    // spreads the turn of a limb along it
  control,  // moved by animators, not by the body: IK targets, pole vectors
  prop,     // where a weapon or tool is held
};

enum class BodySide : std::uint8_t { centre, left, right };

struct JointIdentity {
  JointRole role = JointRole::unknown;
  BodySide side = BodySide::centre;
  int index = 1;  // 1 for the first joint of this role along its chain (knuckle, lowest spine), 2 for the next, …

  bool operator==(const JointIdentity&) const = default;
};

// What the name alone tells; the index is 1. "LeftArm" is an upper arm, "LeftLeg" a thigh, "LeftShoulder" a clavicle.
JointIdentity identify_name(std::string_view name);

// Names and hierarchy together: "LeftLeg" below "LeftUpLeg" is a shin, "LeftShoulder" below "LeftCollar" an upper arm,
// the joint that carries the thighs is the hips whatever it is called. One entry per joint; end markers and helpers
// take part as what they are named.
std::vector<JointIdentity> identify_joints(const Skeleton& skeleton);

bool is_finger(JointRole role);

// "upper_arm"; stable, for reports and files.
const char* role_name(JointRole role);

}  // namespace sinew
