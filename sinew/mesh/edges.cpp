#include "sinew/mesh/edges.h"

#include <algorithm>

namespace sinew {

std::vector<Edge> unique_edges(const std::vector<Triangle>& triangles) {
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& triangle : triangles) {
    for (int corner = 0; corner < 3; ++corner) {
      const std::uint32_t a = triangle[corner], b = triangle[(corner + 1) % 3];
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace sinew
