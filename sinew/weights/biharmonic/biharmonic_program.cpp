#include "sinew/weights/biharmonic/biharmonic_program.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sinew/base/parallel.h"
#include "sinew/weights/biharmonic/biharmonic_settle.h"

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

constexpr int gradients_per_step = 5;
constexpr int sweeps_per_step = 1;  // forwards and backwards
constexpr int most_halvings = 3;
// Steps on coarser levels are cheap.
constexpr int coarse_effort = 2;
// Points around a change that are settled exactly before anything else moves.
constexpr std::size_t settled_first = 800;
// Points whose weights change by less than this share of the tolerance rest, until something near them moves.
constexpr double rest_share = 0.1;

template <typename Body>
void each_row(const std::vector<char>& rows, const Body& body) {
  parallel_for(rows.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (rows[row]) body(static_cast<Eigen::Index>(row));
    }
  });
}

// Gauss-Seidel on the simplex: every point in turn takes the weights that are best for it while the others rest. The
// energy of a point is the same in all handles, so that its best place is the projection of the unbounded one. Lowers
// the energy with every step; irons out the creases that projecting leaves where bounds begin.
void relax_on_simplex(const MultigridLevel& level, const std::vector<char>& rows, int sweeps, int max_influences,
                      Columns& weights) {
  const auto width = static_cast<int>(weights.cols());
  for (int s = 0; s < 2 * sweeps; ++s) {
    const bool forwards = s % 2 == 0;
    const std::size_t colours = level.order.colours.size();
    for (std::size_t c = 0; c < colours; ++c) {
      const std::vector<std::uint32_t>& runs = level.order.colours[forwards ? c : colours - 1 - c];
      parallel_for(runs.size(), 1, [&](std::size_t begin, std::size_t end) {
        Eigen::RowVectorXd best(width);
        for (std::size_t r = begin; r < end; ++r) {
          const std::size_t first = runs[r] * level.order.run_length;
          const std::size_t last = std::min(rows.size(), first + level.order.run_length);
          for (std::size_t k = 0; k < last - first; ++k) {
            const std::size_t row = forwards ? first + k : last - 1 - k;
            if (!rows[row] || !(level.diagonal[row] > 0.0)) continue;
            best.setZero();
            add_row_times(level.energy, row, weights, best.data());
            best = weights.row(row) - best / level.diagonal[row];
            project_to_simplex(best.data(), width, max_influences);
            weights.row(row) = best;
          }
        }
      });
    }
  }
}

// The face of the feasible set that the weights lie on, and the slope along it. An entry is free when it is above zero,
// or when raising it would lower the energy.
struct Face {
  FreeEntries free;
  SingleColumns downhill;
};

Face face_of(const BiharmonicMultigrid& multigrid, int index, const std::vector<char>& rows, int max_influences,
             const Columns& slope, const Columns& weights) {
  const auto width = static_cast<int>(weights.cols());
  const int most = max_influences > 0 ? std::min(max_influences, width) : width;
  SingleColumns entries = SingleColumns::Zero(weights.rows(), width);
  each_row(rows, [&](Eigen::Index row) {
    double mean = 0.0;
    int used = 0;
    for (int k = 0; k < width; ++k) {
      if (!(weights(row, k) > 0.0)) continue;
      mean += slope(row, k);
      entries(row, k) = 1.0f;
      ++used;
    }
    mean /= used;
    for (int k = 0; k < width && used < most; ++k) {
      if (weights(row, k) > 0.0 || slope(row, k) >= mean) continue;
      entries(row, k) = 1.0f;
      ++used;
    }
    if (used == 1) entries.row(row).setZero();  // one alone cannot move
  });
  Face face;
  face.free = multigrid.free_entries(index, std::move(entries));
  const FreeEntries::Level& free = face.free.levels[0];
  face.downhill = SingleColumns::Zero(weights.rows(), width);
  each_row(free.rows, [&](Eigen::Index row) {
    face.downhill.row(row) = -slope.row(row).cast<float>();
    keep_sum(free, static_cast<std::size_t>(row), face.downhill.row(row));
  });
  return face;
}

