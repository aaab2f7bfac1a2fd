// FBX 7.4 binary: meshes, materials with their pictures inside, skin, bind pose, shape keys and all motions. Use io.h
// unless the format is known.
//
// The file is in metres with Y up and says so (UnitScaleFactor 100), so that nothing in it needs a scale of 100. Joint
// spaces have size 1 in the bind pose; skinned meshes stand at the origin; attached ones stand in their joint's space.
// All names of joints and meshes differ, and the skeleton has one root. Same input, same bytes.
#pragma once

#include "sinew/asset/output.h"
#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Output write_fbx(const Character& character, const SaveOptions& options = {});

}  // namespace sinew
