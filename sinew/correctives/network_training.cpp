#include "sinew/correctives/network_training.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>

#include "sinew/base/adam.h"
#include "sinew/base/cancellation.h"
#include "sinew/base/random.h"

namespace sinew {
namespace {

constexpr double least_slope = 1e-6;  // of the usual one; see Adam

template <typename Vector>
struct Layers {
  using Matrix =
      std::conditional_t<std::is_const_v<Vector>, Eigen::Map<const Eigen::MatrixXf>, Eigen::Map<Eigen::MatrixXf>>;
  using Column =
      std::conditional_t<std::is_const_v<Vector>, Eigen::Map<const Eigen::VectorXf>, Eigen::Map<Eigen::VectorXf>>;
  Matrix w1, w2, w3;
  Column b1, b2, b3;

  Layers(const NetworkShape& s, Vector& p)
      : w1(p.data(), s.hidden, s.inputs),
        w2(w1.data() + w1.size() + s.hidden, s.hidden, s.hidden),
        w3(w2.data() + w2.size() + s.hidden, s.outputs, s.hidden),
        b1(w1.data() + w1.size(), s.hidden),
        b2(w2.data() + w2.size(), s.hidden),
        b3(w3.data() + w3.size(), s.outputs) {}
};

Eigen::VectorXf first_guess(const NetworkShape& shape, Random& random) {
  Eigen::VectorXf parameters = Eigen::VectorXf::Zero(shape.parameters());
  Layers<Eigen::VectorXf> layers(shape, parameters);
  const auto fill = [&](auto& matrix) {
    const double scale = std::sqrt(1.0 / static_cast<double>(std::max<Eigen::Index>(1, matrix.cols())));
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(scale * random.normal());
  };
  fill(layers.w1);
  fill(layers.w2);
  fill(layers.w3);
  for (Eigen::Index i = 0; i < layers.b1.size(); ++i) layers.b1[i] = static_cast<float>(0.3 * random.normal());
  return parameters;
}

// The samples of one optimisation, scaled, and the best state seen on those held back.
struct Fit {
  NetworkShape shape;
  Eigen::MatrixXf inputs, outputs, held_inputs, held_outputs;
  double weight_decay = 0;
  Eigen::VectorXf best;
  double best_loss = std::numeric_limits<double>::infinity();

  void judge(const Eigen::VectorXf& parameters, double training_loss) {
    const double loss =
        held_inputs.cols() > 0 ? network_loss(shape, parameters, held_inputs, held_outputs, 0, nullptr) : training_loss;
    if (!(loss < best_loss)) return;
    best_loss = loss;
    best = parameters;
  }
};

void run_adam(Fit& fit, const NetworkTraining& options, Random& random, Eigen::VectorXf& x) {
  const Eigen::Index samples = fit.inputs.cols();
  const Eigen::Index batch = std::min<Eigen::Index>(options.batch, samples);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(samples));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  Eigen::VectorXf gradient(x.size());
  Adam<float> adam(static_cast<std::size_t>(x.size()));
  Eigen::MatrixXf batch_inputs(fit.inputs.rows(), batch), batch_outputs(fit.outputs.rows(), batch);
  const Eigen::Index per_epoch = std::max<Eigen::Index>(1, samples / batch), steps = per_epoch * options.adam_epochs;
  for (Eigen::Index step = 0; step < steps; ++step) {
    stop_if_cancelled();
    if (step % per_epoch == 0) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    }
    const Eigen::Index begin = (step % per_epoch) * batch;
    for (Eigen::Index i = 0; i < batch; ++i) {
      batch_inputs.col(i) = fit.inputs.col(order[static_cast<std::size_t>(begin + i)]);
      batch_outputs.col(i) = fit.outputs.col(order[static_cast<std::size_t>(begin + i)]);
    }
    network_loss(fit.shape, x, batch_inputs, batch_outputs, fit.weight_decay, &gradient);
    const double progress = static_cast<double>(step) / static_cast<double>(steps);
    const double rate = options.rate * (0.01 + 0.99 * 0.5 * (1 + std::cos(3.14159265358979 * progress)));
    adam.step({gradient.data(), adam.mean.size()}, least_slope);
    x -= static_cast<float>(rate) * gradient;
    if ((step + 1) % (per_epoch * 10) == 0) {
      fit.judge(x, network_loss(fit.shape, x, fit.inputs, fit.outputs, fit.weight_decay, nullptr));
    }
  }
}

