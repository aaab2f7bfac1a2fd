#include "sinew/mesh/diagnose.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "sinew/base/disjoint_sets.h"
#include "sinew/mesh/self_intersections.h"
#include "sinew/mesh/volume.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

// One side of a triangle, the smaller vertex first.
struct Side {
  std::uint32_t low, high, triangle;
  bool forward;  // the triangle runs from low to high
};

void count_edges(const std::vector<Triangle>& triangles, MeshDefects& defects) {
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), t, a < b});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    return std::tie(x.low, x.high, x.triangle) < std::tie(y.low, y.high, y.triangle);
  });
  DisjointSets pieces(triangles.size());
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high) {
      pieces.join(sides[begin].triangle, sides[end].triangle);
      ++end;
    }
    const std::size_t count = end - begin;
    defects.boundary_edges += count == 1;
    defects.non_manifold_edges += count > 2;
    defects.inconsistent_edges += count == 2 && sides[begin].forward == sides[begin + 1].forward;
  }
  defects.components = pieces.count();
}

std::size_t count_duplicates(const std::vector<Triangle>& triangles) {
  std::vector<Triangle> sorted = triangles;
  for (Triangle& t : sorted) std::sort(t.begin(), t.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted.size() - static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

std::size_t count_without_area(const TriangleMesh& mesh) {
  return static_cast<std::size_t>(std::count_if(mesh.triangles.begin(), mesh.triangles.end(), [&](const Triangle& t) {
    const Vec3d a = mesh.positions[t[0]].cast<double>();
    const Vec3d ab = mesh.positions[t[1]].cast<double>() - a, ac = mesh.positions[t[2]].cast<double>() - a;
    return ab.cross(ac).isZero(0.0);
  }));
}

std::size_t count_isolated(const TriangleMesh& mesh) {
  std::vector<bool> used(mesh.vertex_count(), false);
  for (const Triangle& t : mesh.triangles) {
    for (std::uint32_t vertex : t) used[vertex] = true;
  }
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

}  // namespace

MeshDefects diagnose(const TriangleMesh& mesh, const DiagnoseOptions& options) {
  MeshDefects defects;
  const Weld weld = weld_positions(mesh.positions);
  defects.welded_vertices = weld.welded_count();
  if (mesh.is_point_cloud()) return defects;
  const TriangleMesh welded = welded_mesh(mesh, weld);
  defects.degenerate_triangles = mesh.triangles.size() - welded.triangles.size() + count_without_area(welded);
  defects.duplicate_triangles = count_duplicates(welded.triangles);
  defects.isolated_vertices = count_isolated(welded);
  count_edges(welded.triangles, defects);
  defects.volume = EnclosedVolume(welded.vertex_count(), welded.triangles)(welded.positions);
  if (options.self_intersections) {
    defects.intersecting_triangles = count_self_intersecting_triangles(welded.positions, welded.triangles);
  }
  return defects;
}

}  // namespace sinew
