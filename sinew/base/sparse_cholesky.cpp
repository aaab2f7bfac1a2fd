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

}  // namespace

SparseCholesky::SparseCholesky(const SparseMatrix& matrix) : order_(minimum_degree_order(matrix)) {
  stop_if_cancelled();
  SparseMatrix upper(matrix.rows(), matrix.cols());
  upper.selfadjointView<Eigen::Upper>() = matrix.selfadjointView<Eigen::Lower>().twistedBy(order_);
  count_entries(upper);
  factorise(upper);
}

// The elimination tree, and from it how many entries each column of L will have.
void SparseCholesky::count_entries(const SparseMatrix& upper) {
  const auto size = static_cast<int>(upper.cols());
  std::vector<int> seen_by(size, -1);
  std::vector<std::size_t> count(size, 0);
  parent_.assign(size, -1);
  for (int column = 0; column < size; ++column) {
    stop_if_cancelled(static_cast<std::size_t>(column));
    seen_by[column] = column;
    for (SparseMatrix::InnerIterator entry(upper, column); entry; ++entry) {
      if (entry.index() >= column) continue;
      for (int i = static_cast<int>(entry.index()); seen_by[i] != column; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = column;
        ++count[i];
        seen_by[i] = column;
      }
    }
  }
  begin_.assign(1, 0);
  for (const std::size_t entries : count) begin_.push_back(begin_.back() + entries);
}

// Row after row of L: each is the solution of a triangular system with the rows before it, whose pattern is the way up
// the elimination tree from every entry of the matrix.
void SparseCholesky::factorise(const SparseMatrix& upper) {
  const auto size = static_cast<int>(upper.cols());
  rows_.resize(begin_.back());
  values_.resize(begin_.back());
  diagonal_.resize(size);
  std::vector<std::size_t> end(begin_.begin(), begin_.end() - 1);  // of what each column has so far
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
      for (; seen_by[i] != row; i = parent_[i]) {
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
      for (std::size_t k = begin_[column]; k < end[column]; ++k) sum[rows_[k]] -= values_[k] * value;
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
  Eigen::VectorXd x = order_ * right;
  const auto size = static_cast<int>(x.size());
  for (int column = 0; column < size; ++column) {
    stop_if_cancelled(static_cast<std::size_t>(column));
    const double value = x[column];
    if (value == 0.0) continue;
    for (std::size_t k = begin_[column]; k < begin_[column + 1]; ++k) x[rows_[k]] -= value * values_[k];
  }
  for (int i = 0; i < size; ++i) x[i] *= 1.0 / diagonal_[i];
  for (int row = size - 1; row >= 0; --row) {
    stop_if_cancelled(static_cast<std::size_t>(row));
    double sum = x[row];
    for (std::size_t k = begin_[row]; k < begin_[row + 1]; ++k) sum -= values_[k] * x[rows_[k]];
    x[row] = sum;
  }
  return order_.inverse() * x;
}

}  // namespace sinew
