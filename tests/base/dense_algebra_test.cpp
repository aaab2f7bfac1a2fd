#include "sinew/base/dense_algebra.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"

namespace sinew {
namespace {

Eigen::MatrixXf random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  return Eigen::MatrixXf::NullaryExpr(rows, columns, [&] { return static_cast<float>(random.normal()); });
}

TEST(DenseAlgebra, EigenvectorsAreOrthonormalAndRiseWithTheirValues) {
  const Eigen::MatrixXd half = random_matrix(12, 12, 1).cast<double>();
  const Eigen::MatrixXd matrix = half * half.transpose();
  const SymmetricEigen eigen = symmetric_eigen(matrix);
  EXPECT_NEAR((matrix * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm(), 0.0, 1e-10);
  EXPECT_NEAR((eigen.vectors.transpose() * eigen.vectors - Eigen::MatrixXd::Identity(12, 12)).norm(), 0.0, 1e-12);
  for (Eigen::Index i = 1; i < 12; ++i) EXPECT_GE(eigen.values[i], eigen.values[i - 1]);
}

TEST(DenseAlgebra, SolvesSymmetricSystemsWithSeveralRightSides) {
  const Eigen::MatrixXf half = random_matrix(9, 20, 2), right = random_matrix(9, 4, 3);
  const Eigen::MatrixXf matrix = half * half.transpose();
  EXPECT_LT((matrix * solve_symmetric(matrix, right) - right).norm(), 1e-3f);
}

TEST(DenseAlgebra, DecompositionsOfPreciseMatricesAgree) {
  const Eigen::MatrixXd half = random_matrix(9, 20, 5).cast<double>(), right = random_matrix(9, 4, 6).cast<double>();
  const Eigen::MatrixXd matrix = half * half.transpose();
  EXPECT_LT((matrix * solve_symmetric(matrix, right) - right).norm(), 1e-10);
  EXPECT_LT((matrix * solve_definite(matrix, right) - right).norm(), 1e-10);
  EXPECT_LT((matrix * least_squares(matrix, right) - right).norm(), 1e-10);
}

TEST(DenseAlgebra, LeastSquaresLeavesWhatIsAtRightAnglesToTheTerms) {
  const Eigen::MatrixXd terms = random_matrix(35, 3, 7).cast<double>(), right = random_matrix(35, 2, 8).cast<double>();
  EXPECT_LT((terms.transpose() * (terms * least_squares(terms, right) - right)).norm(), 1e-12);
}

TEST(DenseAlgebra, OrthonormalColumnsSpanTheColumns) {
  const Eigen::MatrixXf matrix = random_matrix(30, 5, 4), q = orthonormal_columns(matrix);
  ASSERT_EQ(q.cols(), 5);
  EXPECT_LT((q.transpose() * q - Eigen::MatrixXf::Identity(5, 5)).norm(), 1e-5f);
  EXPECT_LT((q * (q.transpose() * matrix) - matrix).norm(), 1e-4f);
}

}  // namespace
}  // namespace sinew
