#include "sinew/correctives/additive_model.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"

namespace sinew {
namespace {

Eigen::MatrixXf random_inputs(Eigen::Index rows, Eigen::Index columns, Random& random) {
  Eigen::MatrixXf inputs(rows, columns);
  for (Eigen::Index i = 0; i < inputs.size(); ++i) inputs.data()[i] = static_cast<float>(random.uniform(-1, 1));
  return inputs;
}

// A function in which every joint adds its own quadratic share.
Eigen::MatrixXf shares(const Eigen::MatrixXf& inputs) {
  Eigen::MatrixXf values(2, inputs.cols());
  values.row(0) = inputs.row(0).array() * inputs.row(1).array() + 2 * inputs.row(3).array();
  values.row(1) = 0.5f + inputs.row(4).array().square() - inputs.row(2).array();
  return values;
}

TEST(AdditiveModel, FindsWhatJointsAddAndExtendsItToUnseenCombinations) {
  Random random(5);
  const Eigen::MatrixXf inputs = random_inputs(6, 200, random), unseen = random_inputs(6, 50, random);
  const AdditiveModel model(inputs, shares(inputs));
  EXPECT_LT((model(unseen) - shares(unseen)).cwiseAbs().maxCoeff(), 0.01f);
}

TEST(AdditiveModel, RecombinedSamplesKeepTheTrueOnesAndTakeEachJointFromOne) {
  Random random(6);
  const Eigen::MatrixXf inputs = random_inputs(6, 40, random);
  Eigen::MatrixXf more = inputs, values = shares(inputs);
  append_recombined(more, values, 80, 3);
  ASSERT_EQ(more.cols(), 120);
  ASSERT_EQ(values.cols(), 120);
  EXPECT_EQ(more.leftCols(40), inputs);
  EXPECT_EQ(values.leftCols(40), shares(inputs));
  for (Eigen::Index i = 40; i < 120; ++i) {
    for (Eigen::Index joint = 0; joint < 2; ++joint) {
      bool found = false;
      for (Eigen::Index s = 0; s < 40; ++s) {
        found = found || more.block<3, 1>(3 * joint, i) == inputs.block<3, 1>(3 * joint, s);
      }
      EXPECT_TRUE(found);
    }
  }
}

}  // namespace
}  // namespace sinew
