// The true skin weights of a built-in human: functions of space made from its plan and its field, so that a mesh of any
// resolution gets the same ones.
//
// Every joint hands over to its child across a smooth step along the limb, about as wide as the limb is thick. Limbs
// and fingers are told apart by their own distance fields, so that nothing leaks through the air between them.
#pragma once

#include <vector>

#include "sinew/builtin/humanoid_field.h"
#include "sinew/skin_weights.h"

namespace sinew::builtin {

class HumanoidWeights {
 public:
  // All three must outlive this object.
  HumanoidWeights(const HumanoidPlan& plan, const HumanoidField& body, const Skeleton& skeleton);

  // Influences at a point of the left half or the middle (x >= 0). Not normalised, any number of them.
  std::vector<Influence> at(const Vec3d& point) const;

 private:
  void add_torso(const Vec3d& p, double share, std::vector<Influence>& out) const;
  void add_arm(const Vec3d& p, double share, std::vector<Influence>& out) const;
  void add_hand(const Vec3d& p, double share, std::vector<Influence>& out) const;
  void add_leg(const Vec3d& p, double share, bool left, std::vector<Influence>& out) const;
  double arm_share(const Vec3d& p) const;
  double leg_share(const Vec3d& p) const;
  std::uint16_t joint(const std::string& name) const;

  const HumanoidPlan& plan_;
  const HumanoidField& body_;
  const Skeleton& skeleton_;
  std::uint16_t hips_, spine_, spine1_, spine2_, neck_, head_, shoulder_, arm_, forearm_, hand_;
  std::uint16_t left_leg_[4], right_leg_[4];
  std::vector<std::uint16_t> first_of_finger_;
};

}  // namespace sinew::builtin
