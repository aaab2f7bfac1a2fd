// Distances along the surface of any triangle mesh, from points, curves or anything else given as seeds.
//
// Kimmel and Sethian, "Computing geodesic paths on manifolds" (1998): fast marching. Straight fronts are exact on a
// plane, so distances from curves are good from the first triangle on; from a single point they are up to an edge
// length too large close by. Never shorter than straight through space; edges may have any number of triangles.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

struct GeodesicSeed {
  std::uint32_t vertex = 0;
  double distance = 0;  // >= 0: from the true source, when it lies inside a triangle beside the vertex
};

struct GeodesicVertex {
  std::uint32_t vertex = 0;
  double distance = 0;
};

class GeodesicSolver {
 public:
  // Triangle indices must be valid (check_mesh).
  GeodesicSolver(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles);

  // Vertices in order of distance from the seeds, each once, until `stop` says so for the vertex about to be added;
  // without `stop`, all that can be reached. May be called from several threads at once.
  std::vector<GeodesicVertex> distances(std::span<const GeodesicSeed> seeds,
                                        const std::function<bool(const GeodesicVertex&)>& stop = {}) const;

  std::size_t vertex_count() const { return positions_.size(); }

  // Vertices that share a triangle with `vertex`, in increasing order.
  std::span<const std::uint32_t> neighbours(std::uint32_t vertex) const {
    return {neighbours_.data() + neighbour_begin_[vertex], neighbours_.data() + neighbour_begin_[vertex + 1]};
  }
  // Triangles around `vertex`, as indices into the constructor's.
  std::span<const std::uint32_t> triangles_of(std::uint32_t vertex) const {
    return {corners_.data() + corner_begin_[vertex], corners_.data() + corner_begin_[vertex + 1]};
  }

 private:
  std::vector<Vec3f> positions_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> corner_begin_, corners_;
  std::vector<std::uint32_t> neighbour_begin_, neighbours_;
};

}  // namespace sinew
