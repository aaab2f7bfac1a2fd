// Least squares with weights that are not negative and have a given sum: the small problem behind fitting the influences
// of one vertex.
#pragma once

#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

// Minimises (w - target)ᵀ gram (w - target) over w with w ≥ 0, sum(w) = total, and w = 0 outside `allowed` (indices,
// ascending, at least one). `gram`: symmetric positive definite. An active-set method: exact up to rounding.
Eigen::VectorXd fit_on_simplex(const Eigen::MatrixXd& gram, const Eigen::VectorXd& target,
                               const std::vector<int>& allowed, double total);

// (w - target)ᵀ gram (w - target).
double fit_error(const Eigen::MatrixXd& gram, const Eigen::VectorXd& target, const Eigen::VectorXd& weights);

}  // namespace sinew
