#include "sinew/learn/boosted_trees.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/random.h"
#include "sinew/error.h"

namespace sinew {
namespace {

struct Problem {
  FeatureTable table{3, {}};
  std::vector<int> answers;
  std::vector<double> weights;
};

// The answer depends on the first two features together; the third tells nothing.
Problem checkerboard(std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Problem problem;
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    for (const double value : {x, y, random.uniform()}) problem.table.values.push_back(static_cast<float>(value));
    problem.answers.push_back((x > 0) != (y > 0.2) ? 1 : 0);
    problem.weights.push_back(1);
  }
  return problem;
}

TEST(BoostedTrees, LearnWhatNoSingleFeatureTells) {
  const Problem seen = checkerboard(1500, 1), unseen = checkerboard(500, 2);
  const BoostedTrees trees = train_boosted_trees(seen.table, seen.answers, seen.weights, {.rounds = 60, .rate = 0.3});
  int right = 0;
  for (std::size_t i = 0; i < unseen.answers.size(); ++i) {
    const std::vector<double> likely = trees.probabilities(unseen.table.row(i));
    EXPECT_NEAR(likely[0] + likely[1], 1, 1e-9);
    right += (likely[1] > 0.5) == (unseen.answers[i] == 1);
  }
  EXPECT_GT(right, 460);
}

TEST(BoostedTrees, ThreeAnswers) {
  Random random(3);
  Problem problem;
  for (int i = 0; i < 900; ++i) {
    const double x = random.uniform(0, 3);
    for (const double value : {x, random.uniform(), 0.0}) problem.table.values.push_back(static_cast<float>(value));
    problem.answers.push_back(static_cast<int>(x));
    problem.weights.push_back(1);
  }
  const BoostedTrees trees =
      train_boosted_trees(problem.table, problem.answers, problem.weights, {.answers = 3, .rounds = 40});
  for (const float x : {0.5f, 1.5f, 2.5f}) {
    EXPECT_GT(trees.probabilities(std::vector<float>{x, 0.5f, 0.0f})[static_cast<std::size_t>(x)], 0.9) << x;
  }
}

// Flags and counts have few values, and hardly ever change exactly where a bin of as many rows would end.
TEST(BoostedTrees, LearnFromFeaturesOfFewValues) {
  for (const std::size_t rows : {601u, 640u, 997u}) {
    FeatureTable table{2, {}};
    std::vector<int> answers;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto axis = static_cast<float>(i % 6 == 0) - static_cast<float>(i % 6 == 1);  // -1, 0 or 1
      table.values.insert(table.values.end(), {axis, static_cast<float>(i % 7)});
      answers.push_back(axis > 0);
    }
    const BoostedTrees trees =
        train_boosted_trees(table, answers, std::vector<double>(rows, 1.0), {.rounds = 60, .feature_share = 1});
    for (const float axis : {-1.0f, 0.0f, 1.0f}) {
      EXPECT_EQ(trees.probabilities(std::vector<float>{axis, 3.0f})[1] > 0.5, axis > 0) << rows << " " << axis;
    }
  }
}

TEST(BoostedTrees, SameAgainAndThroughAFile) {
  const Problem problem = checkerboard(300, 4);
  const BoostedTrees first = train_boosted_trees(problem.table, problem.answers, problem.weights, {.rounds = 20});
  const BoostedTrees again = train_boosted_trees(problem.table, problem.answers, problem.weights, {.rounds = 20});
  NetworkFile file;
  first.write(file, "trees");
  const BoostedTrees read = BoostedTrees::read(parse_network_file(to_bytes(file)), "trees");
  for (std::size_t i = 0; i < problem.answers.size(); ++i) {
    EXPECT_EQ(first.scores(problem.table.row(i)), again.scores(problem.table.row(i)));
    EXPECT_EQ(first.scores(problem.table.row(i)), read.scores(problem.table.row(i)));
  }
}

TEST(BoostedTrees, CalibrationMakesScoresHonest) {
  // Scores three times too sure of themselves, and shifted.
  Random random(5);
  std::vector<double> margins, weights;
  std::vector<int> answers;
  for (int i = 0; i < 20000; ++i) {
    const double honest = random.normal();
    margins.push_back(3 * honest + 1);
    answers.push_back(random.uniform() < 1 / (1 + std::exp(-honest)) ? 1 : 0);
    weights.push_back(1);
  }
  const Calibration calibration = fit_calibration(margins, answers, weights);
  EXPECT_NEAR(calibration.slope, 1.0 / 3, 0.03);
  EXPECT_NEAR(calibration.shift, -1.0 / 3, 0.05);
}

TEST(BoostedTrees, WhatCannotBeIsRefused) {
  Problem problem = checkerboard(10, 6);
  EXPECT_THROW(train_boosted_trees({}, {}, {}, {}), Error);
  problem.answers[3] = 2;
  EXPECT_THROW(train_boosted_trees(problem.table, problem.answers, problem.weights, {}), Error);
  problem.answers[3] = 1;
  const BoostedTrees trees = train_boosted_trees(problem.table, problem.answers, problem.weights, {.rounds = 2});
  EXPECT_THROW(trees.scores(std::vector<float>{1.0f}), Error);
  NetworkFile file;
  trees.write(file, "trees");
  EXPECT_THROW(BoostedTrees::read(file, "others"), Error);
  NetworkFile deep = file;
  deep.arrays["trees.size"].values[2] = 40;
  EXPECT_THROW(BoostedTrees::read(deep, "trees"), Error);
  file.arrays["trees.features"].values[0] = 99;
  EXPECT_THROW(BoostedTrees::read(file, "trees"), Error);
}

}  // namespace
}  // namespace sinew
