#include "sinew/mesh/components.h"

#include "sinew/base/disjoint_sets.h"

namespace sinew {

Components connected_components(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
  DisjointSets sets(vertex_count);
  for (const Triangle& t : triangles) {
    for (int s = 1; s < 3; ++s) sets.join(t[0], t[s]);
  }
  // Sets are named by the smallest vertex of their component, so they are numbered before anyone asks for them.
  Components result;
  result.component_of.resize(vertex_count);
  for (std::uint32_t v = 0; v < vertex_count; ++v) {
    const std::uint32_t r = sets.find(v);
    result.component_of[v] = r == v ? static_cast<std::uint32_t>(result.count++) : result.component_of[r];
  }
  return result;
}

}  // namespace sinew
