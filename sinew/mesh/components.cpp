#include "sinew/mesh/components.h"

#include <numeric>

namespace sinew {

Components connected_components(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
  std::vector<std::uint32_t> parent(vertex_count);
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Triangle& t : triangles) {
    for (int s = 1; s < 3; ++s) {
      const std::uint32_t a = root(t[0]), b = root(t[s]);
      if (a != b) parent[std::max(a, b)] = std::min(a, b);
    }
  }
  // Roots are the smallest vertex of their component, so they are numbered before anyone asks for them.
  Components result;
  result.component_of.resize(vertex_count);
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    const std::uint32_t r = root(v);
    result.component_of[v] = r == v ? static_cast<std::uint32_t>(result.count++) : result.component_of[r];
  }
  return result;
}

}  // namespace sinew
