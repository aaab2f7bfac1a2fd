#include "sinew/weights/tools/simplex_fit.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sinew/base/random.h"

namespace sinew {
namespace {

Eigen::MatrixXd random_gram(Random& random, int size) {
  Eigen::MatrixXd places(2 * size, size);
  for (double& value : places.reshaped()) value = random.normal();
  return places.transpose() * places + 1e-6 * Eigen::MatrixXd::Identity(size, size);
}

TEST(SimplexFit, FindsATargetThatIsAllowed) {
  Random random(1);
  for (int size = 1; size <= 8; ++size) {
    std::vector<int> all(size);
    std::iota(all.begin(), all.end(), 0);
    Eigen::VectorXd target(size);
    for (double& value : target) value = random.uniform() + 0.01;
    target /= target.sum();
    const Eigen::VectorXd found = fit_on_simplex(random_gram(random, size), target, all, 1.0);
    EXPECT_LT((found - target).norm(), 1e-8);
  }
}

// No other weights with the same support and sum are better: compared with thousands of random ones and with small steps
// between every two entries.
TEST(SimplexFit, IsTheMinimum) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const int size = 2 + static_cast<int>(random.below(6));
    const Eigen::MatrixXd gram = random_gram(random, size);
    Eigen::VectorXd target(size);
    for (double& value : target) value = random.uniform();
    target /= target.sum();
    std::vector<int> allowed;
    for (int i = 0; i < size; ++i) {
      if (random.uniform() < 0.6) allowed.push_back(i);
    }
    if (allowed.empty()) allowed.push_back(0);
    const Eigen::VectorXd found = fit_on_simplex(gram, target, allowed, 1.0);
    EXPECT_NEAR(found.sum(), 1.0, 1e-9);
    EXPECT_GE(found.minCoeff(), 0.0);
    const double error = fit_error(gram, target, found);
    for (const int from : allowed) {
      for (const int to : allowed) {
        for (const double step : {1e-3, 1e-2, 0.2}) {
          Eigen::VectorXd other = found;
          const double moved = std::min(step, other[from]);
          other[from] -= moved;
          other[to] += moved;
          EXPECT_GE(fit_error(gram, target, other), error - 1e-12);
        }
      }
    }
  }
}

TEST(SimplexFit, KeepsToTheGivenSumAndEntries) {
  Random random(3);
  const Eigen::VectorXd target = Eigen::VectorXd::Constant(4, 0.25);
  const Eigen::VectorXd found = fit_on_simplex(random_gram(random, 4), target, {1, 3}, 0.4);
  EXPECT_EQ(found[0], 0);
  EXPECT_EQ(found[2], 0);
  EXPECT_NEAR(found.sum(), 0.4, 1e-12);
  EXPECT_NEAR(fit_on_simplex(random_gram(random, 4), target, {2}, 1.0)[2], 1.0, 1e-12);
}

}  // namespace
}  // namespace sinew
