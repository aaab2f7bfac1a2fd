#include "sinew/weights/biharmonic_multigrid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t coarsest_size = 700;
constexpr int interpolation_nodes = 18;
constexpr double linear_ridge = 1e-4, quadratic_ridge = 1e-3;
constexpr int coarse_neighbours = 20;
// Measured with 12,000 points and a pull that is 1.3e8 times weaker than the stiffness: the energies that come out
// agree in nine digits.
constexpr double highest_single_contrast = 2e8;

// The points of one level as the next one sees them.
struct LevelPoints {
  std::vector<Vec3f> positions;
  std::vector<bool> held;  // handles: stay at zero
  IndexRows neighbours;
};

// Finds nodes near a point in the neighbour graph; for one thread.
class NodeSearch {
 public:
  NodeSearch(const LevelPoints& points, const std::vector<bool>& is_node)
      : points_(points), is_node_(is_node), seen_(points.positions.size(), 0) {}

  // After at most three steps from `start`, nearest first.
  const std::vector<std::uint32_t>& around(std::uint32_t start) {
    constexpr int steps = 3;
    reached_.assign(1, start);
    found_.clear();
    seen_[start] = ++searches_;
    std::size_t begin = 0;
    for (int step = 0; step <= steps; ++step) {
      const std::size_t end = reached_.size();
      for (std::size_t k = begin; k < end; ++k) {
        if (is_node_[reached_[k]]) found_.push_back(reached_[k]);
        if (step == steps) continue;
        for (std::uint32_t next : points_.neighbours.row(reached_[k])) {
          if (seen_[next] == searches_) continue;
          seen_[next] = searches_;
          reached_.push_back(next);
        }
      }
      begin = end;
    }
    const Vec3f centre = points_.positions[start];
    const auto distance = [&](std::uint32_t i) { return (points_.positions[i] - centre).squaredNorm(); };
    std::sort(found_.begin(), found_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const float da = distance(a), db = distance(b);
      return da != db ? da < db : a < b;
    });
    return found_;
  }

 private:
  const LevelPoints& points_;
  const std::vector<bool>& is_node_;
  std::vector<std::uint32_t> seen_;  // by which search each point was last reached
  std::uint32_t searches_ = 0;
  std::vector<std::uint32_t> reached_, found_;
};

// Weights on `nodes` that reproduce quadratic functions at `centre` as well as their places allow: a fourth-order
// energy needs more than linear interpolation between levels, or coarse levels are far too stiff.
Eigen::VectorXd quadratic_weights(const LevelPoints& points, const std::vector<std::uint32_t>& nodes,
                                  const Vec3f& centre) {
  constexpr int size = 10;
  const auto count = static_cast<Eigen::Index>(nodes.size());
  const double radius = 1.15 * (points.positions[nodes.back()] - centre).cast<double>().norm() + 1e-30;
  Eigen::Matrix<double, Eigen::Dynamic, size> basis(count, size);
  Eigen::VectorXd kernel(count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Vec3d d = (points.positions[nodes[j]] - centre).cast<double>() / radius;
    basis.row(j) << 1.0, d.transpose(), d.x() * d.x(), d.y() * d.y(), d.z() * d.z(), d.x() * d.y(), d.x() * d.z(),
        d.y() * d.z();
    kernel[j] = std::pow(1.0 - d.squaredNorm(), 2) / (d.squaredNorm() + 0.02);
  }
  kernel /= kernel.sum();
  Eigen::Matrix<double, size, size> normal = basis.transpose() * kernel.asDiagonal() * basis;
  // Few or flat nodes: lean towards a linear fit, and then towards a plain average.
  normal.diagonal().segment<3>(1).array() += linear_ridge;
  normal.diagonal().tail<6>().array() += quadratic_ridge;
  return kernel.asDiagonal() * (basis * normal.ldlt().solve(Eigen::Matrix<double, size, 1>::Unit(0)));
}

