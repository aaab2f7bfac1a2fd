#include "sinew/weights/biharmonic/biharmonic_multigrid.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

// Free points of the coarsest level: few enough to factorise it for every right-hand side by itself.
constexpr std::size_t coarsest_size = 250;
constexpr int interpolation_nodes = 18;
constexpr double linear_ridge = 1e-4, quadratic_ridge = 1e-3;
constexpr int coarse_neighbours = 20;
// Of the mean diagonal, on the coarsest level: holds parts without any given point.
constexpr double coarsest_ridge = 1e-9;
// A coarse entry is free when no more than this share of what it moves (of the squares) is not: a step that is cut off
// has creases, and costs far more energy than the coarse level believes.
constexpr float most_cut_off = 0.02f;

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

void finish_level(MultigridLevel& level) {
  level.diagonal = diagonal_of(level.energy);
  level.order = sweep_order(level.energy);
}

// One Gauss-Seidel sweep over all right-hand sides, forwards or backwards.
void sweep(const MultigridLevel& level, const FreeEntries::Level& free, const SingleColumns& right, SingleColumns& x,
           bool forwards) {
  const std::size_t colours = level.order.colours.size(), rows = level.energy.row_count();
  for (std::size_t c = 0; c < colours; ++c) {
    const std::vector<std::uint32_t>& runs = level.order.colours[forwards ? c : colours - 1 - c];
    parallel_for(runs.size(), 1, [&](std::size_t begin, std::size_t end) {
      Eigen::RowVectorXf sum(x.cols());
      for (std::size_t r = begin; r < end; ++r) {
        const std::size_t first = runs[r] * level.order.run_length;
        const std::size_t last = std::min(rows, first + level.order.run_length);
        for (std::size_t k = 0; k < last - first; ++k) {
          const std::size_t row = forwards ? first + k : last - 1 - k;
          if (!free.rows[row] || !(level.diagonal[row] > 0.0)) continue;
          sum.setZero();
          add_row_times(level.energy, row, x, sum.data());
          sum = (right.row(row) - sum) * static_cast<float>(1.0 / level.diagonal[row]);
          keep_sum(free, row, sum);
          x.row(row) += sum;
        }
      }
    });
  }
}

// What is left of `right` at x, where it is free.
void residual_of(const MultigridLevel& level, const FreeEntries::Level& free, const SingleColumns& right,
                 const SingleColumns& x, SingleColumns& residual) {
  residual.setZero(right.rows(), right.cols());
  parallel_for(free.rows.size(), 128, [&](std::size_t begin, std::size_t end) {
    Eigen::RowVectorXf sum(x.cols());
    for (std::size_t row = begin; row < end; ++row) {
      if (!free.rows[row]) continue;
      sum.setZero();
      add_row_times(level.energy, row, x, sum.data());
      sum = right.row(row) - sum;
      keep_sum(free, row, sum);
      residual.row(row) = sum;
    }
  });
}

void count_rows(FreeEntries::Level& level) {
  const auto count = static_cast<std::size_t>(level.entries.rows());
  level.rows.resize(count);
  level.share.resize(count);
  for (std::size_t row = 0; row < count; ++row) {
    const float number = level.entries.row(row).sum();
    level.rows[row] = number > 0.0f;
    level.share[row] = number > 0.0f ? 1.0f / number : 0.0f;
  }
}

FreeEntries::Level coarsened(const MultigridLevel& level, const FreeEntries::Level& fine) {
  FreeEntries::Level next;
  const Eigen::Index width = fine.entries.cols();
  next.entries.setZero(static_cast<Eigen::Index>(level.coarse.size()), width);
  const SparseRows& reach = level.restriction;
  parallel_for(level.coarse.size(), 64, [&](std::size_t begin, std::size_t end) {
    Eigen::RowVectorXf kept(width);
    for (std::size_t i = begin; i < end; ++i) {
      if (!fine.rows[level.coarse[i]]) continue;
      kept.setZero();
      float all = 0.0f;
      for (std::size_t k = reach.offsets[i]; k < reach.offsets[i + 1]; ++k) {
        const float square = reach.single[k] * reach.single[k];
        all += square;
        kept += square * fine.entries.row(reach.columns[k]);
      }
      next.entries.row(i) = (kept.array() >= (1.0f - most_cut_off) * all)
                                .cast<float>()
                                .matrix()
                                .cwiseProduct(fine.entries.row(level.coarse[i]));
    }
  });
  count_rows(next);
  return next;
}

// Factorises the energy between the free points of one right-hand side.
void factorise(const SparseRows& energy, const SingleColumns& entries, Eigen::Index column,
               std::vector<std::uint32_t>& points, Eigen::LLT<Eigen::MatrixXd>& factor) {
  std::vector<Eigen::Index> index(energy.row_count(), -1);
  for (std::uint32_t i = 0; i < energy.row_count(); ++i) {
    if (entries(i, column) == 0.0f) continue;
    index[i] = static_cast<Eigen::Index>(points.size());
    points.push_back(i);
  }
  const auto count = static_cast<Eigen::Index>(points.size());
  if (count == 0) return;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index row = 0; row < count; ++row) {
    for (std::size_t k = energy.offsets[points[row]]; k < energy.offsets[points[row] + 1]; ++k) {
      const Eigen::Index other = index[energy.columns[k]];
      if (other >= 0) dense(row, other) = energy.values[k];
    }
  }
  dense.diagonal().array() += coarsest_ridge * dense.diagonal().mean() + 1e-300;
  factor.compute(dense);
}

}  // namespace

