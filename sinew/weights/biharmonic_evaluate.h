// From weights at inside points to weights anywhere, above all at the vertices: internal to the biharmonic solver.
#pragma once

#include "sinew/mesh/solid_domain.h"
#include "sinew/weights/biharmonic_points.h"
#include "sinew/weights/biharmonic_sparse.h"

namespace sinew {

// Interpolation that never changes as long as the points stay where they are: row i of `weights` gives the value at
// place i as a combination of the values at the inside points (its entries sum to one and reproduce linear functions,
// so some may be slightly negative). Rows of places that see no point are empty.
struct BiharmonicEvaluation {
  SparseRows weights;
  std::vector<char> sees_points;
  std::vector<Vec3f> eyes;  // where each place looks from: itself, or nudged inwards
};

// Places inside the shape.
BiharmonicEvaluation evaluate_inside(const SolidDomain& domain, const BiharmonicPoints& points,
                                     const VisibleNeighbours& visible, const std::vector<Vec3f>& places);

// Vertices of a surface: each looks from a place nudged inwards along its normal (Dodik et al., appendix A).
BiharmonicEvaluation evaluate_vertices(const SolidDomain& domain, const BiharmonicPoints& points,
                                       const VisibleNeighbours& visible, const SpacingField& spacing,
                                       const std::vector<Vec3f>& positions, const std::vector<Vec3f>& normals);

// The Lagrange property by construction: in a thin tube around every handle, about half a spacing wide, weights fade to
// one on the handle (Dodik et al., eq. 7, 15 and 16). Only handles that the place sees count: a bone close to the
// surface does not reach through it.
void fade_to_handles(const SolidDomain& domain, const SpacingField& spacing,
                     const std::vector<BiharmonicHandle>& handles, const std::vector<Vec3f>& places,
                     const std::vector<Vec3f>& eyes, Columns& weights);

// Fills rows that see nothing by averaging over mesh neighbours, ring by ring, then from the nearest inside point
// whatever stands between. Returns the number of rows filled.
std::size_t fill_unseen(const TriangleMesh& mesh, const BiharmonicPoints& points, const Columns& point_weights,
                        const std::vector<char>& sees_points, Columns& vertex_weights);

}  // namespace sinew
