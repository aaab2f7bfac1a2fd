// Solving large sparse symmetric systems directly: P A Pᵀ = L D Lᵀ.
//
// Davis, "Algorithm 849: a concise sparse Cholesky factorization package" (ACM TOMS 2005), after an approximate minimum
// degree ordering. Unlike Eigen's factorisation of the same kind, to whose bits it keeps, it stops when the caller of the
// work asks for it (cancellation.h): a mesh of 500,000 vertices takes seconds.
#pragma once

#include <Eigen/SparseCore>
#include <cstddef>
#include <memory>
#include <vector>

namespace sinew {

// What depends only on where a matrix has entries: made once for several matrices.
struct SparsePattern {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;  // P
  std::vector<int> parent;         // of each column in the elimination tree, -1 for a root
  std::vector<std::size_t> begin;  // per column of L: its entries below the diagonal, which is 1
};
// Of a symmetric matrix; its lower triangle is read.
std::shared_ptr<const SparsePattern> sparse_pattern(const Eigen::SparseMatrix<double>& matrix);

class SparseCholesky {
 public:
  // Of a symmetric matrix; its lower triangle is read.
  explicit SparseCholesky(const Eigen::SparseMatrix<double>& matrix);
  // `pattern`: of a matrix with entries at the same places.
  SparseCholesky(const Eigen::SparseMatrix<double>& matrix, std::shared_ptr<const SparsePattern> pattern);

  // False for a singular matrix: solve() must not be called then.
  bool succeeded() const { return succeeded_; }

  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

  // Several right sides at once, to the same bits: L is read once for all of them, and reading it is most of the work.
  static constexpr int sides_at_once = 8;
  using Sides = Eigen::Array<double, Eigen::Dynamic, sides_at_once, Eigen::RowMajor>;
  void solve_in_place(Sides& sides) const;

 private:
  void factorise(const Eigen::SparseMatrix<double>& upper);

  std::shared_ptr<const SparsePattern> pattern_;
  std::vector<int> rows_;
  std::vector<double> values_;
  std::vector<double> diagonal_;  // D
  bool succeeded_ = false;
};

}  // namespace sinew