void keep_sum(const FreeEntries::Level& free, std::size_t row, Eigen::Ref<Eigen::RowVectorXf> x) {
  const auto entries = free.entries.row(static_cast<Eigen::Index>(row));
  x = (x.array() - x.dot(entries) * free.share[row]).matrix().cwiseProduct(entries);
}

BiharmonicMultigrid::BiharmonicMultigrid(const BiharmonicPoints& points, SparseRows energy) {
  LevelPoints current;
  current.positions = points.positions;
  current.neighbours = points.neighbours;
  for (int handle : points.handle) current.held.push_back(handle >= 0);
  const std::vector<bool> handles = current.held;
  const auto held = static_cast<std::size_t>(std::count(handles.begin(), handles.end(), true));
  levels_.emplace_back();
  levels_[0].energy = std::move(energy);
  finish_level(levels_[0]);
  while (levels_.back().energy.row_count() > coarsest_size + held) {
    MultigridLevel& fine = levels_.back();
    Coarsening coarsening = coarsen(current);
    // Where hardly anything can be left out (isolated points, mostly handles) another level would not pay.
    if (coarsening.fine_of.size() > 0.7 * current.positions.size()) break;
    fine.prolongation = std::move(coarsening.prolongation);
    fine.restriction = transpose(fine.prolongation);
    fine.coarse = std::move(coarsening.fine_of);
    MultigridLevel coarse;
    coarse.energy = multiply(fine.restriction, multiply(fine.energy, fine.prolongation));
    finish_level(coarse);
    levels_.push_back(std::move(coarse));
    current = std::move(coarsening.points);
  }
  for (MultigridLevel& level : levels_) {
    add_single(level.energy);
    add_single(level.prolongation);
    add_single(level.restriction);
  }
  set_given(handles);
}

void BiharmonicMultigrid::set_given(const std::vector<bool>& given) {
  levels_[0].given = given;
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    levels_[l + 1].given.clear();
    for (std::uint32_t fine : levels_[l].coarse) levels_[l + 1].given.push_back(levels_[l].given[fine]);
  }
}

FreeEntries BiharmonicMultigrid::free_entries(int index, SingleColumns entries) const {
  FreeEntries free;
  const Eigen::Index width = entries.cols();
  free.levels.push_back({std::move(entries), {}, {}});
  count_rows(free.levels.back());
  for (; index + 1 < level_count(); ++index) {
    free.levels.push_back(coarsened(levels_[index], free.levels.back()));
  }
  free.coarsest_points.resize(width);
  free.coarsest.resize(width);
  parallel_for(static_cast<std::size_t>(width), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      factorise(levels_.back().energy, free.levels.back().entries, static_cast<Eigen::Index>(k),
                free.coarsest_points[k], free.coarsest[k]);
    }
  });
  return free;
}

namespace {

void solve_coarsest(const FreeEntries& free, const SingleColumns& right, SingleColumns& x) {
  x.setZero(right.rows(), right.cols());
  parallel_for(free.coarsest.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::vector<std::uint32_t>& points = free.coarsest_points[k];
      if (points.empty()) continue;
      Eigen::VectorXd values(static_cast<Eigen::Index>(points.size()));
      for (std::size_t i = 0; i < points.size(); ++i) values[i] = right(points[i], k);
      free.coarsest[k].solveInPlace(values);
      for (std::size_t i = 0; i < points.size(); ++i) x(points[i], k) = static_cast<float>(values[i]);
    }
  });
}

}  // namespace

void BiharmonicMultigrid::cycle(int index, const FreeEntries& free, const SingleColumns& right,
                                SingleColumns& x) const {
  cycle(index, index, free, right, x);
}

void BiharmonicMultigrid::cycle(int index, int finest, const FreeEntries& free, const SingleColumns& right,
                                SingleColumns& x) const {
  if (index + 1 == level_count()) {
    solve_coarsest(free, right, x);
    return;
  }
  const MultigridLevel& level = levels_[index];
  const FreeEntries::Level& here = free.levels[index - finest];
  x.setZero(right.rows(), right.cols());
  sweep(level, here, right, x, true);
  SingleColumns residual, coarse_right, coarse_x, correction;
  residual_of(level, here, right, x, residual);
  const FreeEntries::Level& below = free.levels[index + 1 - finest];
  multiply(level.restriction, below.rows, residual, coarse_right);
  coarse_right = coarse_right.cwiseProduct(below.entries);
  cycle(index + 1, finest, free, coarse_right, coarse_x);
  multiply(level.prolongation, here.rows, coarse_x, correction);
  parallel_for(here.rows.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (!here.rows[row]) continue;
      keep_sum(here, row, correction.row(row));
      x.row(row) += correction.row(row);
    }
  });
  sweep(level, here, right, x, false);
}

}  // namespace sinew
