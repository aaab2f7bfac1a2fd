// Polygons of a file to triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

// Cuts one polygon, given by its corners in order, into corners.size() - 2 triangles of corner numbers with the
// polygon's orientation. Convex polygons become fans around corner 0; concave ones are cut by ear clipping in the plane
// of their area vector, so that no triangle turns over. Polygons of more than 1024 corners, and ones without area, are
// fans. `triangles` is overwritten.
void triangulate_polygon(std::span<const Vec3f> corners, std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace sinew
