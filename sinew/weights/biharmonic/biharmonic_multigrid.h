// Fast approximate solutions of the biharmonic system on a hierarchy of ever fewer points: internal to the solver.
//
// Coarse points are a maximal independent set of the neighbour graph; values travel between levels by interpolation
// that reproduces quadratic functions and stays on one side of every wall, because it only follows the neighbour graph.
// Coarse energies are Galerkin products. One symmetric V-cycle solves
//
//   energy x = right  where x is free,  x = 0 elsewhere
//
// well enough to be a preconditioner, for one right-hand side per handle at once, each with its own free points, among
// all x whose entries sum to zero at every point (weights go on summing to one). In single precision: a step only has
// to point in the right direction.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "sinew/weights/biharmonic/biharmonic_points.h"
#include "sinew/weights/biharmonic/biharmonic_sparse.h"

namespace sinew {

struct MultigridLevel {
  SparseRows energy;
  std::vector<double> diagonal;  // of energy
  std::vector<bool> given;       // points that do not move: handles and pins
  SweepOrder order;
  SparseRows prolongation;            // from the next coarser level to this one
  SparseRows restriction;             // its transpose
  std::vector<std::uint32_t> coarse;  // points of this level that are the points of the next one, in order
};

// What may move: one entry per point and handle, 1 or 0, on a level and all coarser ones.
struct FreeEntries {
  struct Level {
    SingleColumns entries;
    std::vector<char> rows;    // per point: whether any entry is free
    std::vector<float> share;  // per point: 1 / number of free entries, or 0
  };
  std::vector<Level> levels;  // of the hierarchy, from the level that they were made for
  // On the coarsest level, per handle: the free points and the factorised energy between them.
  std::vector<std::vector<std::uint32_t>> coarsest_points;
  std::vector<Eigen::LLT<Eigen::MatrixXd>> coarsest;
};

// Sets what is not free to zero and takes the mean of the free entries from them:
// the part of a row that keeps the sum of weights.
void keep_sum(const FreeEntries::Level& free, std::size_t row, Eigen::Ref<Eigen::RowVectorXf> x);

class BiharmonicMultigrid {
 public:
  // Points with points.handle >= 0 are on every level and given from the start.
  BiharmonicMultigrid(const BiharmonicPoints& points, SparseRows energy);

  // The finest level is 0.
  int level_count() const { return static_cast<int>(levels_.size()); }
  const MultigridLevel& level(int index) const { return levels_[index]; }

  // Changes which points of the finest level are given; all handles must stay so.
  void set_given(const std::vector<bool>& given);

  // `entries` of the level `index`, which must be 0 at given points, as the coarser levels see them.
  FreeEntries free_entries(int index, SingleColumns entries) const;

  // One V-cycle from a zero start on the system of level `index`, for which `free` was made; on the coarsest level the
  // exact solution. `right` must be zero where it is not free, and x is so.
  void cycle(int index, const FreeEntries& free, const SingleColumns& right, SingleColumns& x) const;

 private:
  void cycle(int index, int finest, const FreeEntries& free, const SingleColumns& right, SingleColumns& x) const;

  std::vector<MultigridLevel> levels_;
};

}  // namespace sinew
