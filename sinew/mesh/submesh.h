// Some triangles of a mesh as a mesh of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

// The vertices that `triangles` use, in order of first use, and the same triangles over them: positions only.
// `vertices` receives the index in `positions` that each of them had.
TriangleMesh submesh(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                     std::vector<std::uint32_t>& vertices);

}  // namespace sinew