// Nocedal and Wright, "Numerical Optimization", algorithm 7.4, with a backtracking line search.
void run_lbfgs(Fit& fit, const NetworkTraining& options, Eigen::VectorXf& x) {
  constexpr std::size_t memory = 12;
  constexpr int patience = 15;  // iterations without progress on the samples held back
  struct Pair {
    Eigen::VectorXf s, y;
    double rho;
  };
  std::deque<Pair> pairs;
  Eigen::VectorXf gradient(x.size()), next_gradient(x.size());
  double loss = network_loss(fit.shape, x, fit.inputs, fit.outputs, fit.weight_decay, &gradient);
  fit.judge(x, loss);
  int without_progress = 0;
  for (int iteration = 0; iteration < options.lbfgs_iterations && without_progress < patience; ++iteration) {
    stop_if_cancelled();
    Eigen::VectorXf direction = -gradient;
    std::vector<double> alpha(pairs.size());
    for (std::size_t i = pairs.size(); i-- > 0;) {
      alpha[i] = pairs[i].rho * pairs[i].s.dot(direction);
      direction -= static_cast<float>(alpha[i]) * pairs[i].y;
    }
    if (!pairs.empty()) {
      direction *= static_cast<float>(1.0 / (pairs.back().rho * pairs.back().y.squaredNorm()));
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double beta = pairs[i].rho * pairs[i].y.dot(direction);
      direction += static_cast<float>(alpha[i] - beta) * pairs[i].s;
    }
    const double slope = 2 * gradient.dot(direction);
    if (!(slope < 0)) break;
    double size = pairs.empty() ? std::min(1.0, 0.1 / static_cast<double>(gradient.norm())) : 1.0;
    Eigen::VectorXf candidate;
    double next = 0;
    bool found = false;
    for (int attempt = 0; attempt < 12 && !found; ++attempt, size *= 0.4) {
      candidate = x + static_cast<float>(size) * direction;
      next = network_loss(fit.shape, candidate, fit.inputs, fit.outputs, fit.weight_decay, &next_gradient);
      found = next <= loss + 1e-4 * size * slope;
    }
    if (!found) break;
    Pair pair{candidate - x, next_gradient - gradient, 0};
    const double curvature = pair.s.dot(pair.y);
    if (curvature > 1e-10 * pair.y.squaredNorm()) {
      pair.rho = 1 / curvature;
      pairs.push_back(std::move(pair));
      if (pairs.size() > memory) pairs.pop_front();
    }
    const bool stuck = next > loss * (1 - 1e-5);
    x = candidate;
    gradient = next_gradient;
    loss = next;
    const double before = fit.best_loss;
    fit.judge(x, loss);
    without_progress = fit.best_loss < before && !stuck ? 0 : without_progress + 1;
  }
}

}  // namespace

