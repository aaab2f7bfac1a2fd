#include "sinew/mesh/submesh.h"

namespace sinew {

TriangleMesh submesh(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                     std::vector<std::uint32_t>& vertices) {
  constexpr std::uint32_t unused = 0xffffffffu;
  TriangleMesh part;
  part.triangles = triangles;
  std::vector<std::uint32_t> number(positions.size(), unused);
  vertices.clear();
  for (Triangle& triangle : part.triangles) {
    for (std::uint32_t& corner : triangle) {
      if (number[corner] == unused) {
        number[corner] = static_cast<std::uint32_t>(vertices.size());
        vertices.push_back(corner);
        part.positions.push_back(positions[corner]);
      }
      corner = number[corner];
    }
  }
  return part;
}

}  // namespace sinew
