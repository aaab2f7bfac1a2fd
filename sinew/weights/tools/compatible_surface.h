// The closest point of a surface that also faces the same way: what a vertex may take its weights from.
//
// The closest point alone is often on another limb or on the far side of thin cloth. Normals tell those apart.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/mesh.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/mesh/ray_scene.h"

namespace sinew {

struct SurfacePlace {
  Triangle corners{};            // vertices of the surface
  Vec3d share = Vec3d::UnitX();  // of each corner; sum 1
  double distance = 0;
};

class CompatibleSurface {
 public:
  // Positions must be finite; `normals`: one per vertex, zero where a place has no side. Without triangles, places are
  // single points.
  CompatibleSurface(const TriangleMesh& mesh, std::vector<Vec3f> normals);

  // Within `reach`, with an angle between the normals whose cosine is at least `cosine` (of a zero normal: any). First
  // the closest point of all; where that faces elsewhere, the nearest of the vertices around that do not. False when
  // there is none.
  bool find(const Vec3f& point, const Vec3f& normal, double reach, double cosine, SurfacePlace& place) const;
  // The closest point, whatever its normal.
  bool find_any(const Vec3f& point, double reach, SurfacePlace& place) const;
  // Whether the surface there faces as `normal` does, as above.
  bool agrees(const SurfacePlace& place, const Vec3f& normal, double cosine) const;

 private:
  Vec3d normal_at(const SurfacePlace& place) const;

  std::vector<Triangle> triangles_;
  std::vector<Vec3f> normals_;
  NearestPoints points_;
  std::unique_ptr<RayScene> scene_;
};

}  // namespace sinew
