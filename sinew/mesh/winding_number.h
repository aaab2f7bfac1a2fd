// Generalised winding number: how much of a surface surrounds a point. 1 deep inside, 0 outside, in between near holes.
//
// Works on anything that has oriented pieces of area: closed or open meshes, triangle soups, point clouds with normals.
// Where solids overlap the numbers add up (2 inside both), so "at least a half" means "inside any of them".
// Jacobson, Kavan and Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding Numbers" (2013);
// evaluated with a tree of far-field expansions as in Barill et al., "Fast Winding Numbers for Soups and Clouds" (2018,
// section 3), here eight nodes wide with traceless second-order moments.
#pragma once

#include <memory>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

class WindingNumber {
 public:
  // Triangles with a corner that is not finite are left out. Indices must be valid (check_mesh).
  WindingNumber(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles);

  // A cloud: every point stands for a flat piece of `areas[i]` around it, facing along normals[i] (unit length).
  WindingNumber(const std::vector<Vec3f>& points, const std::vector<Vec3f>& normals, const std::vector<float>& areas);

  ~WindingNumber();
  WindingNumber(WindingNumber&&) noexcept;
  WindingNumber& operator=(WindingNumber&&) noexcept;

  // Within a few thousandths of the exact sum. From any thread.
  float operator()(const Vec3f& point) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The exact sum over all triangles, in double precision: slow, for comparison.
double exact_winding_number(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                            const Vec3d& point);

// The area that each point of a cloud stands for, from the distance to its `neighbours`-th nearest point.
std::vector<float> cloud_areas(const std::vector<Vec3f>& points, int neighbours = 8);

}  // namespace sinew
