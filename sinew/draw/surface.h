// Inside the renderer: a mesh or cloud that rays can hit, with smooth normals. Not part of the public manual.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "sinew/draw/scene.h"
#include "sinew/mesh/ray_scene.h"

namespace sinew {

// A place that a ray hit, ready for shading.
struct SurfaceHit {
  SurfacePoint place;
  Vec3f position;                  // lifted onto the smooth surface that the normals suggest
  Vec3f normal, geometric_normal;  // unit length, both on the side of the eye
  float distance = std::numeric_limits<float>::infinity();
};

class Surface {
 public:
  // Keeps a reference to the mesh. `point_radius` is used for clouds only.
  Surface(const TriangleMesh& mesh, float point_radius);

  bool intersect(const Vec3f& origin, const Vec3f& direction, SurfaceHit& hit) const;
  // Distance from the hit to the nearest edge of its triangle.
  float edge_distance(const SurfaceHit& hit) const;

  const RayScene& rays() const { return rays_; }

 private:
  void lift_to_smooth_surface(std::uint32_t triangle, SurfaceHit& hit) const;

  const TriangleMesh& mesh_;
  bool cloud_;
  RayScene rays_;
  std::vector<std::array<Vec3f, 3>> normals_;  // at the triangles' corners
};

}  // namespace sinew
