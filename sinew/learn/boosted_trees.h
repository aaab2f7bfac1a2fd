// Small decisions over tables of numbers: which of a few answers a row of features belongs to, and how surely.
//
// Gradient-boosted trees of one fixed depth: every tree sorts a row into one of its leaves, the leaves' values add up
// to a score, and scores become probabilities. Friedman, "Greedy Function Approximation: A Gradient Boosting Machine"
// (2001), with the second-order steps of Chen and Guestrin, "XGBoost" (2016), section 2.
//
//   BoostedTrees trees = train_boosted_trees(table, answers, weights, {.answers = 2});
//   double likely = trees.probabilities(row)[1];
//
// Features need no scaling. A feature that is not known has one value that it never has otherwise (unknown_feature).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/learn/network_file.h"

namespace sinew {

inline constexpr float unknown_feature = -100.0f;

class BoostedTrees {
 public:
  // Arrays NAME.… of a file. Throws Error(bad_input) when they are missing or do not fit together.
  static BoostedTrees read(const NetworkFile& file, const std::string& name);
  void write(NetworkFile& file, const std::string& name) const;

  int features() const { return features_; }
  int answers() const { return answers_; }

  // One score per answer; their softmax are the probabilities. `row` has as many values as there are features.
  std::vector<double> scores(std::span<const float> row) const;
  std::vector<double> probabilities(std::span<const float> row) const;

  // Scores times `slope`, plus `shift` per answer, from now on: calibration (Platt, "Probabilistic Outputs for Support
  // Vector Machines", 1999).
  void calibrate(double slope, std::span<const double> shift);

 private:
  friend class TreeTrainer;

  int inner() const { return (1 << depth_) - 1; }
  int leaves() const { return 1 << depth_; }

  int features_ = 0, answers_ = 0, depth_ = 0;
  // Tree after tree, the trees of one round in the order of their answers. A row goes to the second child where its
  // feature is above the limit.
  std::vector<std::uint16_t> feature_;
  std::vector<float> limit_, value_;
  std::vector<float> start_;  // score of each answer before any tree
};

struct TreeTrainingOptions {
  int answers = 2;            // 2 … 64
  int rounds = 120;           // trees per answer
  int depth = 3;              // 1 … 8
  double rate = 0.1;          // share of every step that is taken
  double ridge = 1.0;         // keeps leaves of few rows small
  double least_weight = 2.0;  // of the rows in a leaf
  double row_share = 0.7;     // of the rows that a tree sees
  double feature_share = 0.5;
  std::uint64_t seed = 1;
};

// Rows of the same number of features.
struct FeatureTable {
  int columns = 0;
  std::vector<float> values;  // row after row

  std::size_t rows() const { return columns > 0 ? values.size() / static_cast<std::size_t>(columns) : 0; }
  std::span<const float> row(std::size_t i) const {
    return {values.data() + i * static_cast<std::size_t>(columns), static_cast<std::size_t>(columns)};
  }
};

// `answers`: of each row, 0 … options.answers - 1; `weights`: how much each row counts. Same bits at any thread count.
// Throws Error(bad_input) for tables that cannot be learned from.
BoostedTrees train_boosted_trees(const FeatureTable& table, std::span<const int> answers,
                                 std::span<const double> weights, const TreeTrainingOptions& options = {});

// Slope and shift (of the second answer) that turn scores of two answers, of rows that trained nothing, into honest
// probabilities. `margins`: second score less first.
struct Calibration {
  double slope = 1, shift = 0;
};
Calibration fit_calibration(std::span<const double> margins, std::span<const int> answers,
                            std::span<const double> weights);

}  // namespace sinew
