// Bounded biharmonic weights without tetrahedra, for any surface that roughly encloses something.
//
// The smoothest weights Σ ∫ |second derivatives|² that are never negative, sum to one everywhere, and are one on their
// own handle and zero on the others (Jacobson et al., "Bounded Biharmonic Weights for Real-Time Deformation", 2011),
// solved mesh-free on points inside the shape that see each other (Dodik et al., "Robust Biharmonic Skinning Using
// Geometric Fields", 2025). Works on closed and open meshes, triangle soups, scans, ribbons, point clouds with or
// without normals, and planar polygons. docs/methods/biharmonic.md explains what is different from the source.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/base/eigen_types.h"

namespace sinew {

// What moves a part of the shape: the segments of a bone (a point where both ends are equal).
struct BiharmonicHandle {
  std::vector<std::pair<Vec3f, Vec3f>> segments;
};

enum class BiharmonicBoundary {
  natural,  // no condition at the surface: the energy is that of the full second derivative (Hessian)
  neumann,  // weights meet the surface at right angles, as in classic bounded biharmonic weights (Laplacian energy)
};

struct BiharmonicOptions {
  int resolution = 16384;  // about how many points to place inside the shape
  BiharmonicBoundary boundary = BiharmonicBoundary::neumann;
  std::uint64_t seed = 1;
};

}  // namespace sinew
