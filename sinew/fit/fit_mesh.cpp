#include "sinew/fit/fit_mesh.h"

namespace sinew {

TriangleMesh mesh_to_fit(const Character& character) {
  TriangleMesh mesh;
  mesh.positions = character.mesh.positions;
  if (character.parts.empty()) {
    mesh.triangles = character.mesh.triangles;
    return mesh;
  }
  TriangleMesh kept;
  for (const Part& part : character.parts) {
    if (part.binding == PartBinding::attached) continue;
    const auto shift =
        static_cast<std::uint32_t>(kept.positions.size()) - static_cast<std::uint32_t>(part.first_vertex);
    for (std::size_t v = 0; v < part.vertex_count; ++v) {
      kept.positions.push_back(mesh.positions[part.first_vertex + v]);
    }
    for (std::size_t t = 0; t < part.triangle_count; ++t) {
      Triangle triangle = character.mesh.triangles[part.first_triangle + t];
      for (std::uint32_t& corner : triangle) corner += shift;
      kept.triangles.push_back(triangle);
    }
  }
  return kept;
}

}  // namespace sinew
