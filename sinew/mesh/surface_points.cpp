#include <algorithm>
#include <map>

#include "sinew/base/cancellation.h"
#include "sinew/base/disjoint_sets.h"
#include "sinew/mesh/weld.h"
#include "sinew/simplify.h"

namespace sinew {
namespace {

struct DirectedEdge {
  std::uint32_t from, to;         // welded places
  std::uint32_t vertex, vertex2;  // vertices of the mesh there
};

}  // namespace

std::vector<std::uint32_t> surface_points(const TriangleMesh& mesh, std::size_t* point_count) {
  const Weld weld = weld_positions(mesh.positions);
  std::vector<DirectedEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      if (weld.welded_of[a] != weld.welded_of[b]) edges.push_back({weld.welded_of[a], weld.welded_of[b], a, b});
    }
  }
  stop_if_cancelled();
  // Both directions of an edge come to lie side by side; within a direction the vertices decide, so that the two sides
  // of an edge inside a chart, which share their vertices, find each other first.
  std::sort(edges.begin(), edges.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
    const auto key = [](const DirectedEdge& e) {
      return std::array{std::min(e.from, e.to), std::max(e.from, e.to), static_cast<std::uint32_t>(e.from > e.to),
                        std::min(e.vertex, e.vertex2), std::max(e.vertex, e.vertex2)};
    };
    return key(a) < key(b);
  });
  stop_if_cancelled();
  DisjointSets points(mesh.vertex_count());
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    const std::uint32_t low = std::min(edges[begin].from, edges[begin].to);
    const std::uint32_t high = std::max(edges[begin].from, edges[begin].to);
    std::vector<DirectedEdge> up, down;
    while (end < edges.size() && std::min(edges[end].from, edges[end].to) == low &&
           std::max(edges[end].from, edges[end].to) == high) {
      (edges[end].from == low ? up : down).push_back(edges[end]);
      ++end;
    }
    const auto same_vertices = [](const DirectedEdge& a, const DirectedEdge& b) {
      return a.vertex == b.vertex2 && a.vertex2 == b.vertex;
    };
    // Edges that share their vertices are joined already; what is left is boundary, glued only when it is unambiguous.
    for (std::size_t i = 0; i < up.size();) {
      const auto match = std::find_if(down.begin(), down.end(), [&](const auto& e) { return same_vertices(up[i], e); });
      if (match == down.end()) {
        ++i;
        continue;
      }
      down.erase(match);
      up.erase(up.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (up.size() == 1 && down.size() == 1) {
      points.join(up[0].vertex, down[0].vertex2);
      points.join(up[0].vertex2, down[0].vertex);
    }
  }
  std::vector<std::uint32_t> point(mesh.vertex_count()), number(mesh.vertex_count(), 0xffffffffu);
  std::uint32_t count = 0;
  for (std::uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    std::uint32_t& n = number[points.find(v)];
    if (n == 0xffffffffu) n = count++;
    point[v] = n;
  }
  if (point_count != nullptr) *point_count = count;
  return point;
}

}  // namespace sinew
