#include "sinew/weights/biharmonic_program.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/parallel.h"

namespace sinew {

void project_to_simplex(double* x, int count, int max_non_zeros) {
  const int kept = max_non_zeros > 0 ? std::min(max_non_zeros, count) : count;
  if (kept < count) {
    // The largest entries stay (of equal ones the first); the rest is out of the running.
    thread_local std::vector<double> sorted;
    sorted.assign(x, x + count);
    std::nth_element(sorted.begin(), sorted.begin() + kept - 1, sorted.end(), std::greater<>());
    const double smallest = sorted[kept - 1];
    int larger = 0;
    for (int k = 0; k < count; ++k) larger += x[k] > smallest;
    int ties = kept - larger;
    for (int k = 0; k < count; ++k) {
      if (x[k] > smallest || (x[k] == smallest && ties-- > 0)) continue;
      x[k] = -1e300;
    }
  }
  // The shift that makes the positive rest sum to one: it only rises while entries drop out (Michelot 1986). The
  // largest entry less one is below it, and leaves few to look at.
  double shift = *std::max_element(x, x + count) - 1.0;
  for (int before = count + 1, used = count;; before = used) {
    double sum = 0.0;
    used = 0;
    for (int k = 0; k < count; ++k) {
      const bool above = x[k] > shift;
      sum += above ? x[k] : 0.0;
      used += above;
    }
    if (used >= before || used == 0) break;  // rounding may bring back one that has just dropped out
    shift = (sum - 1.0) / used;
  }
  double total = 0.0;
  for (int k = 0; k < count; ++k) total += x[k] = std::max(0.0, x[k] - shift);
  for (int k = 0; k < count; ++k) x[k] /= total;
}

namespace {

constexpr double relaxation = 1.6;
constexpr int gradients_per_step = 2;
constexpr int relaxing_sweeps = 3;  // forwards and backwards, at the end of a level
// Steps on the coarsest level are exact and cheap: there the far parts find their place.
constexpr int coarsest_effort = 8;
constexpr auto strongest = static_cast<int>(BiharmonicMultigrid::strengths.size()) - 1;

Eigen::RowVectorXd quotients(const Eigen::RowVectorXd& above, const Eigen::RowVectorXd& below) {
  return (below.array() > 0.0).select(above.array() / below.array().max(1e-300), 0.0);
}

template <typename Body>
void each_row(Eigen::Index rows, const Body& body) {
  parallel_for(static_cast<std::size_t>(rows), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) body(static_cast<Eigen::Index>(row));
  });
}

// The step towards (A + strength * shift) x = strength * shift (z - u): a few conjugate gradients, every handle with
// its own step length, each after one V-cycle (on the coarsest level one exact solve). `image` is A x; it follows the
// step, so that A is applied once per V-cycle.
void smooth_step(const BiharmonicMultigrid& multigrid, int index, int strength, const ProgramState& state,
                 Columns& image, Columns& step) {
  const MultigridLevel& level = multigrid.level(index);
  const double scale = BiharmonicMultigrid::strengths[strength];
  const bool exact = index + 1 == multigrid.level_count();
  Columns residual(image.rows(), image.cols()), direction, improved, direction_image;
  parallel_for(level.given.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (level.given[row]) {
        residual.row(row).setZero();
      } else {
        residual.row(row) =
            scale * level.shift[row] * (state.weights.row(row) - state.multipliers.row(row) - state.smooth.row(row)) -
            image.row(row);
      }
    }
  });
  step.setZero(image.rows(), image.cols());
  Eigen::RowVectorXd slope;
  for (int i = 0; i < (exact ? 1 : gradients_per_step); ++i) {
    multigrid.cycle(index, strength, residual, improved);
    const Eigen::RowVectorXd new_slope = column_dots(residual, improved);
    direction = i == 0 ? improved : Columns(improved + direction * quotients(new_slope, slope).asDiagonal());
    slope = new_slope;
    multiply(level.energy, direction, direction_image);
    Eigen::RowVectorXd length = Eigen::RowVectorXd::Ones(image.cols());
    if (!exact) {
      Columns& shifted = improved;
      shifted.resize(image.rows(), image.cols());
      each_row(shifted.rows(), [&](Eigen::Index row) {
        shifted.row(row) = direction_image.row(row) + scale * level.shift[row] * direction.row(row);
      });
      length = quotients(slope, column_dots(direction, shifted));
    }
    each_row(step.rows(), [&](Eigen::Index row) {
      step.row(row) += direction.row(row).cwiseProduct(length);
      image.row(row) += direction_image.row(row).cwiseProduct(length);
      if (exact || level.given[row]) return;
      residual.row(row) -= improved.row(row).cwiseProduct(length);
    });
  }
}

