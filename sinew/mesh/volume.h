// The volume a surface encloses, also when it has holes or flipped triangles.
//
// Wherever the triangles leave a boundary, each connected piece of it is closed by a fan to the mean of its vertices.
// What is closed this way has one volume wherever it stands, so that the volumes of two poses can be compared.
#pragma once

#include <vector>

#include "sinew/mesh.h"

namespace sinew {

class EnclosedVolume {
 public:
  // Finds the boundaries once. Weld the mesh first (weld.h), or every seam counts as a hole.
  EnclosedVolume(std::size_t vertex_count, const std::vector<Triangle>& triangles);

  // Positive when triangles are counter-clockwise seen from outside. One position per vertex.
  double operator()(const std::vector<Vec3f>& positions) const;

  // Boundary pieces that were closed; 0 for a watertight surface.
  std::size_t hole_count() const { return holes_.size(); }

 private:
  struct Hole {
    std::vector<std::uint32_t> vertices;
    std::vector<std::array<std::uint32_t, 2>> edges;  // in the direction in which the fan runs along them
  };
  std::vector<Triangle> triangles_;
  std::vector<Hole> holes_;
};

}  // namespace sinew
