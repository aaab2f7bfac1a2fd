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
//   solver.settle_near({pin, other});                    // while the brush moves: only what is near follows
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/error.h"
#include "sinew/mesh.h"
#include "sinew/progress.h"
#include "sinew/rig/bone.h"
#include "sinew/skin_weights.h"
#include "sinew/weights/method.h"
#include "sinew/weights/pins.h"

namespace sinew {

// What moves a part of the shape: the bones of one joint. Bone::joint is not looked at.
struct BiharmonicHandle {
  std::vector<Bone> bones;
};

enum class BiharmonicBoundary {
  natural,  // no condition at the surface; the energy is that of the full second derivative (Hessian)
  neumann,  // weights meet the surface at right angles, as in classic bounded biharmonic weights (Laplacian energy)
};

struct BiharmonicOptions {
  // About how many points to place inside the shape, up to 1,000,000; 0: 3,000 and 100 more per handle, at most 8,000.
  int resolution = 0;
  BiharmonicBoundary boundary = BiharmonicBoundary::neumann;
  int max_influences = 0;   // at most so many non-zero weights per vertex, solved for, not cut off; 0: no limit
  double tolerance = 5e-3;  // the iteration stops when no weight changes by more
  int max_iterations = 8;   // at most so many; twice as many on coarser levels
  std::uint64_t seed = 1;
};

// A vertex whose weights are given: painted.
struct BiharmonicPin {
  std::uint32_t vertex = 0;
  std::vector<std::pair<int, double>> weights;  // handle → weight; not negative, normalised to sum one
};

struct BiharmonicReport {
  std::size_t points = 0;           // inside the shape
  std::size_t island_vertices = 0;  // on pieces that no handle or pin reaches: they follow the nearest bound points
  std::size_t unseen_vertices = 0;  // see no inside point: filled from their neighbours
  int iterations = 0;               // on the finest level
  double energy = 0;                // of all weights, where the longest side of the mesh's box is the unit of length
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
  // pin that names no vertex or handle, or has no weight. Whatever it throws (progress may cancel), the last solution
  // is still there.
  BiharmonicReport solve(const std::vector<BiharmonicPin>& pins = {}, const Progress& progress = {});

  // The answer to a few changed pins in a fraction of a second: about a thousand points around the change follow, the
  // others stay. A later solve() settles everything. Solves when it has not yet been done, or when a pin binds a piece
  // that nothing reached before.
  BiharmonicReport settle_near(const std::vector<BiharmonicPin>& pins, const Progress& progress = {});

  // Weights at the vertices of the mesh: rows are exactly on the simplex, pinned vertices have exactly their pins.
  const Eigen::MatrixXd& vertex_weights() const;

  // Weights anywhere inside the shape (one row per point): on the simplex at every point, one on its own handle. Points
  // that see nothing inside take the weights of the nearest points.
  Eigen::MatrixXd weights_at(const std::vector<Vec3f>& points) const;

  // Handles outside the shape, islands, vertices that were filled; of the last solve.
  Warnings warnings() const;

  // The inside points, for pictures and tests.
  const std::vector<Vec3f>& points() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One handle per joint that takes weight.
struct JointHandles {
  std::vector<BiharmonicHandle> handles;
  std::vector<int> joint_of;  // per handle
};
JointHandles joint_handles(const BindInput& input);

// What a solver takes and gives, in terms of a bind input: its mesh (of a point cloud with the file's normals), pins on
// handles instead of joints, and weights of joints instead of handles.
TriangleMesh solver_mesh(const BindInput& input);
std::vector<BiharmonicPin> handle_pins(const std::vector<WeldedPin>& pins, const JointHandles& bones);
SkinWeights joint_weights(const Eigen::MatrixXd& dense, const std::vector<int>& joint_of, int influences);
// From the checked options of the method.
BiharmonicOptions biharmonic_options(const BindInput& input, const OptionValues& values);

SkinWeights biharmonic_weights(const BindInput& input, const BiharmonicOptions& options,
                               const std::vector<WeldedPin>& pins, const Progress& progress, Warnings& warnings);
WeightMethod biharmonic_method();

}  // namespace sinew