// A maximal independent set, in the order of the points.
std::vector<bool> choose_nodes(const LevelPoints& points) {
  enum : std::uint8_t { open, node, covered };
  std::vector<std::uint8_t> state(points.positions.size(), open);
  std::vector<bool> nodes(points.positions.size(), false);
  for (std::uint32_t i = 0; i < state.size(); ++i) {
    if (points.held[i] || state[i] != open) continue;
    state[i] = node;
    nodes[i] = true;
    for (std::uint32_t j : points.neighbours.row(i)) {
      if (state[j] == open) state[j] = covered;
    }
  }
  return nodes;
}

struct Coarsening {
  SparseRows prolongation;
  std::vector<std::uint32_t> fine_of;  // per coarse point
  LevelPoints points;
};

Coarsening coarsen(const LevelPoints& fine) {
  const std::size_t count = fine.positions.size();
  const std::vector<bool> nodes = choose_nodes(fine);
  // Held points are nodes on every level: solutions take their values, and corrections fade out towards them.
  std::vector<bool> nodes_or_held = nodes;
  std::vector<std::uint32_t> coarse_of(count, 0), fine_of;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (fine.held[i]) nodes_or_held[i] = true;
    if (nodes[i] || fine.held[i]) {
      coarse_of[i] = static_cast<std::uint32_t>(fine_of.size());
      fine_of.push_back(i);
    }
  }
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(count);
  parallel_for(count, 512, [&](std::size_t begin, std::size_t end) {
    NodeSearch search(fine, nodes_or_held);
    std::vector<std::uint32_t> around;
    for (std::size_t i = begin; i < end; ++i) {
      if (nodes_or_held[i]) {
        rows[i].emplace_back(coarse_of[i], 1.0);
        continue;
      }
      around = search.around(static_cast<std::uint32_t>(i));
      if (around.empty()) continue;
      if (around.size() > interpolation_nodes) around.resize(interpolation_nodes);
      const Eigen::VectorXd weights = quadratic_weights(fine, around, fine.positions[i]);
      for (std::size_t j = 0; j < around.size(); ++j) rows[i].emplace_back(coarse_of[around[j]], weights[j]);
      std::sort(rows[i].begin(), rows[i].end());
    }
  });
  Coarsening result;
  result.prolongation.column_count = fine_of.size();
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      result.prolongation.columns.push_back(column);
      result.prolongation.values.push_back(value);
    }
    result.prolongation.offsets.push_back(result.prolongation.columns.size());
  }
  std::vector<std::vector<std::uint32_t>> lists(fine_of.size());
  parallel_for(fine_of.size(), 256, [&](std::size_t begin, std::size_t end) {
    NodeSearch search(fine, nodes_or_held);
    for (std::size_t c = begin; c < end; ++c) {
      for (std::uint32_t j : search.around(fine_of[c])) {
        if (j != fine_of[c] && lists[c].size() < coarse_neighbours) lists[c].push_back(coarse_of[j]);
      }
    }
  });
  result.points.neighbours = to_index_rows(lists);
  for (std::uint32_t i : fine_of) {
    result.points.positions.push_back(fine.positions[i]);
    result.points.held.push_back(fine.held[i]);
  }
  result.fine_of = std::move(fine_of);
  return result;
}

// Total shift that each coarse point stands for.
std::vector<double> restricted_shift(const SparseRows& restriction, const std::vector<double>& shift) {
  std::vector<double> result(restriction.row_count());
  for (std::size_t row = 0; row < result.size(); ++row) {
    double sum = 0.0, smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = restriction.offsets[row]; k < restriction.offsets[row + 1]; ++k) {
      sum += restriction.values[k] * shift[restriction.columns[k]];
      smallest = std::min(smallest, shift[restriction.columns[k]]);
    }
    result[row] = std::max(sum, smallest);  // interpolation weights may be negative, a shift may not
  }
  return result;
}

void finish_level(MultigridLevel& level) {
  level.diagonal = diagonal_of(level.energy);
  level.order = sweep_order(level.energy);
}