// The step along the face that lowers the energy most, as far as a few conjugate gradients after V-cycles find it.
SingleColumns step_on_face(const BiharmonicMultigrid& multigrid, int index, Face& face) {
  const SparseRows& energy = multigrid.level(index).energy;
  const FreeEntries::Level& free = face.free.levels[0];
  SingleColumns& residual = face.downhill;
  SingleColumns improved, direction, image;
  SingleColumns step = SingleColumns::Zero(residual.rows(), residual.cols());
  double slope = 0.0, length = 0.0;
  for (int i = 0; i < gradients_per_step; ++i) {
    multigrid.cycle(index, face.free, residual, improved);
    if (i == 0) {
      direction = improved;
    } else {
      // By the change of the residual (Polak and Ribière), for a V-cycle in single precision is not quite symmetric.
      const auto share = static_cast<float>(std::max(0.0, -length * dot(improved, image) / slope));
      direction = improved + share * direction;
    }
    slope = dot(residual, improved);
    multiply(energy, free.rows, direction, image);
    const double curvature = dot(direction, image);
    if (!(slope > 0.0) || !(curvature > 0.0)) break;
    length = dot(residual, direction) / curvature;
    each_row(free.rows, [&](Eigen::Index row) {
      keep_sum(free, static_cast<std::size_t>(row), image.row(row));
      step.row(row) += static_cast<float>(length) * direction.row(row);
      residual.row(row) -= static_cast<float>(length) * image.row(row);
    });
  }
  return step;
}

// Energy of `now` less that of `before`, which differ in `rows` only; with the slopes of both.
double energy_change(const std::vector<char>& rows, const Columns& before, const Columns& slope_before,
                     const Columns& now, const Columns& slope_now) {
  return parallel_sum(rows.size(), 1024, [&](std::size_t begin, std::size_t end) {
    double sum = 0.0;
    for (std::size_t row = begin; row < end; ++row) {
      if (rows[row]) sum += 0.5 * (now.row(row) - before.row(row)).dot(slope_now.row(row) + slope_before.row(row));
    }
    return sum;
  });
}

// Largest change of a weight in each of `rows`.
std::vector<double> changes_in(const std::vector<char>& rows, const Columns& before, const Columns& now) {
  std::vector<double> changes(rows.size(), 0.0);
  each_row(rows, [&](Eigen::Index row) { changes[row] = (now.row(row) - before.row(row)).cwiseAbs().maxCoeff(); });
  return changes;
}

// Those of `rows` that take part in the energy of a point that still moves.
std::vector<char> rows_on_the_way(const SparseRows& energy, const std::vector<char>& rows,
                                  const std::vector<double>& changes, double still) {
  std::vector<char> result(rows.size(), 0);
  each_row(rows, [&](Eigen::Index row) {
    const auto first = energy.columns.begin() + static_cast<std::ptrdiff_t>(energy.offsets[row]);
    const auto last = energy.columns.begin() + static_cast<std::ptrdiff_t>(energy.offsets[row + 1]);
    result[row] = std::any_of(first, last, [&](std::uint32_t other) { return changes[other] > still; });
  });
  return result;
}

