// Whether two meshes are made of the same geometry: studios reuse bodies, and a test on a body that was trained on
// shows nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

// The places of a mesh's vertices, rounded and hashed: sorted, each once. Twice: in units of 1e-4 of the bounding
// diagonal, which finds a mesh again at another scale, and of 1e-4 of the power of two below it, which finds a body
// again that wears another hat.
std::vector<std::uint64_t> vertex_places(const TriangleMesh& mesh);

// Share of the places of the smaller mesh that the other one has too, at that of both scales at which it is larger.
double shared_places(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b);

}  // namespace sinew
