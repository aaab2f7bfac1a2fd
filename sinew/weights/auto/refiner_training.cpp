#include "sinew/weights/auto/refiner_training.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "sinew/base/adam.h"
#include "sinew/base/random.h"

namespace sinew {
namespace {

constexpr double least_heat_error = 2e-4;  // characters that heat gets right do not outweigh the others
constexpr float rounding = 0.01f;          // of the squared relative error: smooth where it is zero

// Every trained array of a network, in one order.
template <typename Network, typename Visit>
void visit_arrays(Network& network, Visit visit) {
  visit(network.first.data(), network.first.size());
  visit(network.first_bias.data(), network.first_bias.size());
  visit(network.second.data(), network.second.size());
  visit(network.from_mean.data(), network.from_mean.size());
  visit(network.from_largest.data(), network.from_largest.size());
  visit(network.second_bias.data(), network.second_bias.size());
  visit(network.last.data(), network.last.size());
  visit(&network.skip, Eigen::Index{1});
}

// Loss of all vertices and its slope by every logit.
double loss_of_weights(const RefinerExamples& examples, const std::vector<float>& weights,
                       const RefinerTraining& options, std::vector<float>& slopes) {
  const CandidateBatch& batch = examples.batch;
  const auto scale = static_cast<float>(1 / std::pow(std::max(examples.heat_error, least_heat_error), 2));
  const auto reluctance = static_cast<float>(options.reluctance), square = static_cast<float>(options.large_errors);
  const auto share = 1.0f / static_cast<float>(batch.vertex_count());
  const auto entropy_share = static_cast<float>(options.cross_entropy);
  slopes.assign(weights.size(), 0.0f);
  double loss = 0;
  for (std::size_t v = 0; v < batch.vertex_count(); ++v) {
    const int begin = batch.begin[v], count = batch.begin[v + 1] - begin;
    const Eigen::Map<const Eigen::VectorXf> w(weights.data() + begin, count),
        truth(examples.truth.data() + begin, count);
    const Eigen::Map<const NetMatrix> gram(examples.gram.data() + examples.gram_begin[v], count, count);
    const Eigen::VectorXf pull = scale * (gram * w);
    const float distance = std::sqrt(std::max(0.0f, w.dot(pull)) + rounding);
    const float of_heat = std::sqrt(scale * examples.heat_distance[v] * examples.heat_distance[v] + rounding);
    const float worse = std::max(0.0f, distance - of_heat);
    const float slope = 1 + 2 * square * distance + (worse > 0 ? reluctance : 0.0f);
    const Eigen::VectorXf by_weight = slope / distance * pull;
    const Eigen::ArrayXf entropy = truth.array() * (w.array().max(1e-7f)).log();
    loss += share * (distance + square * distance * distance + reluctance * worse - entropy_share * entropy.sum());
    Eigen::Map<Eigen::VectorXf>(slopes.data() + begin, count) =
        share *
        (w.cwiseProduct(by_weight - Eigen::VectorXf::Constant(count, w.dot(by_weight))) + entropy_share * (w - truth));
  }
  return loss;
}

// Slopes of the network's numbers from those of the logits.
RefinerNetwork backward(const RefinerNetwork& network, const CandidateBatch& batch, const RefinerPass& pass,
                        const std::vector<float>& by_logit) {
  RefinerNetwork slopes;
  const Eigen::Map<const Eigen::VectorXf> logits(by_logit.data(), static_cast<Eigen::Index>(by_logit.size()));
  slopes.last = pass.second.transpose() * logits;
  slopes.skip = 0;
  for (std::size_t row = 0; row < by_logit.size(); ++row) {
    slopes.skip += by_logit[row] * std::log(std::max(batch.heat[row], refiner_least_heat));
  }
  NetMatrix second = logits * network.last.transpose();
  second = (pass.second.array() > 0).select(second, 0.0f);
  NetMatrix context = NetMatrix::Zero(pass.mean.rows(), pass.mean.cols());
  for (Eigen::Index v = 0; v < context.rows(); ++v) {
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) context.row(v) += second.row(row);
  }
  slopes.second_bias = context.colwise().sum();
  slopes.second = multiply(pass.first.transpose(), second);
  slopes.from_mean = multiply(pass.mean.transpose(), context);
  slopes.from_largest = multiply(pass.largest.transpose(), context);
  NetMatrix first = multiply(second, network.second.transpose());
  const NetMatrix mean = multiply(context, network.from_mean.transpose());
  const NetMatrix largest = multiply(context, network.from_largest.transpose());
  for (Eigen::Index v = 0; v < context.rows(); ++v) {
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) first.row(row) += pass.share[row] * mean.row(v);
    for (Eigen::Index unit = 0; unit < first.cols(); ++unit) {
      int row = batch.begin[v];
      while (row + 1 < batch.begin[v + 1] && pass.first(row, unit) < pass.largest(v, unit)) ++row;
      first(row, unit) += largest(v, unit);
    }
  }
  first = (pass.first.array() > 0).select(first, 0.0f);
  slopes.first = multiply(pass.inputs.transpose(), first);
  slopes.first_bias = first.colwise().sum();
  return slopes;
}

void standardise(const std::vector<TrainingCharacter>& characters, RefinerNetwork& network) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(candidate_feature_count), squares = sum;
  double rows = 0;
  for (const TrainingCharacter& character : characters) {
    const Eigen::MatrixXd x = character.examples->batch.features.cast<double>();
    sum += x.colwise().sum();
    squares += x.cwiseAbs2().colwise().sum();
    rows += static_cast<double>(x.rows());
  }
  const Eigen::RowVectorXd mean = sum / rows;
  const Eigen::RowVectorXd deviation = (squares / rows - mean.cwiseAbs2()).cwiseMax(1e-6).cwiseSqrt();
  network.mean = mean.cast<float>();
  network.scale = deviation.cwiseInverse().cast<float>();
}

