// The edges of a triangle mesh, each once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

using Edge = std::array<std::uint32_t, 2>;  // the smaller vertex index first

// Sorted by their two indices. Edges from a vertex to itself (triangles that name a vertex twice) are left out.
std::vector<Edge> unique_edges(const std::vector<Triangle>& triangles);

}  // namespace sinew