double network_loss(const NetworkShape& shape, const Eigen::VectorXf& parameters, const Eigen::MatrixXf& inputs,
                    const Eigen::MatrixXf& outputs, double weight_decay, Eigen::VectorXf* gradient) {
  const Layers<const Eigen::VectorXf> layers(shape, parameters);
  const Eigen::MatrixXf h1 = (((layers.w1 * inputs).colwise() + layers.b1).array().tanh()).matrix();
  const Eigen::MatrixXf h2 = (((layers.w2 * h1).colwise() + layers.b2).array().tanh()).matrix();
  const Eigen::MatrixXf error = ((layers.w3 * h2).colwise() + layers.b3) - outputs;
  const auto count = static_cast<double>(inputs.cols());
  const double squares =
      static_cast<double>(layers.w1.squaredNorm()) + layers.w2.squaredNorm() + layers.w3.squaredNorm();
  const double loss = static_cast<double>(error.squaredNorm()) / count + weight_decay * squares;
  if (gradient == nullptr) return loss;
  gradient->resize(parameters.size());
  Layers<Eigen::VectorXf> g(shape, *gradient);
  const auto scale = static_cast<float>(1.0 / count), decay = static_cast<float>(weight_decay);
  g.w3.noalias() = scale * error * h2.transpose();
  g.w3 += decay * layers.w3;
  g.b3 = scale * error.rowwise().sum();
  const Eigen::MatrixXf d2 = ((layers.w3.transpose() * error).array() * (1 - h2.array().square())).matrix();
  g.w2.noalias() = scale * d2 * h1.transpose();
  g.w2 += decay * layers.w2;
  g.b2 = scale * d2.rowwise().sum();
  const Eigen::MatrixXf d1 = ((layers.w2.transpose() * d2).array() * (1 - h1.array().square())).matrix();
  g.w1.noalias() = scale * d1 * inputs.transpose();
  g.w1 += decay * layers.w1;
  g.b1 = scale * d1.rowwise().sum();
  return loss;
}

void train_network(const Eigen::MatrixXf& inputs, const Eigen::MatrixXf& outputs, const NetworkTraining& options,
                   CorrectiveNetwork& network) {
  const Eigen::Index samples = inputs.cols();
  // Inputs to unit variance each; outputs by one common scale, so that large values count as much more as they matter.
  const Eigen::VectorXf input_mean = inputs.rowwise().mean(), output_mean = outputs.rowwise().mean();
  Eigen::VectorXf input_scale =
      ((inputs.colwise() - input_mean).rowwise().squaredNorm() / static_cast<float>(samples)).cwiseSqrt();
  for (float& s : input_scale) s = s > 1e-4f ? 1 / s : 0.0f;
  const float spread = std::sqrt((outputs.colwise() - output_mean).squaredNorm() / static_cast<float>(samples));
  const float output_scale = spread > 0 ? spread : 1.0f;

  Fit fit;
  fit.shape = {static_cast<int>(inputs.rows()), options.hidden, static_cast<int>(outputs.rows())};
  fit.weight_decay = options.weight_decay;
  // Neighbouring frames look alike: whole runs are held back, or nothing would be learnt from it.
  const Eigen::Index run = 8;
  const auto every =
      options.held_back > 0 ? static_cast<Eigen::Index>(std::lround(1 / options.held_back)) : samples + 1;
  std::vector<Eigen::Index> kept, held;
  for (Eigen::Index i = 0; i < samples; ++i)
    ((i / run) % every == every - 1 && samples > 40 ? held : kept).push_back(i);
  const auto gather = [&](const std::vector<Eigen::Index>& chosen, Eigen::MatrixXf& x, Eigen::MatrixXf& y) {
    x.resize(inputs.rows(), static_cast<Eigen::Index>(chosen.size()));
    y.resize(outputs.rows(), x.cols());
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
      const Eigen::Index from = chosen[static_cast<std::size_t>(i)];
      x.col(i) = (inputs.col(from) - input_mean).cwiseProduct(input_scale);
      y.col(i) = (outputs.col(from) - output_mean) / output_scale;
    }
  };
  gather(kept, fit.inputs, fit.outputs);
  gather(held, fit.held_inputs, fit.held_outputs);

  Random random(options.seed);
  Eigen::VectorXf x = first_guess(fit.shape, random);
  fit.best = x;
  run_adam(fit, options, random, x);
  run_lbfgs(fit, options, x);

  const Layers<const Eigen::VectorXf> layers(fit.shape, fit.best);
  network.weights = {layers.w1 * input_scale.asDiagonal(), layers.w2, output_scale * layers.w3};
  network.biases[0] = layers.b1 - network.weights[0] * input_mean;
  network.biases[1] = layers.b2;
  network.biases[2] = output_scale * layers.b3 + output_mean;
}

}  // namespace sinew
