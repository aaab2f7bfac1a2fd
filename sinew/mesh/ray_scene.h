// Rays and closest points against a triangle mesh (Embree).
//
// Build once, query from any thread. The scene keeps its own copy of the geometry, so the mesh may go away.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

struct RayHit {
  float distance = 0;               // along the ray, in units of its direction's length
  std::uint32_t triangle = 0;       // index into the mesh's triangles
  Vec2f barycentric{0, 0};          // weights of corners 1 and 2; corner 0 has the rest
  Vec3f geometric_normal{0, 0, 0};  // not normalised; points to the side from which the triangle is counter-clockwise
};

struct ClosestPoint {
  Vec3f position{0, 0, 0};
  float distance = 0;
  std::uint32_t triangle = 0;
  Vec3f barycentric{0, 0, 0};  // weights of the triangle's three corners
};

class RayScene {
 public:
  // Triangle indices must be valid (check_mesh). Triangles with a non-finite corner are never hit.
  RayScene(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles);
  // Spheres around points, for drawing clouds: `triangle` of a hit is the index of the point, and closest_point finds
  // nothing. Points that are not finite are never hit.
  static RayScene of_spheres(const std::vector<Vec3f>& centres, float radius);
  ~RayScene();
  RayScene(RayScene&&) noexcept;
  RayScene& operator=(RayScene&&) noexcept;

  // Nearest hit with near <= t <= far, false when there is none. Exact at edges: no leaks between neighbours.
  bool intersect(const Vec3f& origin, const Vec3f& direction, RayHit& hit, float near = 0.0f,
                 float far = std::numeric_limits<float>::infinity()) const;

  // Whether anything is hit with near <= t <= far. Cheaper than intersect.
  bool occluded(const Vec3f& origin, const Vec3f& direction, float near, float far) const;

  // Whether the open segment between two points is free;
  // `clearance` (a fraction of its length) is left out at each end.
  bool visible(const Vec3f& from, const Vec3f& to, float clearance = 1e-4f) const;

  // Closest point of the surface within `radius`; false when there is none.
  bool closest_point(const Vec3f& point, ClosestPoint& result,
                     float radius = std::numeric_limits<float>::infinity()) const;

 private:
  struct Impl;
  explicit RayScene(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
