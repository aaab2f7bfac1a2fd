// How the judge of fits learns from the rows of bench_judge --examples. Every studio is left out once, which tells how
// other artists' characters will fare, and every fifth of the families (splits.h), which tells how other characters of
// these artists will; the latter calibrates.
#pragma once

#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "bench/splits.h"
#include "sinew/fit.h"
#include "sinew/fit/fit_readings.h"
#include "sinew/recognise.h"

namespace sinew::bench {

struct Example {
  std::string studio, family, body;  // body: file and variant
  bool right = false;
  double error = 0, kind_probability = 0;  // that it is a body of the kind that is fitted
  std::vector<float> features;
};

// Of limb joints, over the bounding diagonal: up to here a reading is right.
inline double right_up_to(const std::string& fit) { return fit == "people" ? 0.03 : 0.1; }

// Per body (studio, file, variant) how probable each kind is.
using KindsOfBodies = std::map<std::string, std::array<double, creature_kind_count>>;

inline KindsOfBodies read_kinds(const std::filesystem::path& file) {
  KindsOfBodies kinds;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::string studio, name, variant, value;
    std::getline(std::getline(std::getline(cells, studio, ','), name, ','), variant, ',');
    for (double& likely : kinds[studio + "," + name + "," + variant]) {
      std::getline(cells, value, ',');
      likely = std::atof(value.c_str());
    }
  }
  return kinds;
}

inline std::vector<Example> read_examples(const std::vector<std::filesystem::path>& files,
                                          const std::filesystem::path& kinds_file, const std::string& fit) {
  const KindsOfBodies kinds = read_kinds(kinds_file);
  std::vector<Example> examples;
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::istringstream cells(line);
      std::vector<std::string> words;
      for (std::string word; std::getline(cells, word, ',');) words.push_back(word);
      if (words.size() != 7 + reading_feature_infos().size() || words[0] != fit) continue;
      Example example{words[1], family_of(words[1], words[2]), words[2] + " " + words[3],
                      false,    std::atof(words[6].c_str()),   0,
                      {}};
      const bool own_kind = kind_of(words[1], words[2]) == (fit == "people" ? "person" : "four legs");
      if (own_kind && example.error < 0) continue;  // nobody knows
      example.right = own_kind && example.error <= right_up_to(fit);
      for (std::size_t i = 7; i < words.size(); ++i) {
        example.features.push_back(static_cast<float>(std::atof(words[i].c_str())));
      }
      const auto kind = kinds.find(words[1] + "," + words[2] + "," + words[3]);
      if (kind == kinds.end()) continue;  // the recogniser has not seen it
      example.kind_probability = kind->second[static_cast<std::size_t>(needed_kind(fit != "people"))];
      const auto part = kind_part_of_features(kind->second);
      std::copy(part.begin(), part.end(), example.features.end() - reading_kind_features);
      examples.push_back(std::move(example));
    }
  }
  return examples;
}

class JudgeTrainer {
 public:
  JudgeTrainer(std::vector<Example> examples, int rounds, int depth)
      : examples_(std::move(examples)), rounds_(rounds), depth_(depth) {
    std::map<std::string, std::array<double, 2>> rows;  // per body: wrong, right
    for (const Example& example : examples_) rows[example.body][example.right] += 1;
    // Every body counts the same, and so do its right and its wrong readings.
    for (const Example& example : examples_) weights_.push_back(1 / rows[example.body][example.right]);
  }

  void run(NetworkFile& file, const std::string& name) {
    const std::vector<double> margins = margins_when_left_out([](const Example& e) { return fold_of(e.family); });
    const Calibration calibration = calibrate(margins);
    std::printf("slope %.3f, shift %.3f\n\nA fifth of the families left out:\n", calibration.slope, calibration.shift);
    report(margins, calibration);
    std::printf("\nA whole studio left out:\n");
    report(margins_when_left_out([](const Example& e) { return e.studio; }), calibration);
    BoostedTrees trees = train([](const Example&) { return true; });
    const std::array<double, 2> shift{0, calibration.shift};
    trees.calibrate(calibration.slope, shift);
    trees.write(file, name);
    const auto columns = static_cast<std::uint32_t>(reading_feature_infos().size());
    file.arrays[name + ".typical"] = {{columns}, typical()};
  }