RefinerNetwork first_network(int hidden, Random& random) {
  RefinerNetwork network;
  const auto fill = [&](auto& matrix, Eigen::Index rows, Eigen::Index columns, double fan) {
    matrix.resize(rows, columns);
    for (Eigen::Index i = 0; i < matrix.size(); ++i) {
      matrix.data()[i] = static_cast<float>(std::sqrt(2 / fan) * random.normal());
    }
  };
  fill(network.first, candidate_feature_count, hidden, candidate_feature_count);
  network.first_bias.setZero(hidden);
  fill(network.second, hidden, hidden, 3.0 * hidden);
  fill(network.from_mean, hidden, hidden, 3.0 * hidden);
  fill(network.from_largest, hidden, hidden, 3.0 * hidden);
  network.second_bias.setZero(hidden);
  network.last.setZero(hidden);  // the first answer is bone heat
  return network;
}

// The same examples with joints whose names tell nothing.
RefinerExamples without_names(const RefinerExamples& examples) {
  RefinerExamples nameless = examples;
  nameless.batch.features.middleCols(role_feature_begin, role_feature_count).setZero();
  nameless.batch.features.col(role_feature_begin).setOnes();
  return nameless;
}

}  // namespace

std::vector<float> parameters_of(const RefinerNetwork& network) {
  std::vector<float> parameters;
  visit_arrays(network, [&](const float* values, Eigen::Index count) {
    parameters.insert(parameters.end(), values, values + count);
  });
  return parameters;
}

void set_parameters(const std::vector<float>& parameters, RefinerNetwork& network) {
  const float* from = parameters.data();
  visit_arrays(network, [&](float* values, Eigen::Index count) {
    std::copy_n(from, count, values);
    from += count;
  });
}

double refiner_loss(const RefinerNetwork& network, const RefinerExamples& examples, const RefinerTraining& options,
                    std::vector<float>* slopes) {
  const RefinerPass pass = run_refiner(network, examples.batch);
  std::vector<float> by_logit;
  const double loss = loss_of_weights(examples, pass.weights, options, by_logit);
  if (slopes) *slopes = parameters_of(backward(network, examples.batch, pass, by_logit));
  return loss;
}

double error_ratio(const WeightModel& model, const RefinerExamples& examples, float caution) {
  const std::vector<float> weighed = weigh(model, examples.batch, caution);
  double sum = 0;
  for (std::size_t v = 0; v < examples.batch.vertex_count(); ++v) {
    const int begin = examples.batch.begin[v], count = examples.batch.begin[v + 1] - begin;
    Eigen::VectorXf weights = Eigen::Map<const Eigen::VectorXf>(weighed.data() + begin, count);
    std::vector<float> ranked(weights.data(), weights.data() + count);
    std::sort(ranked.begin(), ranked.end(), std::greater<>());
    const float least = std::max(ranked.size() > 4 ? ranked[4] : 0.0f, std::min(0.03f, 0.5f * ranked[0]));
    weights = (weights.array() > least).select(weights, 0.0f);
    weights /= weights.sum();
    const Eigen::Map<const NetMatrix> gram(examples.gram.data() + examples.gram_begin[v], count, count);
    sum += std::sqrt(std::max(0.0f, weights.dot(gram * weights)));
  }
  return std::max(sum / static_cast<double>(examples.batch.vertex_count()), 1e-6) /
         std::max(examples.heat_error, least_heat_error);
}

RefinerNetwork train_refiner(const std::vector<TrainingCharacter>& characters, const RefinerTraining& options,
                             const Progress& progress) {
  if (characters.empty()) throw Error(ErrorCode::training_data_invalid, "there is no character to learn from");
  Random random(options.seed);
  RefinerNetwork network = first_network(options.hidden, random);
  standardise(characters, network);
  std::vector<float> parameters = parameters_of(network), slopes, sum(parameters.size());
  Adam<float> adam(parameters.size());
  std::vector<std::size_t> order(characters.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto per_step = static_cast<std::size_t>(options.characters_per_step);
  const std::size_t steps = (order.size() + per_step - 1) / per_step * static_cast<std::size_t>(options.epochs);
  std::size_t step = 0;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    for (std::size_t begin = 0; begin < order.size(); begin += per_step, ++step) {
      progress(static_cast<double>(step) / static_cast<double>(steps), "training");
      std::fill(sum.begin(), sum.end(), 0.0f);
      const std::size_t end = std::min(begin + per_step, order.size());
      for (std::size_t i = begin; i < end; ++i) {
        const auto& [examples, importance] = characters[order[i]];
        const bool nameless = random.uniform() < options.hidden_names;
        refiner_loss(network, nameless ? without_names(*examples) : *examples, options, &slopes);
        const auto share = static_cast<float>(importance / static_cast<double>(end - begin));
        for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += share * slopes[p];
      }
      const double done = static_cast<double>(step) / static_cast<double>(steps);
      const double rate = options.rate * (0.505 + 0.495 * std::cos(std::numbers::pi * done));
      adam.step(sum, 1e-6);
      for (std::size_t p = 0; p < sum.size(); ++p) {
        parameters[p] -= static_cast<float>(rate) * (sum[p] + static_cast<float>(options.weight_decay) * parameters[p]);
      }
      set_parameters(parameters, network);
    }
  }
  progress(1.0, "training");
  return network;
}

}  // namespace sinew
