#include "sinew/weights/tools/simplex_fit.h"

#include <algorithm>

#include "sinew/base/dense_algebra.h"

namespace sinew {
namespace {

// The minimum over the entries in `support` with the given sum, whatever their signs.
Eigen::VectorXd fit_with_sum(const Eigen::MatrixXd& gram, const Eigen::VectorXd& target,
                             const std::vector<int>& support, double total) {
  const auto count = static_cast<Eigen::Index>(support.size());
  const Eigen::VectorXd pull = gram * target;
  Eigen::MatrixXd inner(count, count);
  Eigen::MatrixXd right = Eigen::MatrixXd::Ones(count, 2);
  for (Eigen::Index i = 0; i < count; ++i) {
    right(i, 0) = pull[support[i]];
    for (Eigen::Index j = 0; j < count; ++j) inner(i, j) = gram(support[i], support[j]);
  }
  const Eigen::MatrixXd solved = solve_symmetric(inner, right);
  const Eigen::VectorXd free = solved.col(0), step = solved.col(1);
  const Eigen::VectorXd found = free + ((total - free.sum()) / step.sum()) * step;
  Eigen::VectorXd result = Eigen::VectorXd::Zero(target.size());
  for (Eigen::Index i = 0; i < count; ++i) result[support[i]] = found[i];
  return result;
}

// The entry outside the support that would lower the error most when raised; -1 at the minimum.
int entry_to_raise(const Eigen::MatrixXd& gram, const Eigen::VectorXd& target, const Eigen::VectorXd& weights,
                   const std::vector<int>& support, const std::vector<int>& allowed) {
  const Eigen::VectorXd gradient = gram * (weights - target);
  double level = 0;  // the same for all entries of the support
  for (const int i : support) level += gradient[i] / static_cast<double>(support.size());
  int best = -1;
  double lowest = level - 1e-12 * gram.diagonal().maxCoeff();
  for (const int i : allowed) {
    if (std::find(support.begin(), support.end(), i) != support.end() || gradient[i] >= lowest) continue;
    lowest = gradient[i];
    best = i;
  }
  return best;
}

}  // namespace

Eigen::VectorXd fit_on_simplex(const Eigen::MatrixXd& gram, const Eigen::VectorXd& target,
                               const std::vector<int>& allowed, double total) {
  std::vector<int> support = allowed;
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(target.size());
  for (const int i : allowed) weights[i] = total / static_cast<double>(allowed.size());
  const int most_steps = 4 * static_cast<int>(allowed.size()) + 8;
  for (int step = 0; step < most_steps; ++step) {
    const Eigen::VectorXd wanted = fit_with_sum(gram, target, support, total);
    // As far towards it as no weight becomes negative; the one that stops the way leaves.
    double way = 1;
    int leaves = -1;
    for (const int i : support) {
      if (wanted[i] >= 0 || weights[i] <= wanted[i]) continue;
      const double here = weights[i] / (weights[i] - wanted[i]);
      if (here < way) {
        way = here;
        leaves = i;
      }
    }
    weights += way * (wanted - weights);
    if (leaves >= 0) {
      weights[leaves] = 0;
      std::erase(support, leaves);
      continue;
    }
    const int enters = entry_to_raise(gram, target, weights, support, allowed);
    if (enters < 0) break;
    support.insert(std::lower_bound(support.begin(), support.end(), enters), enters);
  }
  return weights.cwiseMax(0.0);
}

double fit_error(const Eigen::MatrixXd& gram, const Eigen::VectorXd& target, const Eigen::VectorXd& weights) {
  const Eigen::VectorXd difference = weights - target;
  return difference.dot(gram * difference);
}

}  // namespace sinew
