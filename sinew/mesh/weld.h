// Joins vertices that lie at the same place, so that algorithms see one surface across UV and normal seams.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

struct Weld {
  std::vector<std::uint32_t> welded_of;       // per input vertex: its welded vertex
  std::vector<std::uint32_t> representative;  // per welded vertex: the first input vertex at its place
  std::size_t welded_count() const { return representative.size(); }
};

// Two vertices are one when their distance is at most `tolerance` (same unit as the positions; 0 = bit-equal positions,
// with -0 equal to 0). Welded vertices are numbered in order of first appearance.
Weld weld_positions(const std::vector<Vec3f>& positions, double tolerance = 0.0);

// The welded mesh: positions and triangles only, triangles in the input's order. Triangles that lose a corner
// by welding are kept out; `kept_triangles`, when given, receives the input index of each kept one.
TriangleMesh welded_mesh(const TriangleMesh& mesh, const Weld& weld,
                         std::vector<std::uint32_t>* kept_triangles = nullptr);

}  // namespace sinew
