// The biharmonic energy as a sparse quadratic form over the values at the points: internal to the biharmonic solver.
//
// Around every point a quadratic polynomial is fitted to the values at its visible neighbours (moving least squares).
// The point's share of the energy is the smallest sum of curvature of the polynomial and misfit to the values:
//
//   E_i = V_i / h⁴ · min over g, H of  curvature(H) + stiffness · Σ_j w_j (u_j - u_i - g·d_j - ½ d_j·H d_j)²
//
// with d in units of the spacing h. Linear functions cost nothing, quadratic ones exactly their curvature; the misfit
// term holds together what a curvature estimate alone would not see (checkerboards, points with few neighbours). As a
// sum of minima of squares it is never negative, whatever the neighbourhoods look like.
#pragma once

#include "sinew/weights/biharmonic/biharmonic_points.h"
#include "sinew/weights/biharmonic/biharmonic_sparse.h"

namespace sinew {

// Natural boundary: curvature = |H|² (Frobenius). Neumann: (trace H)², and near the surface every neighbour is mirrored
// in it with the same value, which makes the fitted polynomial flat across the surface.
SparseRows biharmonic_energy(const BiharmonicShape& shape, const BiharmonicPoints& points, BiharmonicBoundary boundary);

}  // namespace sinew
