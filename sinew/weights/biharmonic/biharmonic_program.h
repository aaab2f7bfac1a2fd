// The bounded biharmonic quadratic program: internal to the biharmonic solver.
//
//   minimise ½ Σ_k x_kᵀ A x_k   over points on the simplex (every row of X: not negative, sum one), some rows given
//
// Every iteration finds the face that the weights lie on (which of them are zero and would stay so), walks along it by
// conjugate gradients after V-cycles as if there were no other bounds, comes back to the simplex point by point, and
// irons out the creases that this leaves by Gauss-Seidel sweeps on the simplex; the energy goes down every time (after
// Moré and Toraldo, "On the solution of large quadratic programming problems with bound constraints", 1991). All
// handles share A, so they are solved at once. Solved on the coarsest level of the hierarchy first; every finer level
// starts from there. What comes out lies exactly on the simplex.
#pragma once

#include <vector>

#include "sinew/progress.h"
#include "sinew/weights/biharmonic/biharmonic_multigrid.h"

namespace sinew {

struct ProgramOptions {
  int max_iterations = 8;   // on the finest level, twice as many on coarser ones
  double tolerance = 2e-3;  // stop when no weight changes by more
  int max_influences = 0;   // at most so many non-zeros per point, for limit_program
};

struct ProgramReport {
  std::vector<int> iterations;  // per level, finest first
  double energy = 0;            // of the weights
  double change = 0;            // largest change of a weight in the last iteration
};

// Which points may move, for the functions below: 1 or 0 per point.
std::vector<char> not_given(const std::vector<bool>& given);

// Solves from nothing, coarse to fine. Rows of `values` at given points of the finest level are what they are given.
ProgramReport solve_program(const BiharmonicMultigrid& multigrid, const Columns& values, const ProgramOptions& options,
                            const Progress& progress, Columns& weights);

// Continues from `weights`, the last solution, after what is given at the points `changed` has changed. `moved`: which
// points are not where they were; the others are left alone because they would hardly move.
ProgramReport continue_program(const BiharmonicMultigrid& multigrid, const Columns& values,
                               const std::vector<std::uint32_t>& changed, const ProgramOptions& options,
                               const Progress& progress, Columns& weights, std::vector<char>& moved);

// From a solution without limit to one with at most options.max_influences non-zeros at each of `rows`, none of them
// given: solved again under the limit, while the other points rest.
ProgramReport limit_program(const BiharmonicMultigrid& multigrid, const std::vector<char>& rows,
                            const ProgramOptions& options, const Progress& progress, Columns& weights);

// Nearest point of the simplex {x >= 0, Σx = 1}; with `max_non_zeros` > 0 the nearest one with so few non-zeros.
void project_to_simplex(double* x, int count, int max_non_zeros = 0);

}  // namespace sinew
