#include "sinew/base/dense_algebra.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace sinew {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::MatrixXf solve_symmetric(const Eigen::MatrixXf& matrix, const Eigen::MatrixXf& right) {
  return matrix.ldlt().solve(right);
}

Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right) {
  return matrix.ldlt().solve(right);
}

Eigen::MatrixXd solve_definite(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right) {
  return matrix.llt().solve(right);
}

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& terms, const Eigen::MatrixXd& right) {
  return terms.colPivHouseholderQr().solve(right);
}

Eigen::MatrixXf orthonormal_columns(const Eigen::MatrixXf& matrix) {
  return Eigen::HouseholderQR<Eigen::MatrixXf>(matrix).householderQ() *
         Eigen::MatrixXf::Identity(matrix.rows(), matrix.cols());
}

}  // namespace sinew
