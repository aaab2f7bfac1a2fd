// The learned method: its network, its training and what it does when it knows nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/random.h"
#include "sinew/train_weights.h"
#include "sinew/weights/auto/auto_weights.h"
#include "sinew/weights/auto/refiner_training.h"
#include "sinew/weights/heat/heat.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

RefinerNetwork random_network(int hidden, std::uint64_t seed) {
  Random random(seed);
  RefinerNetwork network;
  const auto fill = [&](auto& matrix, Eigen::Index rows, Eigen::Index columns, double size) {
    matrix.resize(rows, columns);
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(size * random.normal());
  };
  network.mean.setZero(candidate_feature_count);
  network.scale.setOnes(candidate_feature_count);
  fill(network.first, candidate_feature_count, hidden, 0.15);
  fill(network.first_bias, 1, hidden, 0.3);
  fill(network.second, hidden, hidden, 0.3);
  fill(network.from_mean, hidden, hidden, 0.3);
  fill(network.from_largest, hidden, hidden, 0.3);
  fill(network.second_bias, 1, hidden, 0.3);
  fill(network.last, hidden, 1, 0.4);
  network.skip = 0.8f;
  return network;
}

// Vertices with two to five candidates, random features, weights and poses.
RefinerExamples random_examples(int vertices, std::uint64_t seed) {
  Random random(seed);
  RefinerExamples examples;
  examples.batch.begin = {0};
  examples.gram_begin = {0};
  examples.heat_error = 0.3;
  for (int v = 0; v < vertices; ++v) {
    const int count = 2 + static_cast<int>(random.below(4));
    examples.batch.begin.push_back(examples.batch.begin.back() + count);
    float sum = 0;
    const std::size_t first = examples.truth.size();
    for (int c = 0; c < count; ++c) {
      examples.batch.heat.push_back(static_cast<float>(random.uniform(0.01, 1)));
      examples.truth.push_back(static_cast<float>(random.uniform(0.1, 1)));
      sum += examples.truth.back();
    }
    for (std::size_t i = first; i < examples.truth.size(); ++i) examples.truth[i] /= sum;
    const Eigen::MatrixXf places =
        Eigen::MatrixXf::NullaryExpr(6, count, [&] { return static_cast<float>(random.uniform(-1, 1)); });
    const Eigen::MatrixXf gram = places.transpose() * places;
    examples.gram.insert(examples.gram.end(), gram.data(), gram.data() + gram.size());
    examples.gram_begin.push_back(examples.gram.size());
  }
  examples.batch.features = NetMatrix::NullaryExpr(examples.batch.begin.back(), candidate_feature_count,
                                                   [&] { return static_cast<float>(random.normal()); });
  return examples;
}

// Bars of several joints with weights as an artist might paint them: much firmer than heat's.
Character painted_bar(int joints, std::uint64_t seed) {
  Random random(seed);
  Character bar = test::bar(4, random.uniform(0.2, 0.4), 28, 10, joints);
  bind_character(bar, {.method = "heat"});
  for (std::size_t v = 0; v < bar.mesh.vertex_count(); ++v) {
    std::vector<Influence> influences;
    for (int slot = 0; slot < bar.weights.influences; ++slot) {
      const std::size_t at = v * bar.weights.influences + slot;
      influences.push_back({bar.weights.joints[at], std::pow(static_cast<double>(bar.weights.weights[at]), 6.0)});
    }
    set_influences(bar.weights, v, influences);
  }
  return bar;
}

