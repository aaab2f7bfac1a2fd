// The parts of a character that its weights move, by themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/character.h"

namespace sinew {

struct SkinnedSurface {
  TriangleMesh mesh;  // positions, triangles, and normals and UVs where the character has them
  SkinWeights weights;
  std::vector<std::uint32_t> original;  // per vertex: its index in the character's mesh
  std::size_t left_out = 0;             // vertices of attached and fixed parts
};

// Throws Error(bad_input) when the character has no weights or no skinned part.
SkinnedSurface skinned_surface(const Character& character);

}  // namespace sinew
