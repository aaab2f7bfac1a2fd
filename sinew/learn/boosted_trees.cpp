#include "sinew/learn/boosted_trees.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/cancellation.h"
#include "sinew/base/random.h"
#include "sinew/error.h"

namespace sinew {
namespace {

void soften(std::vector<double>& scores) {
  const double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& s : scores) sum += s = std::exp(s - largest);
  for (double& s : scores) s /= sum;
}

}  // namespace

BoostedTrees BoostedTrees::read(const NetworkFile& file, const std::string& name) {
  const std::vector<float>& size = file.array(name + ".size", {4}).values;
  BoostedTrees trees;
  for (const float value : size) {
    if (!(value >= 1 && value <= 65535) || value != std::floor(value)) {
      throw Error(ErrorCode::network_invalid, "the sizes of the trees '" + name + "' cannot be");
    }
  }
  trees.features_ = static_cast<int>(size[0]);
  trees.answers_ = static_cast<int>(size[1]);
  trees.depth_ = static_cast<int>(size[2]);
  if (trees.depth_ > 8) throw Error(ErrorCode::network_invalid, "the trees '" + name + "' are too deep");
  const auto count = static_cast<std::uint32_t>(size[3]), inner = static_cast<std::uint32_t>(trees.inner());
  if (count % static_cast<std::uint32_t>(trees.answers_) != 0) {
    throw Error(ErrorCode::network_invalid, "the trees '" + name + "' are not as many for every answer");
  }
  for (const float feature : file.array(name + ".features", {count, inner}).values) {
    if (!(feature >= 0 && feature < size[0])) {
      throw Error(ErrorCode::network_invalid, "the trees '" + name + "' ask for a feature that is not there");
    }
    trees.feature_.push_back(static_cast<std::uint16_t>(feature));
  }
  trees.limit_ = file.array(name + ".limits", {count, inner}).values;
  trees.value_ = file.array(name + ".values", {count, static_cast<std::uint32_t>(trees.leaves())}).values;
  trees.start_ = file.array(name + ".start", {static_cast<std::uint32_t>(trees.answers_)}).values;
  return trees;
}

void BoostedTrees::write(NetworkFile& file, const std::string& name) const {
  const auto inner_count = static_cast<std::uint32_t>(inner()), leaf_count = static_cast<std::uint32_t>(leaves());
  const auto count = static_cast<std::uint32_t>(value_.size() / leaf_count);
  file.arrays[name + ".size"] = {{4},
                                 {static_cast<float>(features_), static_cast<float>(answers_),
                                  static_cast<float>(depth_), static_cast<float>(count)}};
  file.arrays[name + ".features"] = {{count, inner_count}, std::vector<float>(feature_.begin(), feature_.end())};
  file.arrays[name + ".limits"] = {{count, inner_count}, limit_};
  file.arrays[name + ".values"] = {{count, leaf_count}, value_};
  file.arrays[name + ".start"] = {{static_cast<std::uint32_t>(answers_)}, start_};
}

std::vector<double> BoostedTrees::scores(std::span<const float> row) const {
  if (row.size() != static_cast<std::size_t>(features_)) {
    throw Error(ErrorCode::network_invalid,
                "trees for " + std::to_string(features_) + " features were given " + std::to_string(row.size()));
  }
  std::vector<double> result(start_.begin(), start_.end());
  const auto inner_count = static_cast<std::size_t>(inner()), leaf_count = static_cast<std::size_t>(leaves());
  for (std::size_t tree = 0; tree * leaf_count < value_.size(); ++tree) {
    std::size_t node = 0;
    while (node < inner_count) {
      const std::size_t at = tree * inner_count + node;
      node = 2 * node + (row[feature_[at]] > limit_[at] ? 2 : 1);
    }
    result[tree % static_cast<std::size_t>(answers_)] += value_[tree * leaf_count + node - inner_count];
  }
  return result;
}

std::vector<double> BoostedTrees::probabilities(std::span<const float> row) const {
  std::vector<double> result = scores(row);
  soften(result);
  return result;
}

void BoostedTrees::calibrate(double slope, std::span<const double> shift) {
  for (float& value : value_) value = static_cast<float>(slope * value);
  for (std::size_t k = 0; k < start_.size(); ++k) start_[k] = static_cast<float>(slope * start_[k] + shift[k]);
}

// Grows the trees. Features are put into at most 64 bins of about as many rows each, so that a split is looked for among
// 63 limits.
class TreeTrainer {
 public:
  TreeTrainer(const FeatureTable& table, std::span<const int> answers, std::span<const double> weights,
              const TreeTrainingOptions& options)
      : table_(table), answers_(answers), weights_(weights), options_(options), random_(options.seed) {
    check();
    make_bins();
  }

