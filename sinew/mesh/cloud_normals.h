// Normals for a point cloud that has none, turned outwards.
#pragma once

#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

// The direction in which each point's `neighbours` nearest points spread least, oriented consistently along a spanning
// tree of the neighbour graph (Hoppe et al., "Surface Reconstruction from Unorganized Points", 1992,
// sections 3.2, 3.3); every connected part is turned so that the point furthest from its centre looks away from it.
// Points must be finite. Unit length.
std::vector<Vec3f> estimate_cloud_normals(const std::vector<Vec3f>& points, int neighbours = 12);

}  // namespace sinew
