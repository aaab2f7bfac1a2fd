// Connected components of a mesh: vertices joined by triangles.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

struct Components {
  std::vector<std::uint32_t> component_of;  // per vertex; numbered in order of first appearance
  std::size_t count = 0;                    // a vertex without triangles is a component of its own
};

Components connected_components(std::size_t vertex_count, const std::vector<Triangle>& triangles);

}  // namespace sinew
