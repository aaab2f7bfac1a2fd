// A cautious model of a region's values, and samples drawn from it: what keeps small networks honest between poses.
//
// A few hundred poses of a body with dozens of joints say little about their combinations. That each joint adds its own
// share, quadratic in its three features, is a good guess there: ridge regression of that model errs less on poses not
// seen than a network does (about half the squared error in one comparison, with 300 poses of a body). So networks
// learn the true samples, and between them the model's values for joints recombined from different
// poses. Internal to training.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace sinew {

// values ≈ model · (features of a joint, their squares, their products, for every joint; 1).
class AdditiveModel {
 public:
  // `inputs`: three rows per joint, one column per sample; `values`: one column per sample.
  AdditiveModel(const Eigen::MatrixXf& inputs, const Eigen::MatrixXf& values);
  Eigen::MatrixXf operator()(const Eigen::MatrixXf& inputs) const;

 private:
  Eigen::MatrixXf model_;
};

// Appends `count` samples to both: every joint's features from a sample of its own, values from the additive model.
void append_recombined(Eigen::MatrixXf& inputs, Eigen::MatrixXf& values, Eigen::Index count, std::uint64_t seed);

}  // namespace sinew
