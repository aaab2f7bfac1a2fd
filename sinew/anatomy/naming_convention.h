// Whose names a skeleton's joints have: for people who look at a file and choose clips or tools for it.
#pragma once

#include <string>

#include "sinew/skeleton.h"

namespace sinew {

// "Mixamo", "Unreal", "Rigify", "Unity", "VRM", "VRoid", "3ds Max Biped", "HumanIK", "Daz", "SMPL", "MakeHuman" or
// "Blender" (names that end in .L and .R, without more); empty when the names are of none of these or there are too few.
std::string naming_convention(const Skeleton& skeleton);

}  // namespace sinew
