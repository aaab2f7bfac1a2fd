// From weights at inside points to weights anywhere, above all at the vertices: internal to the biharmonic solver.
#pragma once

#include "sinew/weights/biharmonic/biharmonic_points.h"
#include "sinew/weights/biharmonic/biharmonic_sparse.h"

namespace sinew {

// Interpolation that never changes as long as the points stay where they are: row i of `weights` gives the value at
// place i as a combination of the values at the inside points (its entries sum to one and reproduce linear functions,
// so some may be slightly negative). Rows of places that see no point are empty.
struct BiharmonicEvaluation {
  SparseRows weights;
  std::vector<Vec3f> eyes;  // where each place looks from: itself, or nudged inwards
  std::vector<int> domain;  // in which domain; -1 when it sees nothing
};

// Places inside the shape.
BiharmonicEvaluation evaluate_inside(const BiharmonicShape& shape, const BiharmonicPoints& points,
                                     const std::vector<VisibleNeighbours>& visible, const std::vector<Vec3f>& places);

// Vertices of the mesh: each looks from a place nudged inwards along its normal (Dodik et al., appendix A).
BiharmonicEvaluation evaluate_vertices(const BiharmonicShape& shape, const BiharmonicPoints& points,
                                       const std::vector<VisibleNeighbours>& visible, const TriangleMesh& mesh,
                                       const Progress& progress);

// The Lagrange property by construction: in a thin tube around every handle, about half a spacing wide, weights fade to
// one on the handle (Dodik et al., eq. 7, 15 and 16). Only handles that the place sees count: a bone close to the
// surface does not reach through it.
void fade_to_handles(const BiharmonicShape& shape, const std::vector<BiharmonicHandle>& handles,
                     const std::vector<Vec3f>& places, const BiharmonicEvaluation& evaluation, Columns& weights);

struct Filling {
  std::size_t unseen = 0;   // rows that see no inside point: averaged from mesh neighbours, ring by ring
  std::size_t islands = 0;  // rows that only see points without any connection to a handle or pin
};

// Gives weights to the rows that have none yet. `bound`: per inside point, whether it is connected to a handle or pin.
// Rows on islands, and unseen rows without any neighbour, follow the nearest bound points whatever stands between.
Filling fill_missing(const TriangleMesh& mesh, const BiharmonicPoints& points, const std::vector<char>& bound,
                     const Columns& point_weights, const BiharmonicEvaluation& evaluation, Columns& weights);

}  // namespace sinew
