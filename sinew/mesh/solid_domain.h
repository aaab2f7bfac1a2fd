// The inside of a surface, however broken: which points lie inside it, and which of them see each other.
//
// "Inside" is a generalised winding number above a threshold that adapts to how much of the surface is missing; "see"
// is a free line of sight. Together they stand in for a tetrahedral mesh: they need no watertight, manifold or
// consistently built input; one that is inside out as a whole is taken the other way round (Dodik et al., "Robust
// Biharmonic Skinning Using Geometric Fields", 2025, sections 4.1, 5.2).
//
// Accepts triangle meshes and soups, point clouds (every point becomes a small disc; normals are estimated when
// missing), and planar meshes, whose inside is the sheet itself.
#pragma once

#include <memory>
#include <vector>

#include "sinew/error.h"
#include "sinew/mesh.h"
#include "sinew/mesh/ray_scene.h"
#include "sinew/mesh/winding_number.h"

namespace sinew {

class SolidDomain {
 public:
  // Throws Error(bad_input) when the mesh has no extent. Positions that are not finite, and the triangles that use
  // them, are ignored.
  explicit SolidDomain(const TriangleMesh& mesh);

  // 3, or 2 when all positions lie in one plane.
  int dimension() const { return dimension_; }
  // Unit normal of the plane of a planar mesh.
  const Vec3f& plane_normal() const { return plane_normal_; }
  const AABBf& bounds() const { return bounds_; }
  double diagonal() const { return diagonal_; }
  double threshold() const { return threshold_; }
  const Warnings& warnings() const { return warnings_; }

  // 0 outside and at the threshold, rising to 1 where the point is surely inside (the ramp of the source's eq. 11).
  double insideness(const Vec3f& point) const;
  bool contains(const Vec3f& point) const { return insideness(point) > 0.0; }

  // Whether nothing stands between two points.
  bool sees(const Vec3f& from, const Vec3f& to) const;

  // Closest point of the surface; false only when it is further than `radius`.
  bool closest_point(const Vec3f& point, ClosestPoint& result, float radius) const;
  // The same for what bounds the inside: the surface, or the open edges of a planar mesh.
  bool closest_wall(const Vec3f& point, ClosestPoint& result, float radius) const;
  // Unit normal of a triangle of the surface (of the disc that stands for a point of a cloud).
  Vec3f surface_normal(std::uint32_t triangle) const;

  // A point `depth` under the surface place nearest to `point`; false when that is further than `radius`, or when the
  // surface there has no inside that deep. In a planar domain: the nearest place itself.
  bool point_under_surface(const Vec3f& point, float radius, float depth, Vec3f& result) const;

  // Area of the surface, and about `count` points spread evenly over it.
  double area() const;
  std::vector<Vec3f> spread_over_surface(std::size_t count) const;

  // Length that three quarters of the chords through an inside point do not exceed: how thick the shape is there.
  // About 1.5 diameters in a finger.
  double thickness(const Vec3f& point) const;

 private:
  void use_cloud(const TriangleMesh& mesh, const std::vector<std::uint32_t>& finite);
  void use_plane();
  double choose_threshold();

  std::vector<Vec3f> positions_;
  std::vector<Triangle> triangles_;
  AABBf bounds_;
  double diagonal_ = 0;
  int dimension_ = 3;
  Vec3f plane_normal_{0, 0, 0};
  double threshold_ = 0.5;
  float outwards_ = 1.0f;  // -1 when the triangles face inwards
  Warnings warnings_;
  std::unique_ptr<WindingNumber> winding_;
  std::unique_ptr<RayScene> surface_;  // what closest_point answers from
  std::unique_ptr<RayScene> walls_;    // what blocks the view, when it is not the surface itself
};

}  // namespace sinew