TEST(WeightRefiner, SlopesAgreeWithFiniteDifferences) {
  const RefinerExamples examples = random_examples(12, 5);
  RefinerNetwork network = random_network(6, 9);
  std::vector<float> slopes;
  refiner_loss(network, examples, 0.3, &slopes);
  const std::vector<float> parameters = parameters_of(network);
  ASSERT_EQ(slopes.size(), parameters.size());
  const float step = 3e-3f;
  int compared = 0;
  for (std::size_t p = 0; p < parameters.size(); p += 1 + p / 40) {
    std::vector<float> moved = parameters;
    moved[p] += step;
    set_parameters(moved, network);
    const double up = refiner_loss(network, examples, 0.3, nullptr);
    moved[p] -= 2 * step;
    set_parameters(moved, network);
    const double down = refiner_loss(network, examples, 0.3, nullptr);
    EXPECT_NEAR(slopes[p], (up - down) / (2 * step), 2e-3 + 0.03 * std::abs(slopes[p])) << "parameter " << p;
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(WeightRefiner, IsBoneHeatBeforeItHasLearned) {
  const RefinerExamples examples = random_examples(20, 3);
  RefinerNetwork network = random_network(8, 1);
  network.last.setZero();
  network.skip = 1;
  const RefinerPass pass = run_refiner(network, examples.batch);
  for (std::size_t v = 0; v < examples.batch.vertex_count(); ++v) {
    float sum = 0;
    for (int row = examples.batch.begin[v]; row < examples.batch.begin[v + 1]; ++row) sum += examples.batch.heat[row];
    for (int row = examples.batch.begin[v]; row < examples.batch.begin[v + 1]; ++row) {
      EXPECT_NEAR(pass.weights[row], examples.batch.heat[row] / sum, 1e-5);
    }
  }
}

TEST(WeightModel, MembersThatDisagreeLeaveItToHeat) {
  const RefinerExamples examples = random_examples(30, 8);
  WeightModel model;
  model.members = {random_network(8, 1), random_network(8, 1)};
  model.caution = 1000;
  for (const float doubt : weigh(model, examples.batch).doubt) EXPECT_NEAR(doubt, 0, 1e-3) << "they are the same";
  model.members[1] = random_network(8, 2);
  const WeighedCandidates weighed = weigh(model, examples.batch);
  for (std::size_t v = 0; v < examples.batch.vertex_count(); ++v) {
    EXPECT_EQ(weighed.doubt[v], 1);
    float sum = 0;
    for (int row = examples.batch.begin[v]; row < examples.batch.begin[v + 1]; ++row) sum += examples.batch.heat[row];
    for (int row = examples.batch.begin[v]; row < examples.batch.begin[v + 1]; ++row) {
      EXPECT_NEAR(weighed.weights[row], examples.batch.heat[row] / sum, 1e-5);
    }
  }
}

TEST(WeightModel, SurvivesItsFileAndRefusesDamagedOnes) {
  WeightModel model;
  model.members = {random_network(8, 1), random_network(8, 2)};
  model.caution = 3;
  model.description = "{}";
  const std::vector<std::byte> bytes = to_bytes(model);
  const WeightModel again = parse_weight_model(bytes);
  EXPECT_EQ(to_bytes(again), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 30) {
    EXPECT_THROW(parse_weight_model(std::span(bytes).first(size)), Error) << size;
  }
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::byte> damaged = bytes;
    damaged[random.below(400)] ^= static_cast<std::byte>(1u << random.below(8));
    try {
      const WeightModel read = parse_weight_model(damaged);
      EXPECT_GE(read.members.size(), 1u);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_input);
    }
  }
}

TEST(Auto, CandidatesHoldWhatHeatGives) {
  const Character bar = test::bar(4, 0.3, 24, 9, 4);
  Warnings warnings;
  const BindInput input = make_bind_input(bar, {}, warnings);
  const CandidateFeatures features(input, {}, warnings);
  const SkinWeights heat = heat_weights(input, {}, {}, warnings);
  for (std::size_t v = 0; v < input.vertex_count(); ++v) {
    const VertexCandidates set = features.candidates(v);
    ASSERT_GE(set.count, 1);
    for (int slot = 0; slot < heat.influences; ++slot) {
      const std::size_t at = v * heat.influences + slot;
      if (heat.weights[at] < 0.01f) continue;
      EXPECT_NE(std::find(set.joints.begin(), set.joints.begin() + set.count, heat.joints[at]),
                set.joints.begin() + set.count);
    }
    std::vector<float> rows(static_cast<std::size_t>(set.count) * candidate_feature_count, NAN);
    features.describe(v, set, rows);
    for (const float number : rows) EXPECT_TRUE(std::isfinite(number));
  }
}

TEST(Auto, LearnsAStyleAndKeepsItOnOtherCharacters) {
  WeightTrainer trainer({.vertices = 150, .epochs = 40, .hidden = 16, .members = 2});
  Warnings warnings;
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(trainer.add(painted_bar(2 + i % 3, i), "bars", warnings));
  const TrainedWeights trained = trainer.train();
  EXPECT_LT(trained.unseen_ratio, 0.5);
  const auto model = read_weight_model(trained.model);
  const Character truth = painted_bar(4, 77);
  Character learned = truth, heat = truth;
  bind_character(learned, {.method = "auto", .weight_model = model.get()});
  bind_character(heat, {.method = "heat"});
  const auto difference = [&](const Character& other) {
    return (densify(other.weights, truth.skeleton.joint_count()) - densify(truth.weights, truth.skeleton.joint_count()))
        .cwiseAbs()
        .mean();
  };
  EXPECT_LT(difference(learned), 0.5 * difference(heat));
}

TEST(WeightTrainer, LeavesOutWhatItCannotLearnFromAndWhatIsMeasuredOn) {
  WeightTrainer trainer;
  Warnings warnings;
  trainer.keep_apart(painted_bar(3, 1));
  EXPECT_FALSE(trainer.add(painted_bar(3, 1), "bars", warnings));
  EXPECT_EQ(warnings.back().code, "kept-apart");
  EXPECT_FALSE(trainer.add(test::bar(4, 0.37, 24, 9, 3), "bars", warnings));
  EXPECT_EQ(warnings.back().code, "not-learned-from");
  EXPECT_THROW(trainer.train(), Error);
  EXPECT_THROW(WeightTrainer({.members = 0}), Error);
}

}  // namespace
}  // namespace sinew
