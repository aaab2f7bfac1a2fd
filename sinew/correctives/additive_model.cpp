#include "sinew/correctives/additive_model.h"

#include "sinew/base/dense_algebra.h"
#include "sinew/base/random.h"

namespace sinew {
namespace {

constexpr float ridge = 3e-4f;  // per sample; features are at most 2

Eigen::MatrixXf quadratic(const Eigen::MatrixXf& inputs) {
  const Eigen::Index joints = inputs.rows() / 3;
  Eigen::MatrixXf result(9 * joints + 1, inputs.cols());
  for (Eigen::Index j = 0; j < joints; ++j) {
    const auto f = inputs.middleRows<3>(3 * j).array();
    result.middleRows<3>(9 * j) = f;
    result.middleRows<3>(9 * j + 3) = f * f;
    for (int k = 0; k < 3; ++k) result.row(9 * j + 6 + k) = f.row(k) * f.row((k + 1) % 3);
  }
  result.bottomRows<1>().setOnes();
  return result;
}

}  // namespace

AdditiveModel::AdditiveModel(const Eigen::MatrixXf& inputs, const Eigen::MatrixXf& values) {
  const Eigen::MatrixXf q = quadratic(inputs);
  Eigen::MatrixXf gram = q * q.transpose();
  gram.diagonal().array() += ridge * static_cast<float>(inputs.cols());
  model_ = solve_symmetric(gram, q * values.transpose()).transpose();
}

Eigen::MatrixXf AdditiveModel::operator()(const Eigen::MatrixXf& inputs) const { return model_ * quadratic(inputs); }

void append_recombined(Eigen::MatrixXf& inputs, Eigen::MatrixXf& values, Eigen::Index count, std::uint64_t seed) {
  const Eigen::Index samples = inputs.cols();
  const AdditiveModel model(inputs, values);
  Random random(seed);
  Eigen::MatrixXf recombined(inputs.rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < inputs.rows() / 3; ++j) {
      const auto from = static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(samples)));
      recombined.block<3, 1>(3 * j, i) = inputs.block<3, 1>(3 * j, from);
    }
  }
  inputs.conservativeResize(Eigen::NoChange, samples + count);
  values.conservativeResize(Eigen::NoChange, samples + count);
  inputs.rightCols(count) = recombined;
  values.rightCols(count) = model(recombined);
}

}  // namespace sinew
