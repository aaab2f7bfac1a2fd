// Decompositions of dense matrices of any size. Eigen compiles them anew in every file that calls them, for seconds
// each; here they are compiled once.
#pragma once

#include "sinew/eigen_types.h"

namespace sinew {

// Eigenvalues of a symmetric matrix in rising order, and its orthonormal eigenvectors as columns in the same order.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

// The solution of matrix * x = right, for a symmetric matrix without negative eigenvalues.
Eigen::MatrixXf solve_symmetric(const Eigen::MatrixXf& matrix, const Eigen::MatrixXf& right);
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right);

// The same for a symmetric matrix with positive eigenvalues only.
Eigen::MatrixXd solve_definite(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right);

// The x for which terms * x is closest to right, column by column.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& terms, const Eigen::MatrixXd& right);

// As many orthonormal columns as `matrix` has, spanning at least what its own columns span (columns <= rows).
Eigen::MatrixXf orthonormal_columns(const Eigen::MatrixXf& matrix);

}  // namespace sinew
