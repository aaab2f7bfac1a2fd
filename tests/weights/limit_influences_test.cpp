#include "sinew/weights/limit_influences.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"

namespace sinew {
namespace {

TEST(Strongest, IsSetInfluencesWhenEverythingFits) {
  SkinWeights a = make_skin_weights(1, 4), b = a;
  const std::vector<Influence> influences{{3, 0.5}, {1, 0.2}, {7, 0.3}};
  EXPECT_TRUE(set_limited_influences(a, 0, influences));
  set_influences(b, 0, influences);
  EXPECT_EQ(a.joints, b.joints);
  EXPECT_EQ(a.weights, b.weights);
}

TEST(Strongest, IsContinuousWhereTheRankingChanges) {
  // Joint 2 rises past joint 1 in the fight for the second and last slot: neither may jump.
  Eigen::MatrixXd last;
  for (int step = 0; step <= 1000; ++step) {
    const double t = step / 1000.0;
    SkinWeights weights = make_skin_weights(1, 2);
    set_limited_influences(weights, 0, {{0, 0.5}, {1, 0.4 - 0.2 * t}, {2, 0.1 + 0.3 * t}});
    const Eigen::MatrixXd now = densify(weights, 3);
    if (step > 0) {
      EXPECT_LT((now - last).cwiseAbs().maxCoeff(), 0.01) << t;
    }
    last = now;
  }
}

TEST(Strongest, IsValidForAnythingRandomAndForEquals) {
  Random random(1);
  SkinWeights weights = make_skin_weights(200, 3);
  for (std::size_t v = 0; v < 200; ++v) {
    std::vector<Influence> influences;
    for (std::uint16_t j = 0; j < 1 + v % 9; ++j) influences.push_back({j, v % 5 ? random.uniform() + 1e-3 : 0.25});
    EXPECT_TRUE(set_limited_influences(weights, v, influences));
  }
  EXPECT_NO_THROW(check_skin_weights(weights, 200, 9));
  EXPECT_FALSE(set_limited_influences(weights, 0, {}));
}

}  // namespace
}  // namespace sinew