// One level's iteration.
ProgramReport iterate(const BiharmonicMultigrid& multigrid, int index, int strength, const ProgramOptions& options,
                      const Progress& progress, ProgramState& state) {
  const MultigridLevel& level = multigrid.level(index);
  const std::size_t count = level.given.size();
  const auto width = static_cast<int>(state.weights.cols());
  ProgramReport report;
  Columns step, image;
  multiply(level.energy, state.smooth, image);
  std::vector<double> changes((count + 255) / 256);
  for (int i = 0; i < options.max_iterations; ++i) {
    progress(static_cast<double>(i) / options.max_iterations, "solving");
    smooth_step(multigrid, index, strength, state, image, step);
    // Bounds: project every point, and remember how hard it had to be pushed.
    parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
      Eigen::RowVectorXd relaxed(width), projected(width);
      double change = 0.0;
      for (std::size_t row = begin; row < end; ++row) {
        if (level.given[row]) continue;
        state.smooth.row(row) += step.row(row);
        relaxed = relaxation * state.smooth.row(row) + (1.0 - relaxation) * state.weights.row(row);
        projected = relaxed + state.multipliers.row(row);
        project_to_simplex(projected.data(), width, options.max_influences);
        change = std::max(change, (projected - state.weights.row(row)).cwiseAbs().maxCoeff());
        change = std::max(change, (projected - state.smooth.row(row)).cwiseAbs().maxCoeff());
        state.multipliers.row(row) += relaxed - projected;
        state.weights.row(row) = projected;
      }
      changes[begin / 256] = change;
    });
    report.iterations.assign(1, i + 1);
    report.change = *std::max_element(changes.begin(), changes.end());
    if (report.change < options.tolerance) break;
  }
  return report;
}

// The pull towards the simplex starts weak, so that parts that hardly resist (beyond the last bone, say) find their
// place, and ends strong, so that bounds are kept sharply.
ProgramReport iterate_from_weak(const BiharmonicMultigrid& multigrid, int index, const ProgramOptions& options,
                                const Progress& progress, ProgramState& state) {
  constexpr auto& strengths = BiharmonicMultigrid::strengths;
  constexpr auto stages = static_cast<int>(strengths.size());
  ProgramReport report;
  ProgramOptions stage = options;
  stage.max_iterations = std::max(1, options.max_iterations / stages);
  int iterations = 0;
  for (int strength = 0; strength < stages; ++strength) {
    // Multipliers are scaled by the pull.
    state.multipliers *= strength == 0 ? 1.0 / strengths[0] : strengths[strength - 1] / strengths[strength];
    report = iterate(multigrid, index, strength, stage,
                     progress.part(static_cast<double>(strength) / stages, (strength + 1.0) / stages), state);
    iterations += report.iterations[0];
  }
  report.iterations[0] = iterations;
  return report;
}

