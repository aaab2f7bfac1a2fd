#include "sinew/base/sparse_cholesky.h"

#include <Eigen/OrderingMethods>

#include "sinew/base/cancellation.h"

namespace sinew {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> minimum_degree_order(const SparseMatrix& matrix) {
  const SparseMatrix whole = matrix.selfadjointView<Eigen::Lower>();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
  Eigen::AMDOrdering<int>()(whole, inverse);
  return inverse.inverse();
}

SparseMatrix upper_part(const SparseMatrix& matrix, const SparsePattern& pattern) {
  SparseMatrix upper(matrix.rows(), matrix.cols());
  upper.selfadjointView<Eigen::Upper>() = matrix.selfadjointView<Eigen::Lower>().twistedBy(pattern.order);
  return upper;
}

// The elimination tree, and from it how many entries each column of L will have.
void count_entries(const SparseMatrix& upper, SparsePattern& pattern) {
  const auto size = static_cast<int>(upper.cols());
  std::vector<int> seen_by(size, -1);
  std::vector<std::size_t> count(size, 0);
  pattern.parent.assign(size, -1);
  for (int column = 0; column < size; ++column) {
    stop_if_cancelled(static_cast<std::size_t>(column));
    seen_by[column] = column;
    for (SparseMatrix::InnerIterator entry(upper, column); entry; ++entry) {
      if (entry.index() >= column) continue;
      for (int i = static_cast<int>(entry.index()); seen_by[i] != column; i = pattern.parent[i]) {
        if (pattern.parent[i] < 0) pattern.parent[i] = column;
        ++count[i];
        seen_by[i] = column;
      }
    }
  }
  pattern.begin.assign(1, 0);
  for (const std::size_t entries : count) pattern.begin.push_back(pattern.begin.back() + entries);
}

}  // namespace

std::shared_ptr<const SparsePattern> sparse_pattern(const SparseMatrix& matrix) {
  auto pattern = std::make_shared<SparsePattern>();
  pattern->order = minimum_degree_order(matrix);
  stop_if_cancelled();
  count_entries(upper_part(matrix, *pattern), *pattern);
  return pattern;
}

SparseCholesky::SparseCholesky(const SparseMatrix& matrix) : SparseCholesky(matrix, sparse_pattern(matrix)) {}

SparseCholesky::SparseCholesky(const SparseMatrix& matrix, std::shared_ptr<const SparsePattern> pattern)
    : pattern_(std::move(pattern)) {
  factorise(upper_part(matrix, *pattern_));
}

// Row after row of L: each is the solution of a triangular system with the rows before it, whose pattern is the way up
// the elimination tree from every entry of the matrix.
void SparseCholesky::factorise(const SparseMatrix& upper) {
  const auto size = static_cast<int>(upper.cols());
  const std::vector<std::size_t>& first = pattern_->begin;
  rows_.resize(first.back());
  values_.resize(first.back());
  diagonal_.resize(size);
  std::vector<std::size_t> end(first.begin(), first.end() - 1);  // of what each column has so far
  std::vector<double> sum(size, 0.0);
  std::vector<int> seen_by(size, -1), pattern(size);
  for (int row = 0; row < size; ++row) {
    stop_if_cancelled(static_cast<std::size_t>(row));
    int top = size;
    seen_by[row] = row;
    for (SparseMatrix::InnerIterator entry(upper, row); entry; ++entry) {
      auto i = static_cast<int>(entry.index());
      if (i > row) continue;
      sum[i] += entry.value();
      int length = 0;
      for (; seen_by[i] != row; i = pattern_->parent[i]) {
        pattern[length++] = i;
        seen_by[i] = row;
      }
      while (length > 0) pattern[--top] = pattern[--length];
    }
    double diagonal = sum[row];
    sum[row] = 0;
    for (; top < size; ++top) {
      const int column = pattern[top];
      const double value = sum[column], entry = value / diagonal_[column];
      sum[column] = 0;
      for (std::size_t k = first[column]; k < end[column]; ++k) sum[rows_[k]] -= values_[k] * value;
      diagonal -= entry * value;
      rows_[end[column]] = row;
      values_[end[column]++] = entry;
    }
    diagonal_[row] = diagonal;
    if (diagonal == 0.0) return;
  }
  succeeded_ = true;
}

Eigen::VectorXd SparseCholesky::solve(const Eigen::VectorXd& right) const {
  Eigen::VectorXd x = pattern_->order * right;
  const std::vector<std::size_t>& first = pattern_->begin;
  const auto size = static_cast<int>(x.size());
  for (int column = 0; column < size; ++column) {
    stop_if_cancelled(static_cast<std::size_t>(column));
    const double value = x[column];
    if (value == 0.0) continue;
    for (std::size_t k = first[column]; k < first[column + 1]; ++k) x[rows_[k]] -= value * values_[k];
  }
  for (int i = 0; i < size; ++i) x[i] *= 1.0 / diagonal_[i];
  for (int row = size - 1; row >= 0; --row) {
    stop_if_cancelled(static_cast<std::size_t>(row));
    double sum = x[row];
    for (std::size_t k = first[row]; k < first[row + 1]; ++k) sum -= values_[k] * x[rows_[k]];
    x[row] = sum;
  }
  return pattern_->order.inverse() * x;
}

void SparseCholesky::solve_in_place(Sides& sides) const {
  using Row = Eigen::Array<double, 1, sides_at_once>;
  const std::vector<std::size_t>& first = pattern_->begin;
  const auto& place = pattern_->order.indices();
  const auto size = static_cast<int>(sides.rows());
  Sides x(size, sides_at_once);
  for (int i = 0; i < size; ++i) x.row(place[i]) = sides.row(i);
  for (int column = 0; column < size; ++column) {
    stop_if_cancelled(static_cast<std::size_t>(column));
    const Row value = x.row(column);
    if ((value == 0.0).all()) continue;
    for (std::size_t k = first[column]; k < first[column + 1]; ++k) x.row(rows_[k]) -= value * values_[k];
  }
  for (int i = 0; i < size; ++i) x.row(i) *= 1.0 / diagonal_[i];
  for (int row = size - 1; row >= 0; --row) {
    stop_if_cancelled(static_cast<std::size_t>(row));
    Row sum = x.row(row);
    for (std::size_t k = first[row]; k < first[row + 1]; ++k) sum -= values_[k] * x.row(rows_[k]);
    x.row(row) = sum;
  }
  for (int i = 0; i < size; ++i) sides.row(i) = x.row(place[i]);
}

}  // namespace sinew
