#include "sinew/weights/auto/piece_rigidity.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double rigid_spread = 0.03;  // of the artist's weights within a piece, up to which it is rigid
constexpr int newton_steps = 25;
constexpr double ridge = 1e-2;  // keeps the slopes finite where a sign separates the examples

float largest_of(const std::vector<float>& values) {
  return values.empty() ? 0.0f : *std::max_element(values.begin(), values.end());
}

float entropy_of(const std::vector<float>& values) {
  float sum = 0;
  for (const float value : values) {
    if (value > 0) sum -= value * std::log(value);
  }
  return sum;
}

using Coefficients = Eigen::Matrix<double, piece_sign_count + 1, 1>;  // the bias last

Coefficients with_one(const PieceRigidity& model, const PieceSigns& signs) {
  Coefficients x;
  for (int s = 0; s < piece_sign_count; ++s) x[s] = (signs[s] - model.mean[s]) * model.scale[s];
  x[piece_sign_count] = 1;
  return x;
}

}  // namespace

PieceSigns signs_of_piece(const BindInput& input, const PieceContacts& pieces, std::size_t piece) {
  const PieceFacts& facts = pieces[piece];
  const auto share = static_cast<float>(facts.vertices) / static_cast<float>(input.vertex_count());
  float holds = 0, warm_inside = 0;
  for (std::size_t j = 0; j < facts.holds_bone.size(); ++j) {
    holds += facts.holds_bone[j];
    if (facts.holds_bone[j]) warm_inside += facts.heat[j];
  }
  const auto spread = static_cast<float>(facts.spread);
  return {std::log(share),
          static_cast<float>(facts.size),
          static_cast<float>(facts.relative_size),
          std::log(static_cast<float>(facts.vertices)),
          spread,
          std::log(spread + 0.01f),
          largest_of(facts.heat),
          entropy_of(facts.heat),
          largest_of(facts.touched),
          static_cast<float>(facts.contact_share),
          static_cast<float>(std::min(facts.contact_distance, 0.1) * 10),
          std::min(holds, 6.0f),
          warm_inside,
          std::log(static_cast<float>(pieces.size()))};
}

float PieceRigidity::chance(const PieceSigns& signs) const {
  float sum = bias;
  for (int s = 0; s < piece_sign_count; ++s) sum += slope[s] * (signs[s] - mean[s]) * scale[s];
  return 1 / (1 + std::exp(-sum));
}

std::vector<PieceExample> make_piece_examples(const BindInput& input, const PieceContacts& pieces,
                                              const SkinWeights& truth) {
  std::vector<PieceExample> examples;
  if (pieces.size() < 2) return examples;
  const std::vector<std::vector<std::uint32_t>> vertices = vertices_of_pieces(input);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const double spread = weight_spread(truth, vertices[p], mean_weights(truth, vertices[p], input.joint_count()));
    const double share = static_cast<double>(pieces[p].vertices) / static_cast<double>(input.vertex_count());
    examples.push_back(
        {signs_of_piece(input, pieces, p), spread < rigid_spread ? 1.0f : 0.0f, static_cast<float>(std::sqrt(share))});
  }
  return examples;
}

// Newton's method: the loss is convex, so a few steps reach its lowest point.
PieceRigidity train_piece_rigidity(const std::vector<PieceExample>& examples) {
  PieceRigidity model;
  model.scale.fill(1);
  if (examples.empty()) return model;
  Coefficients sum = Coefficients::Zero(), squares = sum, coefficients = sum;
  double total = 0;
  for (const PieceExample& example : examples) {
    const Coefficients x = with_one(model, example.signs);
    sum += example.importance * x;
    squares += example.importance * x.cwiseAbs2();
    total += example.importance;
  }
  for (int s = 0; s < piece_sign_count; ++s) {
    const double mean = sum[s] / total;
    model.mean[s] = static_cast<float>(mean);
    model.scale[s] = static_cast<float>(1 / std::sqrt(std::max(squares[s] / total - mean * mean, 1e-6)));
  }
  for (int step = 0; step < newton_steps; ++step) {
    Coefficients slope = ridge * coefficients;
    Eigen::Matrix<double, piece_sign_count + 1, piece_sign_count + 1> curvature;
    curvature.setIdentity();
    curvature *= ridge;
    for (const PieceExample& example : examples) {
      const Coefficients x = with_one(model, example.signs);
      const double chance = 1 / (1 + std::exp(-coefficients.dot(x))), share = example.importance / total;
      slope += share * (chance - example.rigid) * x;
      curvature += share * chance * (1 - chance) * x * x.transpose();
    }
    coefficients -= curvature.ldlt().solve(slope);
  }
  for (int s = 0; s < piece_sign_count; ++s) model.slope[s] = static_cast<float>(coefficients[s]);
  model.bias = static_cast<float>(coefficients[piece_sign_count]);
  return model;
}

int hold_rigid_pieces(const BindInput& input, const PieceContacts& pieces, const PieceRigidity& rigidity,
                      float least_chance, SkinWeights& weights) {
  if (pieces.size() < 2) return 0;
  const std::vector<std::vector<std::uint32_t>> vertices = vertices_of_pieces(input);
  int held = 0;
  std::vector<Influence> influences;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (rigidity.chance(signs_of_piece(input, pieces, p)) <= least_chance) continue;
    influences.clear();
    const std::vector<float> mean = mean_weights(weights, vertices[p], input.joint_count());
    for (std::size_t j = 0; j < mean.size(); ++j) {
      if (mean[j] > 0) influences.push_back({static_cast<std::uint16_t>(j), mean[j]});
    }
    for (const std::uint32_t v : vertices[p]) set_influences(weights, v, influences);
    ++held;
  }
  return held;
}

PieceRigidity read_piece_rigidity(const NetworkFile& file) {
  PieceRigidity rigidity;
  const auto read = [&](const char* name, PieceSigns& values) {
    const std::vector<float>& stored = file.array(name, {piece_sign_count}).values;
    std::copy(stored.begin(), stored.end(), values.begin());
  };
  read("rigid.mean", rigidity.mean);
  read("rigid.scale", rigidity.scale);
  read("rigid.slope", rigidity.slope);
  rigidity.bias = file.array("rigid.bias", {1}).values[0];
  return rigidity;
}

void write_piece_rigidity(const PieceRigidity& rigidity, NetworkFile& file) {
  const auto write = [&](const char* name, const PieceSigns& values) {
    file.arrays[name] = {{piece_sign_count}, {values.begin(), values.end()}};
  };
  write("rigid.mean", rigidity.mean);
  write("rigid.scale", rigidity.scale);
  write("rigid.slope", rigidity.slope);
  file.arrays["rigid.bias"] = {{1}, {rigidity.bias}};
}

}  // namespace sinew