// Gauss-Seidel on the simplex: every point in turn takes the weights that are best for it while the others rest. The
// energy of a point is the same in all handles, so that its best place is the projection of the unbounded one. Lowers
// the energy with every step; irons out the creases that alternating directions leave where bounds begin.
void relax_on_simplex(const MultigridLevel& level, int sweeps, int max_influences, ProgramState& state) {
  const std::size_t rows = level.energy.row_count();
  const auto width = static_cast<int>(state.weights.cols());
  for (int s = 0; s < 2 * sweeps; ++s) {
    const bool forwards = s % 2 == 0;
    const std::size_t colours = level.order.colours.size();
    for (std::size_t c = 0; c < colours; ++c) {
      const std::vector<std::uint32_t>& runs = level.order.colours[forwards ? c : colours - 1 - c];
      parallel_for(runs.size(), 1, [&](std::size_t begin, std::size_t end) {
        Eigen::RowVectorXd best(width);
        for (std::size_t r = begin; r < end; ++r) {
          const std::size_t first = runs[r] * level.order.run_length;
          const std::size_t last = std::min(rows, first + level.order.run_length);
          for (std::size_t k = 0; k < last - first; ++k) {
            const std::size_t row = forwards ? first + k : last - 1 - k;
            if (level.given[row] || !(level.diagonal[row] > 0.0)) continue;
            best.setZero();
            add_row_times(level.energy, row, state.weights, best.data());
            best = state.weights.row(row) - best / level.diagonal[row];
            project_to_simplex(best.data(), width, max_influences);
            state.weights.row(row) = best;
          }
        }
      });
    }
  }
}

double energy_of(const MultigridLevel& level, const Columns& x) {
  Columns image;
  multiply(level.energy, x, image);
  return 0.5 * dot(x, image);
}

// Values given at the finest level, as every coarser level sees them.
std::vector<Columns> values_per_level(const BiharmonicMultigrid& multigrid, const Columns& values) {
  std::vector<Columns> result{values};
  for (int l = 0; l + 1 < multigrid.level_count(); ++l) {
    const std::vector<std::uint32_t>& coarse = multigrid.level(l).coarse;
    Columns next(static_cast<Eigen::Index>(coarse.size()), values.cols());
    for (std::size_t i = 0; i < coarse.size(); ++i) next.row(i) = result.back().row(coarse[i]);
    result.push_back(std::move(next));
  }
  return result;
}

void set_given_rows(const MultigridLevel& level, const Columns& values, ProgramState& state) {
  for (std::size_t i = 0; i < level.given.size(); ++i) {
    if (!level.given[i]) continue;
    state.smooth.row(i) = state.weights.row(i) = values.row(i);
    state.multipliers.row(i).setZero();
  }
}

ProgramState prolong(const SparseRows& prolongation, const ProgramState& coarse) {
  ProgramState fine;
  multiply(prolongation, coarse.smooth, fine.smooth);
  multiply(prolongation, coarse.weights, fine.weights);
  multiply(prolongation, coarse.multipliers, fine.multipliers);
  const auto width = static_cast<int>(fine.weights.cols());
  parallel_for(static_cast<std::size_t>(fine.weights.rows()), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) project_to_simplex(fine.weights.data() + row * width, width);
  });
  return fine;
}

// The same state on a coarser level: values at the points that both have.
ProgramState inject(const std::vector<std::uint32_t>& coarse, const ProgramState& fine) {
  ProgramState result;
  const auto rows = static_cast<Eigen::Index>(coarse.size());
  for (Columns* part : {&result.smooth, &result.weights, &result.multipliers}) part->resize(rows, fine.weights.cols());
  for (Eigen::Index i = 0; i < rows; ++i) {
    result.smooth.row(i) = fine.smooth.row(coarse[i]);
    result.weights.row(i) = fine.weights.row(coarse[i]);
    result.multipliers.row(i) = fine.multipliers.row(coarse[i]);
  }
  return result;
}

}  // namespace

