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
    examples.heat_distance.push_back(static_cast<float>(random.uniform(0, 0.6)));
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
  const RefinerTraining options{.cross_entropy = 0.3, .reluctance = 1.5, .large_errors = 0.1};
  std::vector<float> slopes;
  refiner_loss(network, examples, options, &slopes);
  const std::vector<float> parameters = parameters_of(network);
  ASSERT_EQ(slopes.size(), parameters.size());
  const float step = 5e-4f;
  int compared = 0;
  for (std::size_t p = 0; p < parameters.size(); p += 1 + p / 40) {
    std::vector<float> moved = parameters;
    moved[p] += step;
    set_parameters(moved, network);
    const double up = refiner_loss(network, examples, options, nullptr);
    moved[p] -= 2 * step;
    set_parameters(moved, network);
    const double down = refiner_loss(network, examples, options, nullptr);
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

// A model of two members and two experts, all of them different, that knows three characters.
WeightModel random_model() {
  WeightModel model;
  model.members = {random_network(8, 1), random_network(8, 2)};
  model.experts = {random_network(8, 3), random_network(8, 4)};
  std::vector<Eigen::RowVectorXf> points;
  for (int i = 0; i < 3; ++i) {
    points.push_back(Eigen::RowVectorXf::Constant(candidate_feature_count, static_cast<float>(i)));
  }
  model.known = make_known_characters(points);
  model.description = "{}";
  return model;
}

// Per row: bone heat, summing to 1 over a vertex.
std::vector<float> whole_heat(const CandidateBatch& batch) {
  std::vector<float> heat = batch.heat;
  for (std::size_t v = 0; v < batch.vertex_count(); ++v) {
    float sum = 0;
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) sum += heat[row];
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) heat[row] /= sum;
  }
  return heat;
}

TEST(WeightModel, OnAStrangeCharacterOnlyWhatExpertsAgreeOnIsChanged) {
  const CandidateBatch batch = random_examples(60, 8).batch;
  WeightModel model = random_model();
  const std::vector<float> heat = whole_heat(batch);
  const std::vector<float> first = run_refiner(model.experts[0], batch).weights;
  const std::vector<float> second = run_refiner(model.experts[1], batch).weights;
  const std::vector<float> weights = weigh(model, batch, 1);
  int opposed = 0;
  for (std::size_t v = 0; v < batch.vertex_count(); ++v) {
    float sum = 0, kept = 0;
    bool all_opposed = true;
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) {
      sum += weights[row];
      kept = std::max(kept, std::abs(weights[row] - heat[row]));
      all_opposed = all_opposed && (first[row] > heat[row]) != (second[row] > heat[row]);
    }
    EXPECT_NEAR(sum, 1, 1e-5);
    opposed += all_opposed;
    if (all_opposed) {
      EXPECT_LT(kept, 0.01f) << "vertex " << v;
    }
  }
  EXPECT_GT(opposed, 0);
  model.experts[1] = model.experts[0];
  const std::vector<float> agreed = weigh(model, batch, 1);
  for (std::size_t row = 0; row < agreed.size(); ++row) EXPECT_NEAR(agreed[row], first[row], 0.01f);
}

TEST(WeightModel, OnAKnownCharacterMembersAnswer) {
  const CandidateBatch batch = random_examples(20, 8).batch;
  const WeightModel model = random_model();
  const std::vector<float> first = run_refiner(model.members[0], batch).weights;
  const std::vector<float> second = run_refiner(model.members[1], batch).weights;
  const std::vector<float> weights = weigh(model, batch, 0), nearly = weigh(model, batch, 1e-6f);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    EXPECT_NEAR(weights[row], (first[row] + second[row]) / 2, 1e-6f);
    EXPECT_NEAR(nearly[row], weights[row], 0.01f) << "there is no jump";
  }
}

TEST(WeightModel, StrangenessGrowsWithTheDistanceFromKnownCharacters) {
  const KnownCharacters known = random_model().known;
  const auto at = [&](float place, const std::vector<char>& counts = {}) {
    return known.strangeness(Eigen::RowVectorXf::Constant(candidate_feature_count, place), counts);
  };
  EXPECT_EQ(at(50), 1);
  EXPECT_LE(at(1), at(2.5f));
  EXPECT_EQ(at(0, {1, 0, 0}), 0) << "it is that character";
  EXPECT_EQ(at(0, {0, 0, 0}), 1) << "nothing is known";
}

TEST(WeightModel, SurvivesItsFileAndRefusesDamagedOnes) {
  const WeightModel model = random_model();
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

TEST(WeightRefiner, ReluctanceCountsOnlyWhereHeatWasCloser) {
  RefinerExamples examples = random_examples(12, 5);
  const RefinerNetwork network = random_network(6, 9);
  const auto loss = [&](double reluctance) {
    return refiner_loss(network, examples, {.reluctance = reluctance}, nullptr);
  };
  std::fill(examples.heat_distance.begin(), examples.heat_distance.end(), 100.0f);
  EXPECT_EQ(loss(0), loss(5)) << "heat is far off everywhere";
  std::fill(examples.heat_distance.begin(), examples.heat_distance.end(), 0.0f);
  EXPECT_GT(loss(5), 2 * loss(0)) << "heat is right everywhere";
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

TEST(Auto, ChainsAreCountedFromTheirFirstJoint) {
  const Character bar = test::bar(4, 0.3, 24, 9, 5);
  Warnings warnings;
  const BindInput input = make_bind_input(bar, {}, warnings);
  const CandidateFeatures features(input, {}, warnings);
  int place = 0, length = 0;
  for (int j = 0; j < input.joint_count(); ++j) length += input.takes_weight[j];
  for (int j = 0; j < input.joint_count(); ++j) {
    if (!input.takes_weight[j]) continue;
    EXPECT_EQ(features.joints()[j].chain_place, place++);
    EXPECT_EQ(features.joints()[j].chain_length, length);
  }
}

TEST(WeightTrainer, SaysHowEachGroupFaresThatWasLeftOut) {
  WeightTrainer trainer({.vertices = 60, .epochs = 4, .hidden = 8, .members = 2});
  Warnings warnings;
  for (int i = 0; i < 6; ++i) trainer.add(painted_bar(2 + i % 3, i), i < 4 ? "a" : "b", warnings);
  const TrainedWeights trained = trainer.train();
  ASSERT_EQ(trained.unseen.size(), 2u);
  EXPECT_EQ(trained.unseen[0].group, "a");
  EXPECT_EQ(trained.unseen[0].characters, 4u);
  EXPECT_EQ(trained.unseen[1].characters, 2u);
  double sum = 0;
  for (const UnseenGroup& group : trained.unseen) {
    EXPECT_GE(group.worst, group.ratio);
    sum += static_cast<double>(group.characters) * std::log(group.ratio);
  }
  EXPECT_NEAR(std::exp(sum / 6), trained.unseen_ratio, 1e-9);
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
