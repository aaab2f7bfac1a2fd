// The plane across which the inside of a mesh is its own mirror image.
#pragma once

#include <vector>

#include "sinew/fit/voxel_solid.h"

namespace sinew {

struct MirrorPlane {
  Vec3d point = Vec3d::Zero();
  Vec3d normal = Vec3d::UnitX();  // unit length
  double symmetry = 0;            // share of the inside whose mirror image is inside, 0 … 1

  double side(const Vec3d& p) const { return (p - point).dot(normal); }
  Vec3d mirrored(const Vec3d& p) const { return p - 2 * side(p) * normal; }
};

// The best of the planes at right angles to `directions` (unit length; the axes when empty), each through the middle of
// the mass or of the bounding box. Earlier directions win where the difference is less than two hundredths: files are
// nearly always modelled along their axes, with x to the side.
MirrorPlane find_mirror_plane(const VoxelSolid& solid, std::vector<Vec3d> directions = {});

}  // namespace sinew