ProgramReport solve_program(const BiharmonicMultigrid& multigrid, const Columns& values, const ProgramOptions& options,
                            const Progress& progress, ProgramState& state) {
  const std::vector<Columns> given = values_per_level(multigrid, values);
  const int coarsest = multigrid.level_count() - 1;
  const auto width = static_cast<int>(values.cols());
  ProgramReport report;
  std::vector<int> iterations;
  state.weights = Columns::Constant(given.back().rows(), width, 1.0 / width);
  state.smooth = state.weights;
  state.multipliers = Columns::Zero(given.back().rows(), width);
  for (int index = coarsest; index >= 0; --index) {
    set_given_rows(multigrid.level(index), given[index], state);
    ProgramOptions level_options = options;
    if (index == coarsest) level_options.max_iterations *= coarsest_effort;
    const double begin = coarsest == 0 ? 0.0 : 0.4 * (coarsest - index) / coarsest;
    const Progress part = progress.part(begin, index == 0 ? 1.0 : begin + 0.1);
    report = iterate_from_weak(multigrid, index, level_options, part, state);
    relax_on_simplex(multigrid.level(index), relaxing_sweeps, 0, state);
    iterations.insert(iterations.begin(), report.iterations[0]);
    if (index > 0) state = prolong(multigrid.level(index - 1).prolongation, state);
  }
  report.iterations = iterations;
  report.energy = energy_of(multigrid.level(0), state.weights);
  return report;
}

ProgramReport continue_program(const BiharmonicMultigrid& multigrid, const Columns& values,
                               const ProgramOptions& options, const Progress& progress, ProgramState& state) {
  // What the change of given values does far away is found on the coarser levels; only their change goes up.
  const std::vector<Columns> given = values_per_level(multigrid, values);
  const int coarsest = multigrid.level_count() - 1;
  std::vector<ProgramState> before{state};
  for (int l = 0; l < coarsest; ++l) before.push_back(inject(multigrid.level(l).coarse, before.back()));
  // What is left for the finest level is near the edit; a third of the steps settles it.
  ProgramOptions finest_options = options;
  finest_options.max_iterations = std::max(1, options.max_iterations / 3);
  ProgramReport report;
  ProgramState now = before[coarsest];
  for (int index = coarsest; index >= 0; --index) {
    set_given_rows(multigrid.level(index), given[index], now);
    const Progress part = progress.part(index > 0 ? 0.0 : 0.3, index > 0 ? 0.3 : 1.0);
    report = index > 0 ? iterate_from_weak(multigrid, index, options, part, now)
                       : iterate(multigrid, index, strongest, finest_options, part, now);
    if (index == 0) {
      relax_on_simplex(multigrid.level(0), relaxing_sweeps, 0, now);
      break;
    }
    ProgramState change;
    change.smooth = now.smooth - before[index].smooth;
    change.multipliers = now.multipliers - before[index].multipliers;
    now = before[index - 1];
    Columns fine_change;
    const SparseRows& prolongation = multigrid.level(index - 1).prolongation;
    multiply(prolongation, change.smooth, fine_change);
    now.smooth += fine_change;
    now.weights += fine_change;
    multiply(prolongation, change.multipliers, fine_change);
    now.multipliers += fine_change;
    const auto width = static_cast<int>(now.weights.cols());
    parallel_for(static_cast<std::size_t>(now.weights.rows()), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) project_to_simplex(now.weights.data() + row * width, width);
    });
  }
  state = std::move(now);
  report.energy = energy_of(multigrid.level(0), state.weights);
  return report;
}

ProgramReport limit_program(const BiharmonicMultigrid& multigrid, const ProgramOptions& options,
                            const Progress& progress, ProgramState& state) {
  ProgramReport report = iterate(multigrid, 0, strongest, options, progress, state);
  relax_on_simplex(multigrid.level(0), relaxing_sweeps, options.max_influences, state);
  report.energy = energy_of(multigrid.level(0), state.weights);
  return report;
}

}  // namespace sinew
