// The rotations of a retargeted motion, without regard to the ground. Internal to retarget.cpp.
#pragma once

#include "sinew/anatomy/joint_limits.h"
#include "sinew/anatomy/joint_map.h"
#include "sinew/anatomy/joint_roles.h"

namespace sinew {

class RotationTransfer {
 public:
  // `from_motion`: the source's rest pose is a frame of its motion, which faces anywhere.
  RotationTransfer(const Skeleton& source, bool from_motion, const Skeleton& target, const JointMap& map);

  // Local rotations of the target for one pose of the source; translations and scales as in the rest pose.
  Pose transfer(const Pose& source_pose) const;

  // The joint of the target whose way is that of a source joint: the hips, where both have them.
  int anchor() const { return anchor_; }
  int source_anchor() const { return map_.links[anchor_].source; }
  // The joint that moves the body: the hips, or what carries both them and the trunk or the legs.
  int carrier() const { return carrier_; }
  // Source character space → target character space, a rotation.
  const Mat3d& alignment() const { return alignment_; }
  const BodyFrame& target_frame() const { return target_frame_; }
  const BodyFrame& source_frame() const { return source_frame_; }
  const std::vector<JointIdentity>& source_joints() const { return source_joints_; }
  const std::vector<JointIdentity>& target_joints() const { return target_joints_; }

 private:
  int common_carrier() const;
  void correct_rest_poses();
  bool bone_directions(int joint, Vec3d& own, Vec3d& wanted) const;
  Quatd trunk_correction() const;
  Quatd foot_correction(int joint) const;
  Quatd bent_toe(int joint, const std::vector<Quatd>& turn) const;

  const Skeleton& source_;
  bool from_motion_;
  const Skeleton& target_;
  const JointMap& map_;
  std::vector<JointIdentity> source_joints_, target_joints_;
  BodyFrame source_frame_, target_frame_;
  Mat3d alignment_;
  Pose source_rest_, target_rest_;
  std::vector<Quatd> source_rest_turn_, target_rest_turn_;  // in character space
  std::vector<Quatd> correction_;  // per target joint: from its rest to the source's rest, in target space
  bool on_paws_;                   // walks on its toes, which roll freely
  int anchor_ = -1, carrier_ = -1;
};

}  // namespace sinew
