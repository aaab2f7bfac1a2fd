#include "sinew/mesh/pieces.h"

#include "sinew/mesh/weld.h"

namespace sinew {

Components pieces_of_mesh(const TriangleMesh& mesh) {
  const Weld weld = weld_positions(mesh.positions);
  const Components welded = connected_components(weld.welded_count(), welded_mesh(mesh, weld).triangles);
  Components pieces{std::vector<std::uint32_t>(mesh.vertex_count()), welded.count};
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    pieces.component_of[v] = welded.component_of[weld.welded_of[v]];
  }
  return pieces;
}

}  // namespace sinew
