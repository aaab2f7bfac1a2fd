// Biovision hierarchy (BVH): a skeleton and one motion of it. Use load_character (io.h) unless the format is known.
//
// The order of a joint's channels is the order of its rotations; position channels, where a joint has them, take the
// place of its offset. Offsets are the rest pose, in which all joint spaces are parallel to the axes. BVH has no unit,
// and Y is up by custom. End sites become joints of kind `end` named after their parent ("Head_End"); one without
// length says nothing and is left out.
//
// Writing turns every joint space parallel to the axes in the rest pose, because BVH has no rest rotations; positions
// of joints in character space, and rotations relative to the rest pose, are the same as before. Joints whose distance
// from their parent changes get position channels. Rotations are written as Z, X, Y.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Character read_bvh(std::span<const std::byte> bytes, const LoadOptions& options = {});

// Writes the first motion, or one frame of the rest pose; `warnings` receives what does not fit the format.
std::string write_bvh(const Character& character, Warnings& warnings);

}  // namespace sinew
