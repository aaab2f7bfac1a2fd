// The bounded biharmonic quadratic program: internal to the biharmonic solver.
//
//   minimise ½ Σ_k x_kᵀ A x_k   over points on the simplex (every row of X: not negative, sum one), some rows given
//
// Alternating directions (ADMM; Boyd et al. 2011, section 5.2): one V-cycle of the linear system, one projection of
// every point onto the simplex, one update of the multipliers. All handles share A, so they are solved at once. Solved
// on the coarsest level of the hierarchy first; every finer level starts from the solution and multipliers of the
// coarser one. What comes out lies exactly on the simplex.
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "sinew/weights/biharmonic_multigrid.h"

namespace sinew {

struct ProgramOptions {
  int max_iterations = 40;  // per level
  double tolerance = 2e-3;  // stop when neither weights nor their distance from the simplex change by more
  int max_influences = 0;   // for limit_program: at most so many non-zeros per point
};

// The state of the iteration, which a later solve continues from.
struct ProgramState {
  Columns smooth;       // x: smooth, nearly on the simplex
  Columns weights;      // z: on the simplex
  Columns multipliers;  // scaled: u
};

struct ProgramReport {
  std::vector<int> iterations;  // per level, finest first
  double energy = 0;            // of the weights
  double change = 0;            // largest change of a weight in the last iteration
};

// Solves from nothing, coarse to fine. Rows of `values` at given points of the finest level are what they are given.
ProgramReport solve_program(const BiharmonicMultigrid& multigrid, const Columns& values, const ProgramOptions& options,
                            const Progress& progress, ProgramState& state);

// Continues from `state` after given points or their values have changed.
ProgramReport continue_program(const BiharmonicMultigrid& multigrid, const Columns& values,
                               const ProgramOptions& options, const Progress& progress, ProgramState& state);

// Solves again from a solution without limit, under options.max_influences. Near every point only few handles matter,
// so that the finest level alone is enough.
ProgramReport limit_program(const BiharmonicMultigrid& multigrid, const ProgramOptions& options,
                            const Progress& progress, ProgramState& state);

// Nearest point of the simplex {x >= 0, Σx = 1}; with `max_non_zeros` > 0 the nearest one with so few non-zeros.
void project_to_simplex(double* x, int count, int max_non_zeros = 0);

}  // namespace sinew