  BoostedTrees run() {
    BoostedTrees trees;
    trees.features_ = table_.columns;
    trees.answers_ = options_.answers;
    trees.depth_ = options_.depth;
    start(trees);
    const std::size_t rows = table_.rows();
    const auto count = static_cast<std::size_t>(options_.answers);
    std::vector<double> scores(rows * count), likely(rows * count);
    for (std::size_t i = 0; i < rows; ++i) std::copy(trees.start_.begin(), trees.start_.end(), &scores[i * count]);
    for (int round = 0; round < options_.rounds; ++round) {
      stop_if_cancelled();
      std::vector<double> row(count);
      for (std::size_t i = 0; i < rows; ++i) {
        std::copy_n(&scores[i * count], count, row.begin());
        soften(row);
        std::copy(row.begin(), row.end(), &likely[i * count]);
      }
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t i = 0; i < rows; ++i) {
          const double p = likely[i * count + k];
          slope_[i] = weights_[i] * (p - (answers_[i] == static_cast<int>(k) ? 1.0 : 0.0));
          bend_[i] = weights_[i] * std::max(p * (1 - p), 1e-6);
        }
        grow(trees);
        for (std::size_t i = 0; i < rows; ++i) {
          scores[i * count + k] += trees.value_[trees.value_.size() - static_cast<std::size_t>(trees.leaves()) +
                                                static_cast<std::size_t>(leaf_[i] - trees.inner())];
        }
      }
    }
    return trees;
  }

 private:
  static constexpr int bins = 64;

  void check() const {
    const bool fits = table_.rows() >= 2 && table_.columns >= 1 && table_.columns <= 65535 &&
                      answers_.size() == table_.rows() && weights_.size() == table_.rows() && options_.answers >= 2 &&
                      options_.answers <= 64 && options_.depth >= 1 && options_.depth <= 8 && options_.rounds >= 1;
    const bool answered =
        std::all_of(answers_.begin(), answers_.end(), [&](int a) { return a >= 0 && a < options_.answers; });
    const bool finite =
        std::all_of(table_.values.begin(), table_.values.end(), [](float v) { return std::isfinite(v); });
    if (!fits || !answered || !finite) {
      throw Error(ErrorCode::training_data_invalid,
                  "trees need two rows or more of finite features, each with an answer and a weight");
    }
  }

  void make_bins() {
    const std::size_t rows = table_.rows(), columns = static_cast<std::size_t>(table_.columns);
    limits_.resize(columns);
    bin_.resize(rows * columns);
    slope_.resize(rows);
    bend_.resize(rows);
    leaf_.resize(rows);
    std::vector<float> column(rows);
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t i = 0; i < rows; ++i) column[i] = table_.values[i * columns + c];
      std::sort(column.begin(), column.end());
      for (int b = 1; b < bins; ++b) {
        // Counts and flags have few values: the limit stands before all rows of the same value.
        const auto first =
            std::lower_bound(column.begin(), column.end(), column[rows * static_cast<std::size_t>(b) / bins]);
        if (first == column.begin()) continue;
        const float limit = *(first - 1) + 0.5f * (*first - *(first - 1));
        if (limits_[c].empty() || limit > limits_[c].back()) limits_[c].push_back(limit);
      }
      for (std::size_t i = 0; i < rows; ++i) {
        const float value = table_.values[i * columns + c];
        bin_[i * columns + c] = static_cast<std::uint8_t>(
            std::lower_bound(limits_[c].begin(), limits_[c].end(), value) - limits_[c].begin());
      }
    }
  }

  void start(BoostedTrees& trees) const {
    std::vector<double> sum(static_cast<std::size_t>(options_.answers), 1e-3);
    for (std::size_t i = 0; i < answers_.size(); ++i) sum[static_cast<std::size_t>(answers_[i])] += weights_[i];
    double all = 0;
    for (const double s : sum) all += s;
    for (const double s : sum) trees.start_.push_back(static_cast<float>(std::log(s / all)));
  }

  struct Sums {
    double slope = 0, bend = 0;
    double gain(double ridge) const { return slope * slope / (bend + ridge); }
  };

  // Best limit for the rows of a node, whose sums per feature and bin are given: as the number of a bin.
  void choose_split(const std::vector<Sums>& histogram, const std::vector<int>& features, int& feature,
                    int& bin) const {
    double best = 1e-9;
    feature = -1;
    for (std::size_t f = 0; f < features.size(); ++f) {
      const Sums* here = &histogram[f * bins];
      Sums all;
      for (int b = 0; b < bins; ++b) all.slope += here[b].slope, all.bend += here[b].bend;
      Sums low;
      const auto count = static_cast<int>(limits_[static_cast<std::size_t>(features[f])].size());
      for (int b = 0; b < count; ++b) {
        low.slope += here[b].slope, low.bend += here[b].bend;
        const Sums high{all.slope - low.slope, all.bend - low.bend};
        // The bend of a row of weight one is at most a quarter.
        if (std::min(low.bend, high.bend) < 0.25 * options_.least_weight) continue;
        const double gain = low.gain(options_.ridge) + high.gain(options_.ridge) - all.gain(options_.ridge);
        if (gain > best) best = gain, feature = features[f], bin = b;
      }
    }
  }

  // Appends one tree that follows the slopes; leaf_ then tells where every row ended.
  void grow(BoostedTrees& trees) {
    const std::size_t rows = table_.rows(), columns = static_cast<std::size_t>(table_.columns);
    std::vector<std::size_t> seen;
    for (std::size_t i = 0; i < rows; ++i) {
      if (random_.uniform() < options_.row_share) seen.push_back(i);
    }
    std::vector<int> features;
    for (int c = 0; c < table_.columns; ++c) {
      if (random_.uniform() < options_.feature_share) features.push_back(c);
    }
    std::fill(leaf_.begin(), leaf_.end(), 0);
    const std::size_t first = trees.feature_.size();
    trees.feature_.resize(first + static_cast<std::size_t>(trees.inner()), 0);
    trees.limit_.resize(first + static_cast<std::size_t>(trees.inner()), std::numeric_limits<float>::max());
    for (int level = 0; level < options_.depth; ++level) {
      const int nodes = 1 << level, begin = nodes - 1;
      std::vector<std::vector<Sums>> histograms(static_cast<std::size_t>(nodes));
      for (std::vector<Sums>& histogram : histograms) histogram.resize(features.size() * bins);
      for (const std::size_t i : seen) {
        std::vector<Sums>& histogram = histograms[static_cast<std::size_t>(leaf_[i] - begin)];
        for (std::size_t f = 0; f < features.size(); ++f) {
          Sums& sums = histogram[f * bins + bin_[i * columns + static_cast<std::size_t>(features[f])]];
          sums.slope += slope_[i], sums.bend += bend_[i];
        }
      }
      std::vector<int> feature(static_cast<std::size_t>(nodes), -1), bin(static_cast<std::size_t>(nodes), 0);
      for (int node = 0; node < nodes; ++node) {
        const auto n = static_cast<std::size_t>(node);
        choose_split(histograms[n], features, feature[n], bin[n]);
        if (feature[n] < 0) continue;
        const std::size_t at = first + static_cast<std::size_t>(begin + node);
        trees.feature_[at] = static_cast<std::uint16_t>(feature[n]);
        trees.limit_[at] = limits_[static_cast<std::size_t>(feature[n])][static_cast<std::size_t>(bin[n])];
      }
      for (std::size_t i = 0; i < rows; ++i) {
        const auto n = static_cast<std::size_t>(leaf_[i] - begin);
        const bool high = feature[n] >= 0 && bin_[i * columns + static_cast<std::size_t>(feature[n])] > bin[n];
        leaf_[i] = 2 * leaf_[i] + (high ? 2 : 1);
      }
    }
    std::vector<Sums> sums(static_cast<std::size_t>(trees.leaves()));
    for (const std::size_t i : seen) {
      Sums& leaf = sums[static_cast<std::size_t>(leaf_[i] - trees.inner())];
      leaf.slope += slope_[i], leaf.bend += bend_[i];
    }
    for (const Sums& leaf : sums) {
      trees.value_.push_back(static_cast<float>(-options_.rate * leaf.slope / (leaf.bend + options_.ridge)));
    }
  }

  const FeatureTable& table_;
  std::span<const int> answers_;
  std::span<const double> weights_;
  TreeTrainingOptions options_;
  Random random_;
  std::vector<std::vector<float>> limits_;  // per feature, rising
  std::vector<std::uint8_t> bin_;           // per row and feature
  std::vector<double> slope_, bend_;        // of the loss, per row
  std::vector<int> leaf_;                   // per row: the node of the newest tree it is in
};

