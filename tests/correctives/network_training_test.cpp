// The optimiser: gradients against finite differences, and functions it must learn.
#include "sinew/correctives/network_training.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"

namespace sinew {
namespace {

Eigen::MatrixXf random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  Eigen::MatrixXf m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<float>(random.normal());
  return m;
}

TEST(NetworkTraining, GradientIsThatOfFiniteDifferences) {
  const NetworkShape shape{3, 5, 2};
  const Eigen::MatrixXf inputs = random_matrix(3, 20, 1), outputs = random_matrix(2, 20, 2);
  Eigen::VectorXf x = 0.5f * random_matrix(shape.parameters(), 1, 3), gradient;
  network_loss(shape, x, inputs, outputs, 1e-2, &gradient);
  ASSERT_EQ(gradient.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    constexpr float step = 3e-3f;
    Eigen::VectorXf up = x, down = x;
    up[i] += step;
    down[i] -= step;
    const double numeric = (network_loss(shape, up, inputs, outputs, 1e-2, nullptr) -
                            network_loss(shape, down, inputs, outputs, 1e-2, nullptr)) /
                           (up[i] - down[i]);
    EXPECT_NEAR(2 * gradient[i], numeric, 2e-3 * (1 + std::abs(numeric))) << i;
  }
}

TEST(NetworkTraining, LearnsAProductAndForgetsNothing) {
  const Eigen::MatrixXf inputs = random_matrix(3, 600, 4);
  Eigen::MatrixXf outputs(2, 600);
  outputs.row(0) = 100 + (inputs.row(0).array() * inputs.row(1).array()).matrix().array();
  outputs.row(1) = 0.3f * inputs.row(2).array().sin();
  NetworkTraining options;
  options.hidden = 16;
  CorrectiveNetwork network;
  network.joints = {0};
  train_network(inputs, outputs, options, network);
  const Eigen::MatrixXf fresh = random_matrix(3, 200, 5);
  const Eigen::MatrixXf values = network.values(fresh);
  double error = 0, spread = 0;
  for (Eigen::Index i = 0; i < 200; ++i) {
    const double product = fresh(0, i) * fresh(1, i);
    error += std::pow(values(0, i) - 100 - product, 2);
    spread += product * product;
  }
  EXPECT_LT(std::sqrt(error / spread), 0.2);
  CorrectiveNetwork again;
  again.joints = {0};
  train_network(inputs, outputs, options, again);
  EXPECT_EQ(again.weights[1], network.weights[1]) << "the same seed gives the same bits";
}

}  // namespace
}  // namespace sinew
