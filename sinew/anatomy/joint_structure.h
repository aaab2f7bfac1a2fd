// Which part of a body each joint is, from positions and branching alone: for skeletons whose names nobody knows.
//
// Looks for two mirrored chains that go down and reach lowest (legs, also when their feet hang on the root), the joint
// that carries them (hips), two mirrored chains further along the trunk (arms, or front legs) and what goes on between
// those (neck, head). Left and right follow from where an animal's trunk or a person's feet point, or else from how
// knees and elbows bend. Where this pattern is not there the answer is JointRole::unknown, never a guess.
#pragma once

#include "sinew/anatomy/joint_roles.h"

namespace sinew {

std::vector<JointIdentity> identify_joints_by_structure(const Skeleton& skeleton);

// By name where names tell the limbs (thighs, and arms or head), otherwise by structure. `by_structure`, when given,
// says which of the two it was.
std::vector<JointIdentity> identify_joints_anyhow(const Skeleton& skeleton, bool* by_structure = nullptr);

}  // namespace sinew
