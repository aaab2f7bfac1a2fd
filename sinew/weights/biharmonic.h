// Bounded biharmonic weights without tetrahedra, for any surface that roughly encloses something.
//
// The smoothest weights (Σ ∫ |second derivatives|²) that are never negative, sum to one everywhere, and are one on
// their own handle and zero on the others (Jacobson et al., "Bounded Biharmonic Weights for Real-Time Deformation",
// 2011), solved mesh-free on points inside the shape that see each other (Dodik et al., "Robust Biharmonic Skinning
// Using Geometric Fields", 2025). Works on closed and open meshes, triangle soups, scans, ribbons, point clouds with or
// without normals, and planar polygons. docs/methods/biharmonic.md tells how, and what is different from the source.
//
//   BiharmonicSolver solver(mesh, handles, {});
//   solver.solve();
//   Eigen::MatrixXd weights = solver.vertex_weights();   // one row per vertex, one column per handle
//   solver.solve({pin});                                 // a painted vertex: answers from the last solution
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/progress.h"
#include "sinew/mesh/triangle_mesh.h"
#include "sinew/rig/skin_weights.h"
#include "sinew/weights/method.h"

namespace sinew {

// What moves a part of the shape: the segments of a bone; a segment with equal ends is a point.
struct BiharmonicHandle {
  std::vector<std::pair<Vec3f, Vec3f>> segments;
};

enum class BiharmonicBoundary {
  natural,  // no condition at the surface; the energy is that of the full second derivative (Hessian)
  neumann,  // weights meet the surface at right angles, as in classic bounded biharmonic weights (Laplacian energy)
};

struct BiharmonicOptions {
  // About how many points to place inside the shape, up to 1,000,000; 0: 2,000 and 500 more per handle, at most 16,000.
  int resolution = 0;
  BiharmonicBoundary boundary = BiharmonicBoundary::neumann;
  int max_influences = 0;   // at most so many non-zero weights per vertex, solved for, not cut off; 0: no limit
  double tolerance = 5e-3;  // of the iteration, as a change of weights
  std::uint64_t seed = 1;
};

// A vertex whose weights are given: painted.
struct BiharmonicPin {
  std::uint32_t vertex = 0;
  std::vector<std::pair<int, double>> weights;  // handle → weight; not negative, normalised to sum one
};

struct BiharmonicReport {
  std::size_t points = 0;         // inside the shape
  std::size_t island_points = 0;  // of them: not connected to any handle or pin inside the shape
  std::size_t islands = 0;
  std::size_t filled_vertices = 0;  // see no inside point: filled from their neighbours
  int iterations = 0;               // on the finest level
  double energy = 0;
};

class BiharmonicSolver {
 public:
  // Places the points, traces who sees whom and builds the hierarchy. `mesh` should be welded (weld.h); a mesh without
  // triangles is a point cloud. Throws Error(bad_input) when there is no inside at all or no handle.
  BiharmonicSolver(const TriangleMesh& mesh, std::vector<BiharmonicHandle> handles, const BiharmonicOptions& options,
                   const Progress& progress = {});
  ~BiharmonicSolver();
  BiharmonicSolver(BiharmonicSolver&&) noexcept;
  BiharmonicSolver& operator=(BiharmonicSolver&&) noexcept;

  // Solves with these pins; the first time from nothing, later from the last solution. Throws Error(bad_input) for a
  // pin that names no vertex or handle, or has no weight.
  BiharmonicReport solve(const std::vector<BiharmonicPin>& pins = {}, const Progress& progress = {});

  // Weights at the vertices of the mesh: rows are exactly on the simplex, pinned vertices have exactly their pins.
  const Eigen::MatrixXd& vertex_weights() const;

  // Weights anywhere inside the shape (one row per point): on the simplex at every point, one on its own handle. Points
  // that see nothing inside take the weights of the nearest points.
  Eigen::MatrixXd weights_at(const std::vector<Vec3f>& points) const;

  // Handles outside the shape, islands, vertices that were filled.
  const Warnings& warnings() const;

  // The inside points, for pictures and tests.
  const std::vector<Vec3f>& points() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// For `sinew bind --method biharmonic`: one handle per joint that takes weight.
SkinWeights biharmonic_weights(const BindInput& input, const BiharmonicOptions& options, const Progress& progress,
                               Warnings& warnings);
WeightMethod biharmonic_method();

}  // namespace sinew
