// The mirror image of every vertex by connectivity: for meshes whose two sides were modelled as one and posed or
// sculpted apart afterwards.
//
// A pair of triangles that lie at each other's mirror image is the seed; from it the pairing goes on over shared edges,
// always to the one triangle behind the edge, without looking at positions. Where it comes back to a vertex by two ways
// with different answers, or one side has an edge that the other lacks, the piece is not symmetric.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh.h"
#include "sinew/weights/tools/side_plane.h"

namespace sinew {

inline constexpr std::uint32_t no_image = ~std::uint32_t{0};

// Per vertex of a welded mesh: its image, itself in the middle, no_image in pieces that are not symmetric. A piece is
// paired as a whole or not at all, with itself or with another one. The image of the image is the vertex.
// `nearest`: per vertex, the vertex nearest to its mirrored position, or no_image where none is near enough for a seed.
std::vector<std::uint32_t> mirror_by_topology(const TriangleMesh& mesh, const SidePlane& plane,
                                              const std::vector<std::uint32_t>& nearest);

}  // namespace sinew
