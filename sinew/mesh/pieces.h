// The pieces of a mesh as people number them: connected over seams, in order of first appearance.
#pragma once

#include "sinew/mesh/components.h"

namespace sinew {

// Components per vertex of the mesh as it is stored; vertices at one place are one.
Components pieces_of_mesh(const TriangleMesh& mesh);

}  // namespace sinew
