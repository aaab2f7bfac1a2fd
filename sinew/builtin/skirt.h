// A skirt over the legs: an open sheet with a rig of its own, eight chains of joints that hang from the hips.
#pragma once

#include "sinew/builtin/humanoid_parts.h"
#include "sinew/motion.h"

namespace sinew::builtin {

class Skirt {
 public:
  // Fits the skirt to the body: it hangs from the waist, clear of the widest place above.
  Skirt(const HumanoidPlan& plan, const HumanoidField& body);

  // Adds SkirtFront1 … 3, SkirtBack1 … 3 and LeftSkirtFront, LeftSkirtSide, LeftSkirtBack (and Right) below Hips.
  void add_joints(Skeleton& skeleton) const;
  // The sheet; `this` and the arguments must outlive it. Call after add_joints.
  SurfacePart part(const HumanoidWeights& weights, const Look& look, const Skeleton& skeleton) const;
  // Lets the chains give way to the thighs in every frame.
  static void follow_legs(const Skeleton& skeleton, Motion& motion);

 private:
  Vec3d place(double angle, double down) const;
  double radius(double angle, double down) const;
  TriangleMesh sheet(std::size_t vertices) const;
  std::vector<Influence> weights_at(const Vec3d& p, const Skeleton& skeleton, std::uint16_t hips) const;

  const HumanoidPlan& plan_;
  double waist_y_, hem_y_;
  std::vector<double> radii_;  // of angle_steps + 1 angles from front to back, each at down_steps + 1 heights
};

}  // namespace sinew::builtin