// The iteration on one level: the points `may_move` do, the others rest, and so do those that have come to rest.
ProgramReport descend(const BiharmonicMultigrid& multigrid, int index, const std::vector<char>& may_move,
                      const ProgramOptions& options, const Progress& progress, Columns& weights) {
  const MultigridLevel& level = multigrid.level(index);
  const auto width = static_cast<int>(weights.cols());
  ProgramReport report;
  report.iterations.assign(1, 0);
  std::vector<char> rows = may_move;
  relax_on_simplex(level, rows, sweeps_per_step, options.max_influences, weights);
  Columns slope;  // energy times weights, in the rows that move
  multiply(level.energy, weights, slope);
  report.energy = 0.5 * dot(weights, slope);
  for (int i = 0; i < options.max_iterations; ++i) {
    progress(static_cast<double>(i) / options.max_iterations, "solving");
    Face face = face_of(multigrid, index, rows, options.max_influences, slope, weights);
    SingleColumns step = step_on_face(multigrid, index, face);
    const Columns before = weights, slope_before = slope;
    double gain = 0.0;
    for (int halvings = 0; halvings <= most_halvings; ++halvings) {
      // Bounds that the step did not know of may cost more than it gained: then less of it, and in the end none.
      if (halvings > 0) step *= halvings < most_halvings ? 0.5f : 0.0f;
      each_row(rows, [&](Eigen::Index row) {
        weights.row(row) = before.row(row) + step.row(row).cast<double>();
        project_to_simplex(weights.data() + row * width, width, options.max_influences);
      });
      relax_on_simplex(level, rows, sweeps_per_step, options.max_influences, weights);
      multiply(level.energy, rows, weights, slope);
      gain = energy_change(rows, before, slope_before, weights, slope);
      if (gain <= 0.0) break;
    }
    report.energy += gain;
    report.iterations[0] = i + 1;
    const std::vector<double> changes = changes_in(rows, before, weights);
    report.change = *std::max_element(changes.begin(), changes.end());
    if (report.change < options.tolerance) break;
    const std::vector<char> next = rows_on_the_way(level.energy, may_move, changes, rest_share * options.tolerance);
    each_row(next, [&](Eigen::Index row) {
      if (rows[row]) return;
      slope.row(row).setZero();
      add_row_times(level.energy, static_cast<std::size_t>(row), weights, slope.row(row).data());
    });
    rows = next;
  }
  return report;
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

void set_given_rows(const MultigridLevel& level, const Columns& values, Columns& weights) {
  for (std::size_t i = 0; i < level.given.size(); ++i) {
    if (level.given[i]) weights.row(i) = values.row(i);
  }
}

void project_rows(const std::vector<char>& rows, int max_influences, Columns& weights) {
  const auto width = static_cast<int>(weights.cols());
  each_row(rows, [&](Eigen::Index row) { project_to_simplex(weights.data() + row * width, width, max_influences); });
}

}  // namespace

std::vector<char> not_given(const std::vector<bool>& given) {
  std::vector<char> rows(given.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = !given[i];
  return rows;
}

ProgramReport solve_program(const BiharmonicMultigrid& multigrid, const Columns& values, const ProgramOptions& options,
                            const Progress& progress, Columns& weights) {
  const std::vector<Columns> given = values_per_level(multigrid, values);
  const int coarsest = multigrid.level_count() - 1;
  ProgramReport report;
  std::vector<int> iterations;
  weights = Columns::Constant(given.back().rows(), values.cols(), 1.0 / static_cast<double>(values.cols()));
  for (int index = coarsest; index >= 0; --index) {
    const std::vector<char> rows = not_given(multigrid.level(index).given);
    set_given_rows(multigrid.level(index), given[index], weights);
    ProgramOptions level_options = options;
    if (index > 0) level_options.max_iterations *= coarse_effort;
    const double begin = coarsest == 0 ? 0.0 : 0.3 * (coarsest - index) / coarsest;
    const Progress part = progress.part(begin, index == 0 ? 1.0 : begin + 0.1);
    report = descend(multigrid, index, rows, level_options, part, weights);
    iterations.insert(iterations.begin(), report.iterations[0]);
    if (index == 0) break;
    Columns fine;
    multiply(multigrid.level(index - 1).prolongation, weights, fine);
    project_rows(not_given(multigrid.level(index - 1).given), 0, fine);
    weights = std::move(fine);
  }
  report.iterations = iterations;
  return report;
}

ProgramReport continue_program(const BiharmonicMultigrid& multigrid, const Columns& values,
                               const std::vector<std::uint32_t>& changed, const ProgramOptions& options,
                               const Progress& progress, Columns& weights, std::vector<char>& moved) {
  const MultigridLevel& level = multigrid.level(0);
  const Columns last = weights;
  set_given_rows(level, values, weights);
  settle_near(level.energy, level.given, changed, settled_first, 0, weights);
  const ProgramReport report = descend(multigrid, 0, not_given(level.given), options, progress, weights);
  moved.assign(level.given.size(), 0);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i] = !level.given[i] && (weights.row(i) - last.row(i)).cwiseAbs().maxCoeff() > rest_share * options.tolerance;
  }
  return report;
}

ProgramReport limit_program(const BiharmonicMultigrid& multigrid, const std::vector<char>& rows,
                            const ProgramOptions& options, const Progress& progress, Columns& weights) {
  project_rows(rows, options.max_influences, weights);
  return descend(multigrid, 0, rows, options, progress, weights);
}

}  // namespace sinew