// One Gauss-Seidel sweep over all right-hand sides, forwards or backwards.
template <typename Scalar>
void sweep(const MultigridLevel& level, double strength, const ColumnsOf<Scalar>& right, ColumnsOf<Scalar>& x,
           bool forwards) {
  const std::size_t colours = level.order.colours.size(), rows = level.energy.row_count();
  for (std::size_t c = 0; c < colours; ++c) {
    const std::vector<std::uint32_t>& runs = level.order.colours[forwards ? c : colours - 1 - c];
    parallel_for(runs.size(), 1, [&](std::size_t begin, std::size_t end) {
      Eigen::Matrix<Scalar, 1, Eigen::Dynamic> sum(x.cols());
      for (std::size_t r = begin; r < end; ++r) {
        const std::size_t first = runs[r] * level.order.run_length;
        const std::size_t last = std::min(rows, first + level.order.run_length);
        for (std::size_t k = 0; k < last - first; ++k) {
          const std::size_t row = forwards ? first + k : last - 1 - k;
          if (level.given[row]) continue;
          sum.setZero();
          add_row_times(level.energy, row, x, sum.data());
          const double shift = strength * level.shift[row];
          x.row(row) += (right.row(row) - sum - static_cast<Scalar>(shift) * x.row(row)) *
                        static_cast<Scalar>(1.0 / (level.diagonal[row] + shift));
        }
      }
    });
  }
}

// What is left of `right` at x; zero at given points.
template <typename Scalar>
void residual_of(const MultigridLevel& level, double strength, const ColumnsOf<Scalar>& right,
                 const ColumnsOf<Scalar>& x, ColumnsOf<Scalar>& residual) {
  residual.resize(right.rows(), right.cols());
  parallel_for(level.given.size(), 128, [&](std::size_t begin, std::size_t end) {
    Eigen::Matrix<Scalar, 1, Eigen::Dynamic> sum(x.cols());
    for (std::size_t row = begin; row < end; ++row) {
      if (level.given[row]) {
        residual.row(row).setZero();
        continue;
      }
      sum = static_cast<Scalar>(strength * level.shift[row]) * x.row(row);
      add_row_times(level.energy, row, x, sum.data());
      residual.row(row) = right.row(row) - sum;
    }
  });
}

template <typename Scalar>
void clear_given(const std::vector<bool>& given, ColumnsOf<Scalar>& x) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i]) x.row(i).setZero();
  }
}

// How much stiffer a point is than its pull at strength one, at most: single precision loses sight of a pull that is
// far weaker. Every row by itself, for a sweep scales each by its own diagonal.
double contrast_of(const MultigridLevel& level) {
  double largest = 0.0;
  for (std::size_t i = 0; i < level.shift.size(); ++i) {
    largest = std::max(largest, level.diagonal[i] / level.shift[i]);
  }
  return largest;
}

}  // namespace

BiharmonicMultigrid::BiharmonicMultigrid(const BiharmonicPoints& points, SparseRows energy, std::vector<double> shift) {
  LevelPoints current;
  current.positions = points.positions;
  current.neighbours = points.neighbours;
  for (int handle : points.handle) current.held.push_back(handle >= 0);
  const std::vector<bool> handles = current.held;
  levels_.emplace_back();
  levels_[0].energy = std::move(energy);
  levels_[0].shift = std::move(shift);
  finish_level(levels_[0]);
  while (levels_.back().energy.row_count() > coarsest_size) {
    MultigridLevel& fine = levels_.back();
    Coarsening coarsening = coarsen(current);
    // Where hardly anything can be left out (isolated points, mostly handles) another level would not pay.
    if (coarsening.fine_of.size() > 0.7 * current.positions.size()) break;
    fine.prolongation = std::move(coarsening.prolongation);
    fine.restriction = transpose(fine.prolongation);
    fine.coarse = std::move(coarsening.fine_of);
    MultigridLevel coarse;
    coarse.energy = multiply(fine.restriction, multiply(fine.energy, fine.prolongation));
    coarse.shift = restricted_shift(fine.restriction, fine.shift);
    finish_level(coarse);
    levels_.push_back(std::move(coarse));
    current = std::move(coarsening.points);
  }
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    levels_[l].contrast = contrast_of(levels_[l]);
    if (l > 0) levels_[l].contrast = std::min(levels_[l].contrast, levels_[l - 1].contrast);
    if (!single_is_enough(static_cast<int>(l), static_cast<int>(strengths.size()) - 1)) continue;
    add_single(levels_[l].energy);
    add_single(levels_[l].prolongation);
    add_single(levels_[l].restriction);
  }
  set_given(handles);
}

