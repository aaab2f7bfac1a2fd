// Which way the joint axes of a convention's own rig lie in the body.
//
// Mixamo: Y along the bone; in arms and hands X to the back on the left and to the front on the right, elsewhere Z to the
// front (feet: up). Unreal's mannequin: X along the bone in spine and left arm, against it in the right arm; legs are
// turned likewise; everything on the right is the mirror image of the left, reversed. Both as read from the bind poses of
// these rigs in files with right-handed axes (FBX, Maya).
#pragma once

#include <optional>
#include <vector>

#include "sinew/anatomy/convention_names.h"

namespace sinew {

// Per joint a rotation, axes of the joint as columns in character space; unset for joints that keep theirs.
std::vector<std::optional<Mat3d>> convention_axes(const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                                                  NameConvention convention);

}  // namespace sinew
