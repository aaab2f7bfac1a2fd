#include "sinew/skin_weights.h"

#include <gtest/gtest.h>

#include <limits>

#include "sinew/base/random.h"
#include "sinew/error.h"

namespace sinew {
namespace {

TEST(SkinWeights, SetInfluencesMergesSortsAndNormalises) {
  SkinWeights weights = make_skin_weights(1, 2);
  EXPECT_TRUE(set_influences(weights, 0, {{5, 1.0}, {3, 2.0}, {5, 2.0}, {7, 0.5}, {9, -1.0}}));
  EXPECT_EQ(weights.joints, (std::vector<std::uint16_t>{5, 3}));
  EXPECT_FLOAT_EQ(weights.weights[0], 0.6f);
  EXPECT_FLOAT_EQ(weights.weights[1], 0.4f);
  EXPECT_FALSE(set_influences(weights, 0, {{1, std::numeric_limits<double>::quiet_NaN()}}));
  EXPECT_EQ(count_unweighted(weights), 1u);
}

TEST(SkinWeights, RandomDenseMatricesKeepTheInvariants) {
  Random random(3);
  for (int influences = 1; influences <= 8; ++influences) {
    Eigen::MatrixXd dense(200, 12);
    for (Eigen::Index i = 0; i < dense.size(); ++i) {
      dense.data()[i] = random.uniform() < 0.5 ? 0.0 : std::pow(10.0, random.uniform(-12, 3));
    }
    dense.col(4).array() += 1e-3;
    const SkinWeights weights = sparsify(dense, influences);
    EXPECT_NO_THROW(check_skin_weights(weights, 200, 12));
    const SkinWeights fewer = with_influences(weights, 2);
    EXPECT_NO_THROW(check_skin_weights(fewer, 200, 12));
    EXPECT_TRUE(densify(sparsify(dense, 12), 12)
                    .isApprox((dense.array().colwise() / dense.rowwise().sum().array()).matrix(), 1e-6));
  }
}

TEST(SkinWeights, CheckNamesTheFault) {
  SkinWeights weights = make_skin_weights(2, 2);
  set_influences(weights, 0, {{0, 1.0}});
  EXPECT_THROW(check_skin_weights(weights, 2, 4), Error);
  EXPECT_NO_THROW(check_skin_weights(weights, 2, 4, true));
  set_influences(weights, 1, {{5, 1.0}});
  EXPECT_THROW(check_skin_weights(weights, 2, 4), Error);
}

}  // namespace
}  // namespace sinew
