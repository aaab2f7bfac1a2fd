// FBX and COLLADA (DAE), import only, by the assimp library. Use load_character (io.h) unless the format is known.
//
// Character space is the file's scene in the bind pose, Y up, in metres: the file's own unit (FBX: usually centimetres)
// and up axis are applied, and a warning says so. The skeleton holds the bones with their bind pose (FBX:
// TransformLink; not the pose the nodes happen to be in), the nodes above them as helpers, and end nodes. A file
// without a mesh is a motion clip: all its nodes are joints, and their stored pose is the rest pose. Joint spaces are
// scaled to size 1 in the rest pose. Vertices that assimp splits at every corner are joined again where all their
// attributes agree. Animations are resampled at a uniform rate (linear between keys). Materials, pictures inside the file
// and beside it, and shape keys are kept as the character's source (materials.h).
#pragma once

#include <cstddef>
#include <span>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

enum class SceneFormat { fbx, collada };

// LoadOptions::isolate decides whether assimp gets a process of its own. It never opens a file; pictures beside the file
// are asked of LoadOptions::resolve, in this process.
Character read_scene(std::span<const std::byte> bytes, SceneFormat format, const LoadOptions& options = {});

}  // namespace sinew
