// A built-in four-legged animal: plan, flesh, weights and motions. Left side and middle only; the right side is
// mirrored. Metres, y up, facing +z, paws on y = 0.
#pragma once

#include <array>
#include <vector>

#include "sinew/builtin/body_field.h"
#include "sinew/builtin/proportions.h"
#include "sinew/builtin/surface_part.h"
#include "sinew/motion.h"

namespace sinew::builtin {

struct QuadrupedPlan {
  QuadrupedProportions proportions;
  double unit = 1;  // size relative to the dog, 0.6 m at the shoulder, that the measures were taken from
  Vec3d hips, spine, spine1, spine2, neck, neck1, head, head_end;
  std::array<Vec3d, 6> tail;       // five joints and the tip
  std::array<Vec3d, 6> front_leg;  // Shoulder, Arm, ForeArm, Hand, Fingers, end
  std::array<Vec3d, 5> hind_leg;   // UpLeg, Leg, Foot, ToeBase, end
  Vec3d ear, ear_tip, eye;
  double eye_radius = 0;
};

QuadrupedPlan plan_quadruped(const QuadrupedProportions& proportions);

// Hips, Spine, Spine1, Spine2, Neck, Neck1, Head, Tail1 … Tail5; LeftShoulder, LeftArm, LeftForeArm, LeftHand,
// LeftFingers (front leg); LeftUpLeg, LeftLeg, LeftFoot, LeftToeBase (hind leg); LeftEar; the same for Right; ends.
Skeleton quadruped_skeleton(const QuadrupedPlan& plan);

struct QuadrupedField {
  BodyField field;
  int torso = 0, front = 0, hind = 0, neck = 0, tail = 0, ear = 0;  // groups
};

QuadrupedField quadruped_field(const QuadrupedPlan& plan);

class QuadrupedWeights {
 public:
  // All three must outlive this object.
  QuadrupedWeights(const QuadrupedPlan& plan, const QuadrupedField& body, const Skeleton& skeleton);
  std::vector<Influence> at(const Vec3d& point) const;

 private:
  double front_share(const Vec3d& p) const;
  double hind_share(const Vec3d& p) const;
  void add_trunk(const Vec3d& p, double share, std::vector<Influence>& out) const;

  const QuadrupedPlan& plan_;
  const QuadrupedField& body_;
  std::array<std::uint16_t, 7> trunk_;  // Hips … Head
  std::array<std::uint16_t, 5> tail_, front_;
  std::array<std::uint16_t, 4> hind_;
  std::uint16_t ear_;
};

std::vector<SurfacePart> quadruped_parts(const QuadrupedPlan& plan, const QuadrupedField& body,
                                         const QuadrupedWeights& weights, std::uint64_t seed);

Motion quadruped_walk(const QuadrupedPlan& plan, const Skeleton& skeleton);
Motion quadruped_trot(const QuadrupedPlan& plan, const Skeleton& skeleton);
Motion quadruped_range_of_motion(const QuadrupedPlan& plan, const Skeleton& skeleton);

}  // namespace sinew::builtin
