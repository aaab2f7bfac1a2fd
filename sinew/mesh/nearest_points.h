// Nearest neighbours among points (a k-d tree, nanoflann): vertex matching, Chamfer distances, point clouds.
//
// Build once, query from any thread. The tree keeps its own copy of the points.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

struct NearPoint {
  std::uint32_t index = 0;
  double distance = 0;
};

class NearestPoints {
 public:
  // Points must be finite: throws Error(bad_input) otherwise.
  explicit NearestPoints(const std::vector<Vec3f>& points);
  ~NearestPoints();
  NearestPoints(NearestPoints&&) noexcept;
  NearestPoints& operator=(NearestPoints&&) noexcept;

  // The nearest point at a distance below `radius`; false when there is none. Of equally near ones, either.
  // A tight radius makes the query much cheaper.
  bool nearest(const Vec3f& query, NearPoint& result, double radius = std::numeric_limits<double>::infinity()) const;

  // The `count` nearest points (all of them when there are fewer), nearest first; ties by index.
  void nearest(const Vec3f& query, int count, std::vector<NearPoint>& result) const;

  // All points at a distance below `radius`, in order of their index.
  void within(const Vec3f& query, double radius, std::vector<NearPoint>& result) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
