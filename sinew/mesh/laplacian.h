// A Laplacian that is safe on any triangle mesh: open, non-manifold, with slivers, flipped or doubled triangles.
//
// Sharp and Crane, "A Laplacian for Nonmanifold Triangle Meshes" (SGP 2020): edge lengths are lengthened a little until
// no triangle is degenerate (section 4.5), every triangle is doubled and glued around its edges so that the cover is
// closed and edge-manifold (section 3.2), and edges are flipped until the cover is intrinsically Delaunay. All edge
// weights are then non-negative: solutions of diffusion problems stay between their sources, whatever the mesh.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "sinew/mesh.h"

namespace sinew {

struct Laplacian {
  // Symmetric positive semi-definite, rows sum to 0: the integrated −Δ (cotangent weights off the diagonal, negated).
  // Without unit: the same for a mesh at any scale.
  Eigen::SparseMatrix<double> stiffness;
  Eigen::VectorXd
      mass;  // area around each vertex (for a mesh a third of its triangles); 0 for a vertex without triangles
};

// `mollification`: how far from degenerate every triangle is made, relative to the mean edge length.
Laplacian robust_laplacian(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles,
                           double mollification = 1e-5);

// For points of a surface without triangles: each point and its `neighbours` nearest exchange heat. Weights are such
// that |x|² has the right Laplacian (4 on a plane, the mean over the neighbours); the mass is the area a point's
// neighbours leave it. Points at the same place are joined firmly.
Laplacian cloud_laplacian(const std::vector<Vec3f>& positions, int neighbours = 8);

}  // namespace sinew
