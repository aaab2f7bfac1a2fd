// Which parts of a mesh are solids of their own: a body, a shirt over it, two boots, the segments of a robot.
//
// A character is seldom one closed surface. Taken together, its pieces enclose things that do not belong together (the
// air under a skirt joins two legs) and block what does (a sleeve hides the arm's bone). Taken one by one, every piece
// that encloses something is a solid whose inside is bounded by itself alone. Loose sheets and the shreds of a soup
// only enclose something together.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

struct SolidPieces {
  std::vector<TriangleMesh> meshes;     // positions and triangles of each piece; triangles face outwards
  std::vector<std::uint32_t> piece_of;  // per vertex of the whole mesh
  std::vector<std::uint32_t> local_of;  // its index in the piece
};

// `mesh` should be welded. Connected components whose faces look in all directions become pieces of their own, turned
// inside out when they enclose a negative volume; the rest is one more piece. A mesh that is mostly loose sheets is a
// single piece, and so is a point cloud. Vertices without triangles belong to the last piece.
SolidPieces split_into_solids(const TriangleMesh& mesh);

}  // namespace sinew
