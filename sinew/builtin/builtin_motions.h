// Motions of built-in characters.
//
// Range of motion ("rom"): every joint in turn to both ends of its range, left and right sides together, one axis at a
// time, half a second each. Walk: two cycles of a walk straight ahead (+z);
// the root moves, a foot on the ground does not.
#pragma once

#include "sinew/builtin/humanoid_plan.h"
#include "sinew/motion.h"
#include "sinew/rig/ik.h"

namespace sinew::builtin {

Motion humanoid_range_of_motion(const HumanoidPlan& plan, const Skeleton& skeleton);
Motion humanoid_walk(const HumanoidPlan& plan, const Skeleton& skeleton);

// One axis of one joint, in degrees. Joints without the side's name before them are in the middle.
struct JointRange {
  std::string joint;  // "Spine", or "UpLeg" for LeftUpLeg and RightUpLeg when `sided`
  bool sided;
  Vec3d axis;  // of the left or middle joint, in character space
  double low, high;
};

Motion range_of_motion(const Skeleton& skeleton, const std::vector<JointRange>& ranges);

// A turn about an axis of any length.
Quatd about(const Vec3d& axis, double degrees);

// Builds motions frame by frame in terms of rotations in character space.
class PoseWriter {
 public:
  explicit PoseWriter(const Skeleton& skeleton);
  // Rotation of a joint's space relative to its parent's, on top of the bind pose. Unknown joints are an Error.
  void turn(const std::string& joint, const Quatd& rotation);
  // Rotation in character space, whatever the parents do; call after the parents are set.
  void turn_to(const std::string& joint, const Quatd& rotation);
  void move_root(const Vec3d& position);
  Vec3d position(const std::string& joint) const;     // in the pose so far
  Quatd orientation(const std::string& joint) const;  // in the pose so far, relative to the bind pose
  void append_to(Motion& motion);                     // and starts again from the bind pose

 private:
  int index(const std::string& joint) const;
  const Skeleton& skeleton_;
  Pose rest_, pose_;
};

}  // namespace sinew::builtin
