#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/weights/auto/refiner_training.h"

namespace sinew {
namespace {

// The first vertex of the character at each welded vertex.
std::vector<std::uint32_t> unwelded(const BindInput& input) {
  std::vector<std::uint32_t> first(input.vertex_count(), BindInput::not_bound);
  for (std::uint32_t v = 0; v < input.welded_of.size(); ++v) {
    const std::uint32_t to = input.welded_of[v];
    if (to != BindInput::not_bound && first[to] == BindInput::not_bound) first[to] = v;
  }
  return first;
}

// The artist's weights of the welded vertices.
SkinWeights welded_truth(const SkinWeights& truth, const std::vector<std::uint32_t>& original) {
  SkinWeights welded = make_skin_weights(original.size(), truth.influences);
  const auto slots = static_cast<std::size_t>(truth.influences);
  for (std::size_t v = 0; v < original.size(); ++v) {
    if (original[v] == BindInput::not_bound) continue;
    std::copy_n(truth.joints.begin() + original[v] * slots, slots, welded.joints.begin() + v * slots);
    std::copy_n(truth.weights.begin() + original[v] * slots, slots, welded.weights.begin() + v * slots);
  }
  return welded;
}

// Welded vertices to learn from: those that the artist gave weights.
std::vector<std::uint32_t> draw_vertices(const Character& character, const std::vector<std::uint32_t>& original,
                                         const RefinerExampleOptions& options) {
  const SkinWeights& truth = character.weights;
  std::vector<std::uint32_t> vertices;
  for (std::uint32_t v = 0; v < original.size(); ++v) {
    if (original[v] == BindInput::not_bound) continue;
    float sum = 0;
    for (int slot = 0; slot < truth.influences; ++slot) sum += truth.weights[original[v] * truth.influences + slot];
    if (sum > 0.99f && sum < 1.01f) vertices.push_back(v);
  }
  Random random(options.seed);
  const std::size_t count = std::min(vertices.size(), static_cast<std::size_t>(options.vertices));
  for (std::size_t i = 0; i < count; ++i) std::swap(vertices[i], vertices[i + random.below(vertices.size() - i)]);
  vertices.resize(count);
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

// The artist's weights on the candidates: a joint that is none gives to the nearest candidate above it.
// Returns what no candidate could take.
double truth_of(const SkinWeights& weights, std::size_t vertex, const std::vector<JointFacts>& joints,
                const VertexCandidates& candidates, std::span<float> truth) {
  std::fill(truth.begin(), truth.end(), 0.0f);
  float missed = 0, found = 0;
  for (int slot = 0; slot < weights.influences; ++slot) {
    const std::size_t at = vertex * weights.influences + slot;
    if (weights.weights[at] <= 0) continue;
    const auto end = candidates.joints.begin() + candidates.count;
    int joint = weights.joints[at];
    auto place = std::find(candidates.joints.begin(), end, joint);
    if (place == end) missed += weights.weights[at];
    while (place == end && joints[joint].parent >= 0) {
      joint = joints[joint].parent;
      place = std::find(candidates.joints.begin(), end, joint);
    }
    if (place == end) continue;
    truth[place - candidates.joints.begin()] += weights.weights[at];
    found += weights.weights[at];
  }
  if (found <= 0) {
    std::fill(truth.begin(), truth.end(), 1.0f / static_cast<float>(truth.size()));
  } else {
    for (float& weight : truth) weight /= found;
  }
  return missed;
}

using Transforms = std::vector<std::vector<Affine3d>>;  // per pose and joint

void add_gram(const Character& character, const BindInput& input, const Transforms& poses, std::uint32_t vertex,
              const VertexCandidates& candidates, std::vector<float>& gram) {
  const SkinWeights& truth = character.weights;
  const Vec3d point = character.mesh.positions[vertex].cast<double>();
  const int count = candidates.count;
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(count, count);
  Eigen::Matrix3Xd offsets(3, count);
  for (const std::vector<Affine3d>& transforms : poses) {
    Vec3d goal = Vec3d::Zero();
    double total = 0;
    for (int slot = 0; slot < truth.influences; ++slot) {
      const std::size_t at = static_cast<std::size_t>(vertex) * truth.influences + slot;
      if (truth.weights[at] <= 0) continue;
      goal += truth.weights[at] * (transforms[truth.joints[at]] * point);
      total += truth.weights[at];
    }
    goal /= total;
    for (int c = 0; c < count; ++c) offsets.col(c) = (transforms[candidates.joints[c]] * point - goal) / input.scale;
    sum += offsets.transpose() * offsets;
  }
  sum /= static_cast<double>(poses.size());
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) gram.push_back(static_cast<float>(sum(a, b)));
  }
}

void measure_heat(RefinerExamples& examples) {
  double sum = 0;
  for (std::size_t v = 0; v < examples.batch.vertex_count(); ++v) {
    const int begin = examples.batch.begin[v], count = examples.batch.begin[v + 1] - begin;
    const Eigen::Map<const Eigen::VectorXf> heat(examples.batch.heat.data() + begin, count);
    const Eigen::Map<const NetMatrix> gram(examples.gram.data() + examples.gram_begin[v], count, count);
    const Eigen::VectorXf weights = heat / std::max(heat.sum(), 1e-6f);
    examples.heat_distance.push_back(std::sqrt(std::max(0.0f, weights.dot(gram * weights))));
    sum += examples.heat_distance.back();
  }
  examples.heat_error = sum / static_cast<double>(std::max<std::size_t>(examples.batch.vertex_count(), 1));
}

}  // namespace

