// The pieces of flesh in every cube of space, and which of them hang together: internal to lattice.h.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/base/disjoint_sets.h"
#include "sinew/mesh/solid_domain.h"
#include "sinew/progress.h"

namespace sinew {

struct LatticePieces {
  Vec3d origin = Vec3d::Zero();
  std::vector<std::array<int, 3>> place;                       // per piece: the cube it lies in
  std::vector<std::uint64_t> filled;                           // per piece: its small cubes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;  // pieces of neighbouring cubes that hang together
  std::vector<std::uint32_t> piece_of_vertex;                  // per vertex of the mesh
};

LatticePieces find_pieces(const TriangleMesh& mesh, const SolidDomain& domain, double cell_size,
                          const Progress& progress);

}  // namespace sinew
