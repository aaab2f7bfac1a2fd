#include "sinew/mesh/volume.h"

#include <algorithm>
#include <numeric>

#include "sinew/mesh/components.h"

namespace sinew {
namespace {

struct WoundEdge {
  std::uint32_t low, high;  // the vertices, smaller first
  int direction;            // +1: from low to high
};

// Edges that the triangles run along more often in one direction than in the other, once per surplus.
std::vector<std::array<std::uint32_t, 2>> boundary_edges(const std::vector<Triangle>& triangles) {
  std::vector<WoundEdge> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& triangle : triangles) {
    for (int corner = 0; corner < 3; ++corner) {
      const std::uint32_t a = triangle[corner], b = triangle[(corner + 1) % 3];
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const WoundEdge& x, const WoundEdge& y) { return std::pair(x.low, x.high) < std::pair(y.low, y.high); });
  std::vector<std::array<std::uint32_t, 2>> boundary;
  for (std::size_t first = 0, next = 0; first < edges.size(); first = next) {
    int surplus = 0;
    for (; next < edges.size() && edges[next].low == edges[first].low && edges[next].high == edges[first].high;
         ++next) {
      surplus += edges[next].direction;
    }
    for (; surplus > 0; --surplus) boundary.push_back({edges[first].low, edges[first].high});
    for (; surplus < 0; ++surplus) boundary.push_back({edges[first].high, edges[first].low});
  }
  return boundary;
}

}  // namespace

EnclosedVolume::EnclosedVolume(std::size_t vertex_count, const std::vector<Triangle>& triangles)
    : triangles_(triangles) {
  const std::vector<std::array<std::uint32_t, 2>> boundary = boundary_edges(triangles);
  std::vector<Triangle> links;  // degenerate triangles that make the boundary's connected pieces components
  for (const auto& [from, to] : boundary) links.push_back({from, to, to});
  const Components pieces = connected_components(vertex_count, links);
  std::vector<int> hole_of(pieces.count, -1);
  for (const auto& [from, to] : boundary) {
    int& hole = hole_of[pieces.component_of[from]];
    if (hole < 0) {
      hole = static_cast<int>(holes_.size());
      holes_.emplace_back();
    }
    holes_[hole].edges.push_back({to, from});  // against the triangle beside it
    holes_[hole].vertices.push_back(from);
  }
  for (Hole& hole : holes_) {
    std::sort(hole.vertices.begin(), hole.vertices.end());
    hole.vertices.erase(std::unique(hole.vertices.begin(), hole.vertices.end()), hole.vertices.end());
  }
}

double EnclosedVolume::operator()(const std::vector<Vec3f>& positions) const {
  if (triangles_.empty()) return 0.0;
  const Vec3d origin = positions[triangles_[0][0]].cast<double>();  // near the surface: small numbers, small errors
  const auto at = [&](std::uint32_t vertex) { return Vec3d(positions[vertex].cast<double>() - origin); };
  double six_volumes = 0.0;
  for (const auto& [a, b, c] : triangles_) six_volumes += at(a).dot(at(b).cross(at(c)));
  for (const Hole& hole : holes_) {
    Vec3d mean = Vec3d::Zero();
    for (const std::uint32_t vertex : hole.vertices) mean += at(vertex) / static_cast<double>(hole.vertices.size());
    for (const auto& [from, to] : hole.edges) six_volumes += at(from).dot(at(to).cross(mean));
  }
  return six_volumes / 6.0;
}

}  // namespace sinew