RefinerExamples make_refiner_examples(const Character& source, const std::vector<Pose>& poses,
                                      const RefinerExampleOptions& options) {
  if (!source.has_skin()) throw Error(ErrorCode::weights_missing, "'" + source.name + "' has no weights to learn from");
  if (poses.empty()) throw Error(ErrorCode::motion_missing, "there is no pose to measure weights in");
  Warnings warnings;
  const BindInput input = make_bind_input(source, {}, warnings);
  const CandidateFeatures features(input, {}, warnings);
  const std::vector<std::uint32_t> original = unwelded(input);
  const std::vector<std::uint32_t> vertices = draw_vertices(source, original, options);
  Transforms transforms;
  for (const Pose& pose : poses) transforms.push_back(skinning_transforms(source.skeleton, pose));

  RefinerExamples examples;
  CandidateBatch& batch = examples.batch;
  batch.begin = {0};
  examples.gram_begin = {0};
  std::vector<VertexCandidates> candidates;
  for (const std::uint32_t v : vertices) {
    candidates.push_back(features.candidates(v));
    batch.begin.push_back(batch.begin.back() + candidates.back().count);
  }
  batch.features.resize(batch.begin.back(), candidate_feature_count);
  examples.truth.resize(batch.begin.back());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const VertexCandidates& set = candidates[i];
    const auto first = static_cast<std::size_t>(batch.begin[i]), count = static_cast<std::size_t>(set.count);
    batch.heat.insert(batch.heat.end(), set.heat.begin(), set.heat.begin() + set.count);
    features.describe(vertices[i], set,
                      {batch.features.data() + first * candidate_feature_count, count * candidate_feature_count});
    examples.missed += truth_of(source.weights, original[vertices[i]], features.joints(), set,
                                std::span(examples.truth).subspan(first, count));
    add_gram(source, input, transforms, original[vertices[i]], set, examples.gram);
    examples.gram_begin.push_back(examples.gram.size());
  }
  examples.missed /= static_cast<double>(std::max<std::size_t>(vertices.size(), 1));
  measure_heat(examples);
  examples.pieces = make_piece_examples(input, features.pieces(), welded_truth(source.weights, original));
  return examples;
}

}  // namespace sinew
