// Adam: descent in which every parameter's step is the running mean of its slope over that slope's usual size
// (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015, algorithm 1).
//
//   Adam<float> adam(parameters.size());
//   for (…) {
//     // slopes = gradient at the parameters
//     adam.step(slopes, 1e-6);
//     // parameters -= rate * slopes
//   }
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <span>
#include <vector>

namespace sinew {

template <typename Scalar>
struct Adam {
  static constexpr double mean_decay = 0.9, square_decay = 0.99;

  std::vector<Scalar> mean, square;  // running averages of the slopes and of their squares
  int steps = 0;                     // taken so far

  explicit Adam(std::size_t parameters = 0) : mean(parameters), square(parameters) {}

  // Turns slopes into the step to take, for a rate of one. Slopes `least` times weaker than the usual one (the root
  // mean square over all parameters) and below are not blown up to full steps.
  void step(std::span<Scalar> slopes, double least) {
    using Array = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;
    const auto count = static_cast<Eigen::Index>(slopes.size());
    Array g(slopes.data(), count), m(mean.data(), count), s(square.data(), count);
    ++steps;
    m = static_cast<Scalar>(mean_decay) * m + static_cast<Scalar>(1 - mean_decay) * g;
    s = static_cast<Scalar>(square_decay) * s + static_cast<Scalar>(1 - square_decay) * g.square();
    // Both averages started at zero; this undoes it.
    const auto mean_scale = static_cast<Scalar>(1 / (1 - std::pow(mean_decay, steps)));
    const auto square_scale = static_cast<Scalar>(1 / (1 - std::pow(square_decay, steps)));
    const auto floor = static_cast<Scalar>(least * std::sqrt(static_cast<double>(square_scale * s.mean())) + 1e-30);
    g = mean_scale * m / ((square_scale * s).sqrt() + floor);
  }
};

}  // namespace sinew
