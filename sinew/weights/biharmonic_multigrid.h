// Fast approximate solutions of the biharmonic system on a hierarchy of ever fewer points: internal to the solver.
//
// Coarse points are a maximal independent set of the neighbour graph; values travel between levels by interpolation
// that reproduces linear functions and stays on one side of every wall, because it only follows the neighbour graph.
// Coarse energies are Galerkin products. One symmetric V-cycle solves
//
//   (energy + strength * diag(shift)) x = right,  x = 0 at given points
//
// well enough to be a preconditioner, for any number of right-hand sides at once. Cycles run in single precision where
// that is enough.
#pragma once

#include <Eigen/Cholesky>
#include <array>
#include <vector>

#include "sinew/weights/biharmonic_points.h"
#include "sinew/weights/biharmonic_sparse.h"

namespace sinew {

struct MultigridLevel {
  SparseRows energy;
  std::vector<double> shift;     // > 0 per point
  std::vector<double> diagonal;  // of energy
  std::vector<bool> given;       // points that do not move: handles and pins
  double contrast = 0;           // largest ratio of diagonal and shift
  SweepOrder order;
  SparseRows prolongation;            // from the next coarser level to this one
  SparseRows restriction;             // its transpose
  std::vector<std::uint32_t> coarse;  // points of this level that are the points of the next one, in order
};

class BiharmonicMultigrid {
 public:
  // Points with points.handle >= 0 are on every level and given from the start.
  BiharmonicMultigrid(const BiharmonicPoints& points, SparseRows energy, std::vector<double> shift);

  // The finest level is 0.
  int level_count() const { return static_cast<int>(levels_.size()); }
  const MultigridLevel& level(int index) const { return levels_[index]; }

  // Changes which points of the finest level are given; all handles must stay so.
  void set_given(const std::vector<bool>& given);

  // Strengths of the shift for which the coarsest level is factorised, from weak to strong.
  static constexpr std::array<double, 3> strengths{0.01, 0.1, 1.0};

  // One V-cycle from a zero start on the system of `level` with strengths[strength]; on the coarsest level the exact
  // solution. Rows of given points of `right` must be zero.
  void cycle(int level, int strength, const Columns& right, Columns& x) const;

 private:
  bool single_is_enough(int level, int strength) const;
  template <typename Scalar>
  void cycle_in(int level, int strength, const ColumnsOf<Scalar>& right, ColumnsOf<Scalar>& x) const;

  std::vector<MultigridLevel> levels_;
  void solve_coarsest(int strength, const Columns& right, Columns& x) const;

  std::vector<std::uint32_t> coarsest_free_;
  std::array<Eigen::LLT<Eigen::MatrixXd>, 3> coarsest_;
};

}  // namespace sinew
