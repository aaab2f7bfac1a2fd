#include "sinew/asset/skinned_surface.h"

#include <algorithm>

#include "sinew/error.h"

namespace sinew {

SkinnedSurface skinned_surface(const Character& character) {
  if (!character.has_skin()) {
    throw Error(ErrorCode::weights_missing, "'" + character.name + "' has no skin weights", "bind it first");
  }
  const TriangleMesh& mesh = character.mesh;
  std::vector<std::uint32_t> kept;  // the skinned vertices
  std::vector<std::uint32_t> new_index(mesh.vertex_count(), 0);
  SkinnedSurface surface;
  const auto keep = [&](std::size_t first_vertex, std::size_t vertex_count, std::size_t first_triangle,
                        std::size_t triangle_count) {
    for (std::size_t vertex = first_vertex; vertex < first_vertex + vertex_count; ++vertex) {
      new_index[vertex] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(static_cast<std::uint32_t>(vertex));
    }
    for (std::size_t triangle = first_triangle; triangle < first_triangle + triangle_count; ++triangle) {
      const Triangle& corners = mesh.triangles[triangle];
      surface.mesh.triangles.push_back({new_index[corners[0]], new_index[corners[1]], new_index[corners[2]]});
    }
  };
  if (character.parts.empty()) keep(0, mesh.vertex_count(), 0, mesh.triangles.size());
  for (const Part& part : character.parts) {
    if (part.binding == PartBinding::skinned) {
      keep(part.first_vertex, part.vertex_count, part.first_triangle, part.triangle_count);
    }
  }
  if (kept.empty()) throw Error(ErrorCode::weights_missing, "'" + character.name + "' has no skinned part");
  surface.left_out = mesh.vertex_count() - kept.size();
  const int influences = character.weights.influences;
  surface.weights = make_skin_weights(kept.size(), influences);
  for (std::size_t vertex = 0; vertex < kept.size(); ++vertex) {
    const std::size_t old = kept[vertex];
    surface.mesh.positions.push_back(mesh.positions[old]);
    if (!mesh.normals.empty()) surface.mesh.normals.push_back(mesh.normals[old]);
    if (!mesh.uvs.empty()) surface.mesh.uvs.push_back(mesh.uvs[old]);
    std::copy_n(character.weights.joints.begin() + old * influences, influences,
                surface.weights.joints.begin() + vertex * influences);
    std::copy_n(character.weights.weights.begin() + old * influences, influences,
                surface.weights.weights.begin() + vertex * influences);
  }
  surface.original = std::move(kept);
  return surface;
}

}  // namespace sinew
