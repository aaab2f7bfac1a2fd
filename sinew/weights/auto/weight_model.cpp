#include "sinew/weights/auto/weight_model.h"

#include <algorithm>
#include <cmath>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::uint32_t most_members = 16;

float mean_difference(const std::vector<RefinerPass>& answers, const Eigen::VectorXf& mean, int begin) {
  float sum = 0;
  for (const RefinerPass& answer : answers) {
    sum += (Eigen::Map<const Eigen::VectorXf>(answer.weights.data() + begin, mean.size()) - mean).lpNorm<1>();
  }
  return sum / static_cast<float>(answers.size());
}

}  // namespace

WeighedCandidates weigh(const WeightModel& model, const CandidateBatch& batch) {
  std::vector<RefinerPass> answers;
  for (const RefinerNetwork& member : model.members) answers.push_back(run_refiner(member, batch));
  WeighedCandidates result;
  result.weights.resize(batch.heat.size());
  result.doubt.resize(batch.vertex_count());
  for (std::size_t v = 0; v < batch.vertex_count(); ++v) {
    const int begin = batch.begin[v], count = batch.begin[v + 1] - begin;
    Eigen::VectorXf mean = Eigen::VectorXf::Zero(count);
    for (const RefinerPass& answer : answers) {
      mean += Eigen::Map<const Eigen::VectorXf>(answer.weights.data() + begin, count);
    }
    mean /= static_cast<float>(answers.size());
    const Eigen::Map<const Eigen::VectorXf> heat(batch.heat.data() + begin, count);
    const float warmth = heat.sum();
    const float doubt = warmth > 0 ? std::min(1.0f, model.caution * mean_difference(answers, mean, begin)) : 0.0f;
    result.doubt[v] = doubt;
    Eigen::Map<Eigen::VectorXf> weights(result.weights.data() + begin, count);
    weights = (1 - doubt) * mean;
    if (doubt > 0) weights += doubt / warmth * heat;
  }
  return result;
}

WeightModel parse_weight_model(std::span<const std::byte> bytes) {
  const NetworkFile file = parse_network_file(bytes);
  WeightModel model;
  model.description = file.description;
  const float members = file.array("members", {1}).values[0];
  if (!(members >= 1 && members <= most_members)) {
    throw Error(ErrorCode::network_invalid, "a weight model has 1 … 16 members");
  }
  model.caution = file.array("caution", {1}).values[0];
  if (!(model.caution >= 0)) throw Error(ErrorCode::network_invalid, "the caution of a weight model is not negative");
  for (int member = 0; member < static_cast<int>(members); ++member) {
    model.members.push_back(read_refiner(file, std::to_string(member) + "."));
  }
  return model;
}

std::vector<std::byte> to_bytes(const WeightModel& model) {
  NetworkFile file;
  file.description = model.description;
  file.arrays["members"] = {{1}, {static_cast<float>(model.members.size())}};
  file.arrays["caution"] = {{1}, {model.caution}};
  for (std::size_t member = 0; member < model.members.size(); ++member) {
    write_refiner(model.members[member], std::to_string(member) + ".", file);
  }
  return to_bytes(file);
}

}  // namespace sinew
