// Solving large sparse symmetric systems directly: P A Pᵀ = L D Lᵀ.
//
// Davis, "Algorithm 849: a concise sparse Cholesky factorization package" (ACM TOMS 2005), after an approximate minimum
// degree ordering. Unlike Eigen's factorisation of the same kind, to whose bits it keeps, it stops when the caller of the
// work asks for it (cancellation.h): a mesh of 500,000 vertices takes seconds.
#pragma once

#include <Eigen/SparseCore>
#include <cstddef>
#include <vector>

namespace sinew {

class SparseCholesky {
 public:
  // Of a symmetric matrix; its lower triangle is read.
  explicit SparseCholesky(const Eigen::SparseMatrix<double>& matrix);

  // False for a singular matrix: solve() must not be called then.
  bool succeeded() const { return succeeded_; }

  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  void count_entries(const Eigen::SparseMatrix<double>& upper);
  void factorise(const Eigen::SparseMatrix<double>& upper);

  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order_;  // P
  std::vector<int> parent_;         // of each column in the elimination tree, -1 for a root
  std::vector<std::size_t> begin_;  // per column of L: its entries below the diagonal, which is 1
  std::vector<int> rows_;
  std::vector<double> values_;
  std::vector<double> diagonal_;  // D
  bool succeeded_ = false;
};

}  // namespace sinew
