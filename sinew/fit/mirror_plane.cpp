#include "sinew/fit/mirror_plane.h"

#include <algorithm>

namespace sinew {
namespace {

// Every so many voxels are looked at: the share is known to a hundredth.
constexpr std::size_t samples = 6000;

double symmetry_of(const VoxelSolid& solid, const MirrorPlane& plane) {
  const std::size_t step = std::max<std::size_t>(1, solid.count() / samples);
  std::size_t same = 0, all = 0;
  for (std::size_t v = 0; v < solid.count(); v += step, ++all) {
    same += solid.at(plane.mirrored(solid.position(static_cast<std::uint32_t>(v)))) >= 0;
  }
  return static_cast<double>(same) / static_cast<double>(all);
}

}  // namespace

MirrorPlane find_mirror_plane(const VoxelSolid& solid, std::vector<Vec3d> directions) {
  if (directions.empty()) directions = {Vec3d::UnitX(), Vec3d::UnitZ(), Vec3d::UnitY()};
  Vec3d centroid = Vec3d::Zero();
  for (std::uint32_t v = 0; v < solid.count(); ++v) centroid += solid.position(v);
  centroid /= static_cast<double>(solid.count());
  MirrorPlane best;
  best.symmetry = -1;
  for (const Vec3d& direction : directions) {
    MirrorPlane own;
    own.symmetry = -1;
    for (const Vec3d& point : {Vec3d(solid.box().center()), centroid}) {
      MirrorPlane plane{point, direction, 0};
      plane.symmetry = symmetry_of(solid, plane);
      if (plane.symmetry > own.symmetry) own = plane;
    }
    if (own.symmetry > best.symmetry + (best.symmetry < 0 ? 0.0 : 0.02)) best = own;
  }
  return best;
}

}  // namespace sinew
