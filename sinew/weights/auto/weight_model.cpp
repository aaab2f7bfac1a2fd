#include "sinew/weights/auto/weight_model.h"

#include <algorithm>
#include <cmath>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr std::uint32_t most_networks = 16;
constexpr float least_weight = 1e-3f;  // below it, changes of a weight tell nothing
// Distances between characters, root mean square over the features. Chosen on training studios that were left out.
constexpr float like = 0.4f, unlike = 0.6f;
constexpr float most_caution = 0.75f;    // chosen there too: more of it gives away what holds for other studios
constexpr float largest_difference = 3;  // that counts in one feature
constexpr std::size_t nearest_taught = 3;

std::vector<std::vector<float>> answers_of(const std::vector<RefinerNetwork>& networks, const CandidateBatch& batch) {
  std::vector<std::vector<float>> answers;
  for (const RefinerNetwork& network : networks) answers.push_back(run_refiner(network, batch).weights);
  return answers;
}

std::vector<float> mean_of(const std::vector<std::vector<float>>& answers) {
  std::vector<float> mean(answers[0].size(), 0.0f);
  for (const std::vector<float>& answer : answers) {
    for (std::size_t row = 0; row < mean.size(); ++row) mean[row] += answer[row] / static_cast<float>(answers.size());
  }
  return mean;
}

float log_change(float weight, float heat) { return std::log((weight + least_weight) / (heat + least_weight)); }

// The smallest change if all go the same way, otherwise none.
float common_change(const std::vector<std::vector<float>>& answers, std::size_t row, float heat) {
  float least = 1e30f, most = -1e30f;
  for (const std::vector<float>& answer : answers) {
    const float change = log_change(answer[row], heat);
    least = std::min(least, change);
    most = std::max(most, change);
  }
  return least > 0 ? least : most < 0 ? most : 0.0f;
}

std::vector<RefinerNetwork> read_networks(const NetworkFile& file, const std::string& kind) {
  const float count = file.array(kind + "s", {1}).values[0];
  if (!(count >= 1 && count <= most_networks)) {
    throw Error(ErrorCode::network_invalid, "a weight model has 1 … 16 " + kind + "s");
  }
  std::vector<RefinerNetwork> networks;
  for (int i = 0; i < static_cast<int>(count); ++i) {
    networks.push_back(read_refiner(file, kind + std::to_string(i) + "."));
  }
  return networks;
}

void write_networks(const std::vector<RefinerNetwork>& networks, const std::string& kind, NetworkFile& file) {
  file.arrays[kind + "s"] = {{1}, {static_cast<float>(networks.size())}};
  for (std::size_t i = 0; i < networks.size(); ++i) write_refiner(networks[i], kind + std::to_string(i) + ".", file);
}

KnownCharacters read_known(const NetworkFile& file) {
  constexpr std::uint32_t columns = candidate_feature_count;
  const auto points = file.arrays.find("known.points");
  if (points == file.arrays.end() || points->second.shape.size() != 2 || points->second.shape[0] == 0) {
    throw Error(ErrorCode::network_invalid, "this is not a weight model: array 'known.points' is missing");
  }
  const std::uint32_t rows = points->second.shape[0];
  const auto row = [&](const char* name) {
    return Eigen::RowVectorXf(Eigen::Map<const Eigen::RowVectorXf>(file.array(name, {columns}).values.data(), columns));
  };
  return {row("known.mean"), row("known.scale"),
          Eigen::Map<const NetMatrix>(file.array("known.points", {rows, columns}).values.data(), rows, columns)};
}

void write_known(const KnownCharacters& known, NetworkFile& file) {
  constexpr std::uint32_t columns = candidate_feature_count;
  const auto put = [&](const char* name, std::vector<std::uint32_t> shape, const auto& values) {
    file.arrays[name] = {std::move(shape), {values.data(), values.data() + values.size()}};
  };
  put("known.mean", {columns}, known.mean);
  put("known.scale", {columns}, known.scale);
  put("known.points", {static_cast<std::uint32_t>(known.points.rows()), columns}, known.points);
}

}  // namespace

KnownCharacters make_known_characters(const std::vector<Eigen::RowVectorXf>& points) {
  KnownCharacters known;
  known.points.resize(static_cast<Eigen::Index>(points.size()), candidate_feature_count);
  for (std::size_t i = 0; i < points.size(); ++i) known.points.row(static_cast<Eigen::Index>(i)) = points[i];
  known.mean = known.points.colwise().mean();
  known.points.rowwise() -= known.mean;
  known.scale = known.points.cwiseAbs2().colwise().mean().cwiseMax(1e-8f).cwiseSqrt().cwiseInverse();
  known.points.array().rowwise() *= known.scale.array();
  return known;
}

float KnownCharacters::strangeness(const Eigen::RowVectorXf& point, const std::vector<char>& counts) const {
  const Eigen::RowVectorXf there = (point - mean).cwiseProduct(scale);
  std::vector<float> squares;
  for (Eigen::Index i = 0; i < points.rows(); ++i) {
    if (!counts.empty() && !counts[i]) continue;
    squares.push_back((points.row(i) - there).cwiseAbs2().cwiseMin(largest_difference * largest_difference).mean());
  }
  if (squares.empty()) return 1;
  std::sort(squares.begin(), squares.end());
  const std::size_t near = std::min(nearest_taught, squares.size());
  float sum = 0;
  for (std::size_t i = 0; i < near; ++i) sum += squares[i];
  return std::clamp((std::sqrt(sum / static_cast<float>(near)) - like) / (unlike - like), 0.0f, 1.0f);
}

float caution_for(float strangeness) { return std::min(strangeness, most_caution); }

std::vector<float> weigh(const WeightModel& model, const CandidateBatch& batch, float caution) {
  if (caution <= 0) return mean_of(answers_of(model.members, batch));
  const std::vector<std::vector<float>> experts = answers_of(model.experts, batch);
  const std::vector<float> members =
      caution < 1 ? mean_of(answers_of(model.members, batch)) : std::vector<float>(batch.heat.size(), 0.0f);
  std::vector<float> weights(batch.heat.size());
  for (std::size_t v = 0; v < batch.vertex_count(); ++v) {
    const int begin = batch.begin[v], end = batch.begin[v + 1];
    float warmth = 0, sum = 0;
    for (int row = begin; row < end; ++row) warmth += batch.heat[row];
    for (int row = begin; row < end; ++row) {
      const float heat = warmth > 0 ? batch.heat[row] / warmth : 1.0f / static_cast<float>(end - begin);
      float change = caution * common_change(experts, row, heat);
      if (caution < 1) change += (1 - caution) * log_change(members[row], heat);
      sum += weights[row] = (heat + least_weight) * std::exp(change);
    }
    for (int row = begin; row < end; ++row) weights[row] /= sum;
  }
  return weights;
}

WeightModel parse_weight_model(std::span<const std::byte> bytes) {
  const NetworkFile file = parse_network_file(bytes);
  WeightModel model;
  model.description = file.description;
  model.members = read_networks(file, "member");
  model.experts = read_networks(file, "expert");
  model.known = read_known(file);
  model.rigidity = read_piece_rigidity(file);
  return model;
}

std::vector<std::byte> to_bytes(const WeightModel& model) {
  NetworkFile file;
  file.description = model.description;
  write_networks(model.members, "member", file);
  write_networks(model.experts, "expert", file);
  write_known(model.known, file);
  write_piece_rigidity(model.rigidity, file);
  return to_bytes(file);
}

}  // namespace sinew
