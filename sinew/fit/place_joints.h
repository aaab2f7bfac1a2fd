// From the shape of a body to places for the joints of any skeleton. Internal to fit.cpp.
#pragma once

#include "sinew/anatomy/joint_roles.h"
#include "sinew/fit.h"
#include "sinew/fit/body_shape.h"
#include "sinew/skeleton.h"

namespace sinew {

struct Placement {
  Skeleton skeleton;  // with new positions; rotations are set by turn_joints
  std::vector<double> confidence;
};

// Joints that are `held` stay there, with confidence 1.
Placement place_joints(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, const BodyShape& shape,
                       const std::vector<HeldJoint>& held);

// Gives every joint of `fitted` the orientation it had in `original`, turned by what its bone was turned: joint axes
// keep their relation to the bones.
void turn_joints(const Skeleton& original, const std::vector<JointIdentity>& joints, const BodyShape& shape,
                 Skeleton& fitted);
// The same where `alignment` turns the axes of the original to those of the fitted skeleton.
void turn_joints(const Skeleton& original, const Mat3d& alignment, Skeleton& fitted);

}  // namespace sinew