 private:
  template <class Keep>
  BoostedTrees train(const Keep& keep) const {
    FeatureTable table{static_cast<int>(reading_feature_infos().size()), {}};
    std::vector<int> answers;
    std::vector<double> weights;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      if (!keep(examples_[i])) continue;
      table.values.insert(table.values.end(), examples_[i].features.begin(), examples_[i].features.end());
      answers.push_back(examples_[i].right);
      weights.push_back(weights_[i]);
    }
    TreeTrainingOptions options;
    options.rounds = rounds_;
    options.depth = depth_;
    return train_boosted_trees(table, answers, weights, options);
  }

  static std::string fold_of(const std::string& family) {
    std::size_t sum = 0;
    for (const char c : family) sum = 131 * sum + static_cast<unsigned char>(c);
    return std::to_string(sum % 5);
  }

  // Examples with the same name of `group` are left out together.
  template <class Group>
  std::vector<double> margins_when_left_out(const Group& group) const {
    std::set<std::string> names;
    for (const Example& example : examples_) names.insert(group(example));
    std::vector<double> margins(examples_.size());
    for (const std::string& name : names) {
      const BoostedTrees trees = train([&](const Example& e) { return group(e) != name; });
      for (std::size_t i = 0; i < examples_.size(); ++i) {
        if (group(examples_[i]) != name) continue;
        const std::vector<double> scores = trees.scores(examples_[i].features);
        margins[i] = scores[1] - scores[0];
      }
    }
    return margins;
  }

  // The reading of every body that would be taken.
  std::vector<std::size_t> winners(const std::vector<double>& margins) const {
    std::map<std::string, std::size_t> best;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      const auto [found, is_new] = best.try_emplace(examples_[i].body, i);
      if (margins[i] > margins[found->second]) found->second = i;
    }
    std::vector<std::size_t> result;
    for (const auto& [body, winner] : best) {
      if (examples_[winner].studio != "made") result.push_back(winner);  // easier than what artists make
    }
    return result;
  }

  Calibration calibrate(const std::vector<double>& margins) const {
    std::vector<double> margin, weight;
    std::vector<int> answer;
    for (const std::size_t i : winners(margins)) {
      margin.push_back(margins[i]);
      answer.push_back(examples_[i].right);
      weight.push_back(1);
    }
    return fit_calibration(margin, answer, weight);
  }

  // Winning readings of what was left out, by how probable they are, with the recogniser's veto.
  void report(const std::vector<double>& margins, const Calibration& calibration) const {
    struct Count {
      int bodies = 0, right = 0, accepted = 0, accepted_wrong = 0, refused_right = 0, could_be_right = 0;
    };
    constexpr double gate = default_least_confidence;
    std::map<std::string, Count> studios;
    std::array<Count, 10> bins;
    std::map<std::string, bool> any_right;
    for (const Example& example : examples_) any_right[example.body] |= example.right;
    for (const std::size_t i : winners(margins)) {
      const Example& example = examples_[i];
      const double p = example.kind_probability < least_kind_probability
                           ? 0
                           : 1 / (1 + std::exp(-(calibration.slope * margins[i] + calibration.shift)));
      for (Count* count : {&studios[example.studio], &studios["all"], &bins[std::min(9, static_cast<int>(10 * p))]}) {
        ++count->bodies;
        count->right += example.right;
        count->accepted += p >= gate;
        count->accepted_wrong += p >= gate && !example.right;
        count->refused_right += p < gate && example.right;
        count->could_be_right += any_right[example.body];
      }
      if (p >= gate && !example.right) {
        std::printf("  wrong, %.2f: %s %s, error %.3f\n", p, example.studio.c_str(), example.body.c_str(),
                    example.error);
      }
      if (p < gate && example.right) {
        std::printf("  right, %.2f: %s %s, error %.3f\n", p, example.studio.c_str(), example.body.c_str(),
                    example.error);
      }
    }
    std::printf(
        "| studio left out | bodies | some reading right | best right | accepted | wrong | right refused |\n"
        "|---|---|---|---|---|---|---|\n");
    for (const auto& [studio, c] : studios) {
      std::printf("| %s | %d | %d | %d | %d | %d | %d |\n", studio.c_str(), c.bodies, c.could_be_right, c.right,
                  c.accepted, c.accepted_wrong, c.refused_right);
    }
    std::printf("\n| probability | bodies | right |\n|---|---|---|\n");
    for (std::size_t b = 0; b < bins.size(); ++b) {
      if (bins[b].bodies == 0) continue;
      std::printf("| %.1f – %.1f | %d | %.2f |\n", static_cast<double>(b) / 10, static_cast<double>(b + 1) / 10,
                  bins[b].bodies, bins[b].right / static_cast<double>(bins[b].bodies));
    }
  }

  std::vector<float> typical() const {
    std::vector<float> result;
    for (std::size_t f = 0; f < reading_feature_infos().size(); ++f) {
      std::vector<float> values;
      for (const Example& example : examples_) {
        if (example.right) values.push_back(example.features[f]);
      }
      std::sort(values.begin(), values.end());
      result.push_back(values.empty() ? 0.0f : values[values.size() / 2]);
    }
    return result;
  }

  std::vector<Example> examples_;
  int rounds_, depth_;
  std::vector<double> weights_;
};

}  // namespace sinew::bench
