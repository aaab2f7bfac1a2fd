#include "sinew/evaluate/weight_comparison.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t vertices_per_task = 1024;

struct VertexScore {
  double l1 = 0;
  double precision = -1;  // -1: the candidate has no influence here
  double recall = -1;     // -1: the truth has none
  bool same_dominant = false;
};

// Sums over the vertices for which `value` is not negative, and how many those are.
struct MeanOfKnown {
  double sum = 0;
  std::size_t count = 0;
  void add(double value) {
    if (value < 0) return;
    sum += value;
    ++count;
  }
  double mean() const { return count > 0 ? sum / count : 0.0; }
};

// Column of a candidate joint: its match in the truth, or a column behind the truth's joints.
std::vector<int> candidate_columns(const SkinPair& pair) {
  std::vector<int> columns = pair.joints.truth_of;
  for (std::size_t joint = 0; joint < columns.size(); ++joint) {
    if (columns[joint] < 0) columns[joint] = pair.truth_skeleton.joint_count() + static_cast<int>(joint);
  }
  return columns;
}

class VertexScorer {
 public:
  VertexScorer(const SkinPair& pair, double threshold)
      : pair_(pair), threshold_(threshold), columns_(candidate_columns(pair)) {}

  VertexScore operator()(std::size_t vertex) const {
    const SkinWeights& candidate = pair_.candidate;
    const SkinWeights& truth = pair_.truth;
    VertexScore score;
    int candidate_count = 0, truth_count = 0, common = 0;
    for (int slot = 0; slot < candidate.influences; ++slot) {
      const std::size_t at = vertex * candidate.influences + slot;
      const double weight = candidate.weights[at];
      if (weight == 0) continue;
      const int column = columns_[candidate.joints[at]];
      const double other = column < pair_.truth_skeleton.joint_count() ? truth.weight_of(vertex, column) : 0.0;
      score.l1 += std::abs(weight - other);
      candidate_count += weight > threshold_;
      common += weight > threshold_ && other > threshold_;
    }
    for (int slot = 0; slot < truth.influences; ++slot) {
      const std::size_t at = vertex * truth.influences + slot;
      const double weight = truth.weights[at];
      truth_count += weight > threshold_;
      if (weight > 0 && !candidate_has(vertex, truth.joints[at])) score.l1 += weight;
    }
    if (candidate_count > 0) score.precision = static_cast<double>(common) / candidate_count;
    if (truth_count > 0) score.recall = static_cast<double>(common) / truth_count;
    score.same_dominant =
        candidate_count > 0 && truth_count > 0 && dominant(candidate, vertex, true) == dominant(truth, vertex, false);
    return score;
  }

 private:
  bool candidate_has(std::size_t vertex, int column) const {
    const SkinWeights& candidate = pair_.candidate;
    for (int slot = 0; slot < candidate.influences; ++slot) {
      const std::size_t at = vertex * candidate.influences + slot;
      if (candidate.weights[at] != 0 && columns_[candidate.joints[at]] == column) return true;
    }
    return false;
  }

  // The strongest joint's column; of equally strong ones the smallest, so that the slots' order does not matter.
  int dominant(const SkinWeights& weights, std::size_t vertex, bool is_candidate) const {
    int best = -1;
    float best_weight = 0;
    for (int slot = 0; slot < weights.influences; ++slot) {
      const std::size_t at = vertex * weights.influences + slot;
      const int column = is_candidate ? columns_[weights.joints[at]] : weights.joints[at];
      if (weights.weights[at] > best_weight || (weights.weights[at] == best_weight && best >= 0 && column < best)) {
        best = column;
        best_weight = weights.weights[at];
      }
    }
    return best;
  }

  const SkinPair& pair_;
  double threshold_;
  std::vector<int> columns_;
};

}  // namespace

InfluenceCounts count_influences(const SkinWeights& weights, double threshold) {
  InfluenceCounts counts;
  std::size_t total = 0;
  for (std::size_t vertex = 0; vertex < weights.vertex_count(); ++vertex) {
    const auto begin = weights.weights.begin() + vertex * weights.influences;
    const auto count = std::count_if(begin, begin + weights.influences, [&](float w) { return w > threshold; });
    total += count;
    counts.maximum = std::max(counts.maximum, static_cast<int>(count));
  }
  counts.unweighted = count_unweighted(weights);
  if (weights.vertex_count() > 0) counts.mean = static_cast<double>(total) / weights.vertex_count();
  return counts;
}

WeightComparison compare_weights(const SkinPair& pair, double threshold) {
  WeightComparison result;
  result.vertices = pair.mesh.vertex_count();
  result.joints = static_cast<int>(
      std::count(pair.truth_skeleton.kinds.begin(), pair.truth_skeleton.kinds.end(), JointKind::joint));
  result.candidate = count_influences(pair.candidate, threshold);
  result.truth = count_influences(pair.truth, threshold);

  const VertexScorer score_vertex(pair, threshold);
  std::vector<VertexScore> scores(result.vertices);
  parallel_for(result.vertices, vertices_per_task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t vertex = begin; vertex < end; ++vertex) scores[vertex] = score_vertex(vertex);
  });
  MeanOfKnown l1, precision, recall, dominant;
  for (const VertexScore& score : scores) {
    l1.add(score.l1);
    precision.add(score.precision);
    recall.add(score.recall);
    dominant.add(score.same_dominant ? 1.0 : 0.0);
    result.l1_max = std::max(result.l1_max, score.l1);
  }
  result.l1 = l1.mean();
  result.l1_per_entry = result.joints > 0 ? result.l1 / result.joints : 0.0;
  result.precision = precision.mean();
  result.recall = recall.mean();
  result.dominant = dominant.mean();
  return result;
}

}  // namespace sinew
