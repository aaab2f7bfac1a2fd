#include "sinew/weights/biharmonic/biharmonic_settle.h"

#include <algorithm>

#include "sinew/base/dense_algebra.h"
#include "sinew/weights/biharmonic/biharmonic_program.h"

namespace sinew {
namespace {

constexpr int sweeps = 4;  // forwards and backwards

// Free points in the order in which steps from `changed` come to them.
std::vector<std::uint32_t> free_points_near(const SparseRows& energy, const std::vector<bool>& given,
                                            const std::vector<std::uint32_t>& changed, std::size_t most) {
  std::vector<std::uint32_t> queue = changed, found;
  std::vector<bool> reached(energy.row_count(), false);
  for (const std::uint32_t point : changed) reached[point] = true;
  for (std::size_t next = 0; next < queue.size() && found.size() < most; ++next) {
    const std::uint32_t point = queue[next];
    if (!given[point]) found.push_back(point);
    for (std::size_t k = energy.offsets[point]; k < energy.offsets[point + 1]; ++k) {
      const std::uint32_t neighbour = energy.columns[k];
      if (reached[neighbour]) continue;
      reached[neighbour] = true;
      queue.push_back(neighbour);
    }
  }
  return found;
}

// Least energy without bounds: where the derivative by every one of `points` is zero.
void solve_unbounded(const SparseRows& energy, const std::vector<std::uint32_t>& points, Columns& weights) {
  const auto count = static_cast<Eigen::Index>(points.size());
  std::vector<Eigen::Index> index(energy.row_count(), -1);
  for (Eigen::Index i = 0; i < count; ++i) index[points[i]] = i;
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(count, count);
  Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(count, weights.cols());
  Eigen::RowVectorXd row(weights.cols());
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::uint32_t point = points[i];
    row.setZero();
    add_row_times(energy, point, weights, row.data());
    slope.row(i) = row;
    for (std::size_t k = energy.offsets[point]; k < energy.offsets[point + 1]; ++k) {
      const Eigen::Index j = index[energy.columns[k]];
      if (j >= 0) system(i, j) = energy.values[k];
    }
  }
  // Points that nothing holds (a part without handles) stay where they are.
  system.diagonal().array() += 1e-9 * system.diagonal().mean() + 1e-300;
  const Eigen::MatrixXd step = solve_definite(system, slope);
  for (Eigen::Index i = 0; i < count; ++i) weights.row(points[i]) -= step.row(i);
}

}  // namespace

void settle_near(const SparseRows& energy, const std::vector<bool>& given, const std::vector<std::uint32_t>& changed,
                 std::size_t most, int max_influences, Columns& weights) {
  const std::vector<std::uint32_t> points = free_points_near(energy, given, changed, most);
  if (points.empty()) return;
  solve_unbounded(energy, points, weights);
  const std::vector<double> diagonal = diagonal_of(energy);
  const auto width = static_cast<int>(weights.cols());
  for (const std::uint32_t point : points) {
    project_to_simplex(weights.data() + static_cast<std::size_t>(point) * width, width, max_influences);
  }
  Eigen::RowVectorXd best(width);
  for (int sweep = 0; sweep < 2 * sweeps; ++sweep) {
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::uint32_t point = points[sweep % 2 == 0 ? k : points.size() - 1 - k];
      if (!(diagonal[point] > 0.0)) continue;
      best.setZero();
      add_row_times(energy, point, weights, best.data());
      best = weights.row(point) - best / diagonal[point];
      project_to_simplex(best.data(), width, max_influences);
      weights.row(point) = best;
    }
  }
}

}  // namespace sinew