void BiharmonicMultigrid::set_given(const std::vector<bool>& given) {
  levels_[0].given = given;
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    levels_[l + 1].given.clear();
    for (std::uint32_t fine : levels_[l].coarse) levels_[l + 1].given.push_back(levels_[l].given[fine]);
  }
  const MultigridLevel& last = levels_.back();
  std::vector<Eigen::Index> free_index(last.given.size(), -1);
  coarsest_free_.clear();
  for (std::uint32_t i = 0; i < last.given.size(); ++i) {
    if (last.given[i]) continue;
    free_index[i] = static_cast<Eigen::Index>(coarsest_free_.size());
    coarsest_free_.push_back(i);
  }
  const auto count = static_cast<Eigen::Index>(coarsest_free_.size());
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index row = 0; row < count; ++row) {
    const std::uint32_t i = coarsest_free_[row];
    for (std::size_t k = last.energy.offsets[i]; k < last.energy.offsets[i + 1]; ++k) {
      const Eigen::Index column = free_index[last.energy.columns[k]];
      if (column >= 0) dense(row, column) = last.energy.values[k];
    }
  }
  for (std::size_t f = 0; f < coarsest_.size(); ++f) {
    Eigen::MatrixXd shifted = dense;
    for (Eigen::Index row = 0; row < count; ++row) {
      shifted(row, row) += strengths[f] * last.shift[coarsest_free_[row]];
    }
    coarsest_[f].compute(shifted);
  }
}

void BiharmonicMultigrid::solve_coarsest(int strength, const Columns& right, Columns& x) const {
  Eigen::MatrixXd free_right(static_cast<Eigen::Index>(coarsest_free_.size()), right.cols());
  for (Eigen::Index i = 0; i < free_right.rows(); ++i) free_right.row(i) = right.row(coarsest_free_[i]);
  coarsest_[strength].solveInPlace(free_right);
  x.setZero(right.rows(), right.cols());
  for (Eigen::Index i = 0; i < free_right.rows(); ++i) x.row(coarsest_free_[i]) = free_right.row(i);
}

bool BiharmonicMultigrid::single_is_enough(int level, int strength) const {
  return levels_[level].contrast < highest_single_contrast * strengths[strength];
}

void BiharmonicMultigrid::cycle(int index, int strength, const Columns& right, Columns& x) const {
  if (!single_is_enough(index, strength)) {
    cycle_in<double>(index, strength, right, x);
    return;
  }
  const SingleColumns single_right = right.cast<float>();
  SingleColumns single_x;
  cycle_in<float>(index, strength, single_right, single_x);
  x = single_x.cast<double>();
}

template <typename Scalar>
void BiharmonicMultigrid::cycle_in(int index, int strength, const ColumnsOf<Scalar>& right,
                                   ColumnsOf<Scalar>& x) const {
  const MultigridLevel& level = levels_[index];
  if (index + 1 == level_count()) {
    Columns exact;
    solve_coarsest(strength, right.template cast<double>(), exact);
    x = exact.template cast<Scalar>();
    return;
  }
  x.setZero(right.rows(), right.cols());
  sweep(level, strengths[strength], right, x, true);
  ColumnsOf<Scalar> residual, coarse_right, coarse_x, correction;
  residual_of(level, strengths[strength], right, x, residual);
  multiply(level.restriction, residual, coarse_right);
  clear_given(levels_[index + 1].given, coarse_right);
  if constexpr (std::is_same_v<Scalar, double>) {
    cycle(index + 1, strength, coarse_right, coarse_x);
  } else {
    cycle_in(index + 1, strength, coarse_right, coarse_x);
  }
  multiply(level.prolongation, coarse_x, correction);
  clear_given(level.given, correction);
  x += correction;
  sweep(level, strengths[strength], right, x, false);
}

}  // namespace sinew