BoostedTrees train_boosted_trees(const FeatureTable& table, std::span<const int> answers,
                                 std::span<const double> weights, const TreeTrainingOptions& options) {
  return TreeTrainer(table, answers, weights, options).run();
}

// Newton's method on the two numbers; a little of a prior keeps them finite where all answers are told right.
Calibration fit_calibration(std::span<const double> margins, std::span<const int> answers,
                            std::span<const double> weights) {
  Calibration result;
  for (int step = 0; step < 50; ++step) {
    double ga = 1e-3 * (result.slope - 1), gb = 1e-3 * result.shift, aa = 1e-3, ab = 0, bb = 1e-3;
    for (std::size_t i = 0; i < margins.size(); ++i) {
      const double p = 1 / (1 + std::exp(-(result.slope * margins[i] + result.shift)));
      const double off = weights[i] * (p - answers[i]), bend = weights[i] * p * (1 - p);
      ga += off * margins[i], gb += off;
      aa += bend * margins[i] * margins[i], ab += bend * margins[i], bb += bend;
    }
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 1e-12)) break;
    const double da = (bb * ga - ab * gb) / determinant, db = (aa * gb - ab * ga) / determinant;
    const double most = std::max(1.0, std::max(std::abs(da), std::abs(db)));
    result.slope = std::max(0.05, result.slope - da / most);
    result.shift -= db / most;
    if (std::abs(da) + std::abs(db) < 1e-9) break;
  }
  return result;
}

}  // namespace sinew
