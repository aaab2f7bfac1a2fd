#include "sinew/base/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <atomic>

#include "sinew/base/cancellation.h"
#include "sinew/base/random.h"
#include "sinew/error.h"

namespace sinew {
namespace {

// The Laplacian of a grid with some far connections, and a little on the diagonal.
Eigen::SparseMatrix<double> grid_system(int side, std::uint64_t seed) {
  Random random(seed);
  std::vector<Eigen::Triplet<double>> entries;
  const auto connect = [&](int a, int b, double w) {
    entries.emplace_back(a, a, w);
    entries.emplace_back(b, b, w);
    entries.emplace_back(a, b, -w);
    entries.emplace_back(b, a, -w);
  };
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int here = y * side + x;
      entries.emplace_back(here, here, 1e-3);
      if (x + 1 < side) connect(here, here + 1, random.uniform(0.1, 2.0));
      if (y + 1 < side) connect(here, here + side, random.uniform(0.1, 2.0));
      if (random.below(10) == 0) connect(here, static_cast<int>(random.below(side * side)), 0.3);
    }
  }
  Eigen::SparseMatrix<double> matrix(side * side, side * side);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

TEST(SparseCholesky, SolvesAsEigenDoes) {
  for (const int side : {1, 2, 7, 40}) {
    const Eigen::SparseMatrix<double> matrix = grid_system(side, 5);
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(matrix.rows(), -1, 3);
    const SparseCholesky own(matrix);
    ASSERT_TRUE(own.succeeded());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> peer(matrix);
    const Eigen::VectorXd x = own.solve(right), expected = peer.solve(right);
    EXPECT_LE((x - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
    EXPECT_LE((matrix * x - right).norm(), 1e-10 * right.norm());
  }
}

TEST(SparseCholesky, SolvesManyRightSidesToTheBitsOfOne) {
  const Eigen::SparseMatrix<double> matrix = grid_system(30, 7);
  const SparseCholesky factor(matrix);
  SparseCholesky::Sides sides(matrix.rows(), static_cast<Eigen::Index>(SparseCholesky::sides_at_once));
  Random random(3);
  for (Eigen::Index i = 0; i < sides.size(); ++i) sides.data()[i] = random.uniform(0, 1) < 0.3 ? random.normal() : 0.0;
  SparseCholesky::Sides solved = sides;
  factor.solve_in_place(solved);
  for (Eigen::Index c = 0; c < sides.cols(); ++c) {
    EXPECT_EQ(factor.solve(sides.col(c).matrix()), Eigen::VectorXd(solved.col(c).matrix())) << "right side " << c;
  }
}

TEST(SparseCholesky, OnePatternServesMatricesOfOneShape) {
  const Eigen::SparseMatrix<double> first = grid_system(20, 8);
  Eigen::SparseMatrix<double> second = first;
  for (int i = 0; i < 400; ++i) second.coeffRef(i, i) += 0.5 + i;
  const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(400, -1, 3);
  EXPECT_EQ(SparseCholesky(second, sparse_pattern(first)).solve(right), SparseCholesky(second).solve(right));
}

TEST(SparseCholesky, RefusesASingularMatrix) {
  Eigen::SparseMatrix<double> matrix(3, 3);
  matrix.insert(0, 0) = 2.0;
  matrix.insert(2, 2) = 1.0;
  EXPECT_FALSE(SparseCholesky(matrix).succeeded());
  EXPECT_TRUE(SparseCholesky(Eigen::SparseMatrix<double>(0, 0)).succeeded());
}

TEST(SparseCholesky, Stops) {
  const Eigen::SparseMatrix<double> matrix = grid_system(40, 6);
  const SparseCholesky ready(matrix);
  const std::atomic<bool> cancel{true};
  const CancellationScope scope(&cancel);
  EXPECT_THROW(SparseCholesky{matrix}, Error);
  EXPECT_THROW(ready.solve(Eigen::VectorXd::Ones(matrix.rows())), Error);
}

}  // namespace
}  // namespace sinew
