#include "sinew/weights/auto/auto_weights.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t vertices_per_report = 8192, vertices_at_once = 64;
constexpr float surely_rigid = 0.9f;       // chance from which on a piece is kept rigid
constexpr float much_strangeness = 0.5f;   // from which on it is said
constexpr std::size_t most_sampled = 400;  // vertices that show what kind of character it is

CandidateBatch describe_vertices(const CandidateFeatures& features, std::size_t begin, std::size_t end,
                                 std::vector<VertexCandidates>& candidates) {
  CandidateBatch batch;
  batch.begin = {0};
  candidates.clear();
  for (std::size_t v = begin; v < end; ++v) {
    const VertexCandidates& set = candidates.emplace_back(features.candidates(v));
    batch.begin.push_back(batch.begin.back() + set.count);
    batch.heat.insert(batch.heat.end(), set.heat.begin(), set.heat.begin() + set.count);
  }
  batch.features.resize(batch.begin.back(), candidate_feature_count);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto first = static_cast<std::size_t>(batch.begin[i]) * candidate_feature_count;
    const auto count = static_cast<std::size_t>(candidates[i].count) * candidate_feature_count;
    features.describe(begin + i, candidates[i], {batch.features.data() + first, count});
  }
  return batch;
}

// The character as KnownCharacters sees it.
float strangeness_of(const CandidateFeatures& features, const KnownCharacters& known) {
  const std::size_t vertices = features.input().vertex_count(), count = std::min(vertices, most_sampled);
  if (count == 0) return 1;
  Eigen::RowVectorXf sum = Eigen::RowVectorXf::Zero(candidate_feature_count);
  std::vector<VertexCandidates> candidates;
  Eigen::Index rows = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t v = i * vertices / count;
    const CandidateBatch batch = describe_vertices(features, v, v + 1, candidates);
    sum += batch.features.colwise().sum();
    rows += batch.features.rows();
  }
  return known.strangeness(sum / static_cast<float>(rows));
}

// Softmax never reaches zero: what an artist would not have painted is left out.
void keep_what_counts(const VertexCandidates& candidates, std::span<const float> row, double least,
                      std::vector<Influence>& influences) {
  influences.clear();
  const float most = *std::max_element(row.begin(), row.end());
  const float limit = std::min(static_cast<float>(least), 0.5f * most);
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (row[c] > limit) influences.push_back({candidates.joints[c], row[c]});
  }
}

}  // namespace

SkinWeights auto_weights(const BindInput& input, const WeightModel& model, const AutoOptions& options,
                         const Progress& progress, Warnings& warnings) {
  const CandidateFeatures features(input, progress.part(0.0, 0.6), warnings);
  SkinWeights weights = make_skin_weights(input.vertex_count(), input.max_influences);
  const float strangeness = strangeness_of(features, model.known), caution = caution_for(strangeness);
  for (std::size_t first = 0; first < input.vertex_count(); first += vertices_per_report) {
    progress(0.6 + 0.4 * static_cast<double>(first) / static_cast<double>(input.vertex_count()), "weighing joints");
    const std::size_t count = std::min(vertices_per_report, input.vertex_count() - first);
    parallel_for(count, vertices_at_once, [&](std::size_t begin, std::size_t end) {
      std::vector<VertexCandidates> candidates;
      const CandidateBatch batch = describe_vertices(features, first + begin, first + end, candidates);
      const std::vector<float> weighed = weigh(model, batch, caution);
      std::vector<Influence> influences;
      for (std::size_t i = 0; i < end - begin; ++i) {
        const auto row = static_cast<std::size_t>(batch.begin[i]), size = static_cast<std::size_t>(candidates[i].count);
        keep_what_counts(candidates[i], std::span(weighed).subspan(row, size), options.least, influences);
        set_influences(weights, first + begin + i, influences);
      }
    });
  }
  hold_rigid_pieces(input, features.pieces(), model.rigidity, surely_rigid, weights);
  if (strangeness > much_strangeness) {
    warnings.push_back(
        {"unlike-training",
         "the character is unlike those that the weights were learned from; bone heat was changed mostly "
         "where all learned styles agree"});
  }
  return weights;
}

WeightMethod auto_method() {
  const AutoOptions defaults;
  WeightMethod method;
  method.name = "auto";
  method.summary = "bone heat corrected by what was learned from artists' weights";
  method.inputs = {MethodInput::weight_model};
  method.options = {{"least", defaults.least, "weights below this share are left out", 0.0, 0.3, {}}};
  method.solve = [](const BindInput& input, const MethodInputs& inputs, const OptionValues& values,
                    const Progress& progress) {
    MethodResult result;
    const WeightModel& model = inputs.weight_model ? *inputs.weight_model : WeightModel::shipped();
    result.weights = auto_weights(input, model, {option<double>(values, "least")}, progress, result.warnings);
    return result;
  };
  return method;
}

}  // namespace sinew
