#include "sinew/weights/biharmonic_program.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/parallel.h"

namespace sinew {

void project_to_simplex(double* x, int count, int max_non_zeros) {
  thread_local std::vector<double> sorted;
  sorted.assign(x, x + count);
  const int kept = max_non_zeros > 0 ? std::min(max_non_zeros, count) : count;
  if (kept < count) {
    // The largest entries stay (of equal ones the first); the rest is out of the running.
    std::nth_element(sorted.begin(), sorted.begin() + kept - 1, sorted.end(), std::greater<>());
    const double smallest = sorted[kept - 1];
    int larger = 0;
    for (int k = 0; k < count; ++k) larger += x[k] > smallest;
    int ties = kept - larger;
    for (int k = 0; k < count; ++k) {
      if (x[k] > smallest || (x[k] == smallest && ties-- > 0)) continue;
      x[k] = -1e300;
    }
    sorted.resize(kept);
  }
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0, shift = 0.0;
  for (int k = 0; k < kept; ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1.0) / (k + 1);
    if (sorted[k] > candidate) shift = candidate;
  }
  double total = 0.0;
  for (int k = 0; k < count; ++k) total += x[k] = std::max(0.0, x[k] - shift);
  for (int k = 0; k < count; ++k) x[k] /= total;
}

namespace {

constexpr double relaxation = 1.6;

// One level's iteration.
ProgramReport iterate(const BiharmonicMultigrid& multigrid, int index, const ProgramOptions& options,
                      const Progress& progress, ProgramState& state) {
  const MultigridLevel& level = multigrid.level(index);
  const std::size_t count = level.given.size();
  const auto width = static_cast<int>(state.weights.cols());
  ProgramReport report;
  Columns residual, image, step;
  std::vector<double> changes((count + 255) / 256);
  for (int i = 0; i < options.max_iterations; ++i) {
    progress(static_cast<double>(i) / options.max_iterations, "solving");
    // Smooth: one preconditioned step towards (A + shift) x = shift (z - u), with the best step length.
    apply_shifted(level, state.smooth, image);
    residual.resize(image.rows(), image.cols());
    parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        if (level.given[row]) {
          residual.row(row).setZero();
        } else {
          residual.row(row) = level.shift[row] * (state.weights.row(row) - state.multipliers.row(row)) - image.row(row);
        }
      }
    });
    multigrid.cycle(index, residual, step);
    apply_shifted(level, step, image);
    const double curvature = dot(step, image), slope = dot(residual, step);
    const double length = curvature > 0.0 ? slope / curvature : 0.0;
    // Bounds: project every point; and remember how hard it had to be pushed.
    parallel_for(count, 256, [&](std::size_t begin, std::size_t end) {
      Eigen::RowVectorXd relaxed(width), projected(width);
      double change = 0.0;
      for (std::size_t row = begin; row < end; ++row) {
        if (level.given[row]) continue;
        state.smooth.row(row) += length * step.row(row);
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
    const MultigridLevel& level = multigrid.level(index);
    set_given_rows(level, given[index], state);
    ProgramOptions level_options = options;
    if (index > 0) level_options.max_influences = 0;
    if (index == coarsest) level_options.max_iterations *= 3;
    const double begin = coarsest == 0 ? 0.0 : 0.5 * (coarsest - index) / coarsest;
    report = iterate(multigrid, index, level_options, progress.part(begin, index == 0 ? 1.0 : begin + 0.1), state);
    iterations.insert(iterations.begin(), report.iterations[0]);
    if (index == 0) break;
    const SparseRows& prolongation = multigrid.level(index - 1).prolongation;
    ProgramState finer;
    multiply(prolongation, state.smooth, finer.smooth);
    multiply(prolongation, state.weights, finer.weights);
    multiply(prolongation, state.multipliers, finer.multipliers);
    for (Eigen::Index row = 0; row < finer.weights.rows(); ++row) {
      project_to_simplex(finer.weights.data() + row * width, width);
    }
    state = std::move(finer);
  }
  report.iterations = iterations;
  report.energy = energy_of(multigrid.level(0), state.weights);
  return report;
}

ProgramReport continue_program(const BiharmonicMultigrid& multigrid, const Columns& values,
                               const ProgramOptions& options, const Progress& progress, ProgramState& state) {
  set_given_rows(multigrid.level(0), values, state);
  ProgramReport report = iterate(multigrid, 0, options, progress, state);
  report.energy = energy_of(multigrid.level(0), state.weights);
  return report;
}

}  // namespace sinew
