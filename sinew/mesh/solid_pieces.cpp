#include "sinew/mesh/solid_pieces.h"

#include <algorithm>

#include "sinew/mesh/components.h"

namespace sinew {
namespace {

// |Σ area · normal| / Σ area: 0 for a closed surface or an open tube, ½ for a bowl, 1 for a flat sheet.
constexpr double closed_enough = 0.4;
// Share of the area that may be loose sheets before the whole mesh counts as a soup.
constexpr double soup_share = 0.3;

struct Shape {
  double area = 0, volume = 0;
  Vec3d vector_area = Vec3d::Zero();
};

}  // namespace

SolidPieces split_into_solids(const TriangleMesh& mesh) {
  const Components components = connected_components(mesh.vertex_count(), mesh.triangles);
  std::vector<Shape> shapes(components.count);
  Shape whole;
  const AABBf box = bounding_box(mesh);
  for (const Triangle& t : mesh.triangles) {
    const Vec3d a = (mesh.positions[t[0]] - box.center()).cast<double>();
    const Vec3d b = (mesh.positions[t[1]] - box.center()).cast<double>();
    const Vec3d c = (mesh.positions[t[2]] - box.center()).cast<double>();
    const Vec3d area = 0.5 * (b - a).cross(c - a);
    if (!area.allFinite()) continue;
    Shape& shape = shapes[components.component_of[t[0]]];
    shape.area += area.norm();
    shape.vector_area += area;
    shape.volume += a.dot(b.cross(c)) / 6.0;
    whole.area += area.norm();
  }
  std::vector<bool> is_solid(components.count);
  double loose = 0.0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    is_solid[i] = shapes[i].area > 0.0 && shapes[i].vector_area.norm() < closed_enough * shapes[i].area;
    if (!is_solid[i]) loose += shapes[i].area;
  }
  if (loose > soup_share * whole.area || mesh.is_point_cloud()) is_solid.assign(components.count, false);

  SolidPieces pieces;
  std::vector<std::uint32_t> piece_of_component(components.count);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!is_solid[i]) continue;
    piece_of_component[i] = static_cast<std::uint32_t>(pieces.meshes.size());
    pieces.meshes.emplace_back();
  }
  const auto rest = static_cast<std::uint32_t>(pieces.meshes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!is_solid[i]) piece_of_component[i] = rest;
  }
  if (std::find(is_solid.begin(), is_solid.end(), false) != is_solid.end()) pieces.meshes.emplace_back();
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const std::uint32_t piece = piece_of_component[components.component_of[v]];
    TriangleMesh& part = pieces.meshes[piece];
    pieces.piece_of.push_back(piece);
    pieces.local_of.push_back(static_cast<std::uint32_t>(part.positions.size()));
    part.positions.push_back(mesh.positions[v]);
    if (mesh.is_point_cloud() && !mesh.normals.empty()) part.normals.push_back(mesh.normals[v]);
  }
  for (const Triangle& t : mesh.triangles) {
    const std::uint32_t component = components.component_of[t[0]];
    Triangle local{pieces.local_of[t[0]], pieces.local_of[t[1]], pieces.local_of[t[2]]};
    if (is_solid[component] && shapes[component].volume < 0.0) std::swap(local[1], local[2]);
    pieces.meshes[piece_of_component[component]].triangles.push_back(local);
  }
  return pieces;
}

}  // namespace sinew
