// Where everything of a built-in human is: the landmarks that the shape, the skeleton, the weights and the motions
// share. Left side only (x > 0); the right side is its mirror image. Metres, y up, facing +z, feet on y = 0.
#pragma once

#include <array>

#include "sinew/builtin/proportions.h"
#include "sinew/eigen_types.h"
#include "sinew/skeleton.h"

namespace sinew::builtin {

struct FingerPlan {
  const char* name;             // "Thumb", "Index", …
  std::array<Vec3d, 4> joints;  // knuckle, two joints, tip
  std::array<double, 4> radii;
};

struct HumanoidPlan {
  Proportions proportions;
  bool mitten = false;
  double unit = 1;       // height relative to the 1.75 m adult that all measures below were taken from
  double hand_unit = 1;  // the same for hands, feet and heads, which some kinds have larger
  double foot_unit = 1;
  double head_unit = 1;
  double torso_length = 0;  // hip joints to shoulder line

  Vec3d hips, spine, spine1, spine2, neck, head, head_top;
  double chin_y = 0, crotch_y = 0, shoulder_y = 0;
  Vec3d eye;  // centre of the left eyeball
  double eye_radius = 0;
  Vec3d clavicle, shoulder, elbow, wrist;
  Vec3d hip, knee, ankle, ball, toe_tip, heel;
  // Frame of the arm and hand: along the arm, towards the thumb (forward), and out of the back of the hand (up in T).
  Vec3d arm_along, arm_forward, arm_up;
  std::vector<FingerPlan> fingers;  // thumb first
};

HumanoidPlan plan_humanoid(const Proportions& proportions, bool mitten);

// Standard names without prefix: Hips, Spine, Spine1, Spine2, Neck, Head, LeftShoulder, LeftArm, LeftForeArm, LeftHand,
// LeftHandThumb1…, LeftUpLeg, LeftLeg, LeftFoot, LeftToeBase, the same for Right, and ends ("HeadTop_End").
Skeleton humanoid_skeleton(const HumanoidPlan& plan);

// The same place on the other side.
inline Vec3d mirrored(const Vec3d& p) { return {-p.x(), p.y(), p.z()}; }

}  // namespace sinew::builtin
