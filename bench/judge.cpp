// Makes the examples that the judge of fits (sinew/fit/fit_judge.h) learns from, and trains it.
//
//   bench_judge --examples FILE --pool FOLDER [--studio NAME] [--every N [--first N]] [--from N] [--variants N]
//               [--builtin N] [--things N]
//   bench_judge --train FILE… --model models/fits.sinewjudge
//
// --examples reads every rigged character of the pool that may train (splits.h) as a person and as a four-legged animal,
// as it is (variant 0) and changed (judge_examples.h), and writes one row per reading: how far its limb joints are from the
// artist's, and its features. A reading of another kind of body is wrong however it looks. --builtin adds as many
// built-in characters of every kind, --things as many pieces of furniture, vehicles and plants.
//
// --train learns from such rows. Every studio is left out once; the probabilities of what was left out calibrate the
// final model and are reported.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "bench/judge_examples.h"
#include "bench/splits.h"
#include "sinew/error.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/io.h"

namespace {
using namespace sinew;
using namespace sinew::bench;
namespace fs = std::filesystem;

struct Arguments {
  fs::path examples, pool, model;
  std::string studio;
  std::vector<fs::path> train;
  int variants = 1, from = 0, every = 1, first = 0, things = 0, builtin = 0, rounds = 150, depth = 3;
};

// What is looked at of one body: everything takes too long for all of them.
struct Look {
  bool four_legs = false, networks = false, any_up = false;
  int cells = 96;
};

// Readings of one mesh, as rows of the file. Error -1: the artist's joints do not tell it.
void write_readings(std::ostream& out, const std::string& studio, const std::string& name, int variant,
                    const JudgedBody& body, const Look& look) {
  const double diagonal = bounding_diagonal(body.mesh);
  const FitCase target = builtin_case(look.four_legs, body.truth);
  const std::vector<JointIdentity> joints = identify_joints_anyhow(target.skeleton);
  ReadingOptions options;
  options.judge = nullptr;
  options.four_legs = look.four_legs;
  options.cells = look.cells;
  options.finer = false;
  if (!look.any_up) options.up = Vec3d::UnitY();
  options.skeleton = &target.skeleton;
  options.joints = &joints;
  if (look.networks && !look.four_legs) options.networks = options.eyes;
  for (const FitReading& reading : find_readings(body.mesh, options).readings) {
    const Placement placed = place_joints(target.skeleton, joints, reading.shape, {});
    const double error = limb_error(placed.skeleton, target, diagonal).value_or(-1);
    out << (look.four_legs ? "four_legs" : "people") << ',' << studio << ',' << name << ',' << variant << ','
        << reading.cells << ',' << reading.by_networks << ',' << error;
    for (const float value : reading.features) out << ',' << value;
    out << '\n';
  }
  out.flush();
}

std::uint64_t seed_of(const std::string& name) {
  std::uint64_t seed = 1469598103934665603u;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return seed >> 8;
}

void make_examples(const Arguments& arguments) {
  // What is there already is not made again.
  std::set<std::string> known;
  std::ifstream before(arguments.examples);
  for (std::string line; std::getline(before, line);) {
    std::istringstream cells(line);
    std::string word;
    for (int i = 0; i < 3; ++i) std::getline(cells, word, ',');
    known.insert(word);
  }
  std::ofstream out(arguments.examples, std::ios::app);
  out.precision(7);
  std::vector<fs::path> files;
  for (const fs::directory_entry& folder : fs::directory_iterator(arguments.pool)) {
    if (!folder.is_directory()) continue;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path())) {
      const std::string type = entry.path().extension().string();
      if (type == ".glb" || type == ".fbx") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  int skipped = 0;
  for (const fs::path& file : files) {
    if (split_of(file) != Split::train || (!arguments.studio.empty() && studio_of(file) != arguments.studio)) continue;
    if (skipped++ % arguments.every != arguments.first || known.contains(file.stem().string())) continue;
    const std::string kind = kind_of(studio_of(file), file.stem().string()), name = file.stem().string();
    try {
      const Character character = load_character(file);
      const JudgedBody body{mesh_to_fit(character), character.skeleton};
      for (int variant = arguments.from; variant <= arguments.variants; ++variant) {
        const std::uint64_t seed = seed_of(name) + static_cast<std::uint64_t>(variant);
        const JudgedBody own = variant == 0 ? body : changed(body, seed);
        Look look;
        look.any_up = variant > 0 && seed % 4 == 0;
        look.cells = seed % 8 == 0 ? 144 : 96;
        look.networks = seed % 4 == 0;
        write_readings(out, studio_of(file), name, variant, own, look);
        look.four_legs = true;
        if (kind != "person" || seed % 8 == 1) write_readings(out, studio_of(file), name, variant, own, look);
      }
      std::printf("%s: %s\n", name.c_str(), kind.c_str());
    } catch (const Error& problem) {
      std::printf("%s: %s\n", name.c_str(), problem.what());
    }
    std::fflush(stdout);
  }
  for (int number = 0; number < arguments.builtin; ++number) {
    for (const auto& [kind, value] : builtin_kinds()) {
      const auto seed = static_cast<std::uint64_t>(500 + number);
      BuiltinOptions made;
      made.kind = value;
      made.seed = seed;
      made.vertex_budget = 3000;
      made.pose = number % 2 == 0 ? BuiltinPose::t : BuiltinPose::a;
      const Character character = make_builtin_character(made);
      const bool four_legs = value == BuiltinKind::quadruped;
      const JudgedBody body{mesh_to_fit(character), character.skeleton};
      write_readings(out, "builtin", kind + std::to_string(number), number, number < 2 ? body : changed(body, seed),
                     {.four_legs = four_legs});
      if (four_legs) write_readings(out, "builtin", kind + std::to_string(number), number, body, {});
    }
  }
  for (int thing = 0; thing < arguments.things; ++thing) {
    const JudgedBody body = random_thing(static_cast<std::uint64_t>(thing) + 1);
    for (const bool four_legs : {false, true}) {
      write_readings(out, "things", "thing" + std::to_string(thing), 0, body,
                     {.four_legs = four_legs, .networks = thing % 4 == 0, .any_up = thing % 8 == 0});
    }
  }
}

struct Example {
  std::string studio, body;  // body: file and variant
  bool right = false;
  double error = 0;
  std::vector<float> features;
};

// Of limb joints, over the bounding diagonal: up to here a reading is right.
double right_up_to(const std::string& fit) { return fit == "people" ? 0.03 : 0.1; }

std::vector<Example> read_examples(const std::vector<fs::path>& files, const std::string& fit) {
  std::vector<Example> examples;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      std::istringstream cells(line);
      std::vector<std::string> words;
      for (std::string word; std::getline(cells, word, ',');) words.push_back(word);
      if (words.size() != 7 + reading_feature_infos().size() || words[0] != fit) continue;
      Example example{words[1], words[2] + " " + words[3], false, std::atof(words[6].c_str()), {}};
      const bool own_kind = kind_of(words[1], words[2]) == (fit == "people" ? "person" : "four legs");
      if (own_kind && example.error < 0) continue;  // nobody knows
      example.right = own_kind && example.error <= right_up_to(fit);
      for (std::size_t i = 7; i < words.size(); ++i) {
        example.features.push_back(static_cast<float>(std::atof(words[i].c_str())));
      }
      examples.push_back(std::move(example));
    }
  }
  return examples;
}

class JudgeTrainer {
 public:
  JudgeTrainer(std::vector<Example> examples, const Arguments& arguments)
      : examples_(std::move(examples)), arguments_(arguments) {
    std::map<std::string, std::array<double, 2>> rows;  // per body: wrong, right
    for (const Example& example : examples_) rows[example.body][example.right] += 1;
    // Every body counts the same, and so do its right and its wrong readings.
    for (const Example& example : examples_) weights_.push_back(1 / rows[example.body][example.right]);
  }

  void run(NetworkFile& file, const std::string& name) {
    const std::vector<double> margins = margins_when_left_out();
    const Calibration calibration = calibrate(margins);
    report(margins, calibration);
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
    options.rounds = arguments_.rounds;
    options.depth = arguments_.depth;
    return train_boosted_trees(table, answers, weights, options);
  }

  std::vector<double> margins_when_left_out() const {
    std::set<std::string> studios;
    for (const Example& example : examples_) studios.insert(example.studio);
    std::vector<double> margins(examples_.size());
    for (const std::string& studio : studios) {
      const BoostedTrees trees = train([&](const Example& e) { return e.studio != studio; });
      for (std::size_t i = 0; i < examples_.size(); ++i) {
        if (examples_[i].studio != studio) continue;
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
    for (const auto& [body, winner] : best) result.push_back(winner);
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

  // Winning readings of studios that were left out, by how probable they are.
  void report(const std::vector<double>& margins, const Calibration& calibration) const {
    struct Count {
      int bodies = 0, right = 0, accepted = 0, accepted_wrong = 0, refused_right = 0, could_be_right = 0;
    };
    std::map<std::string, Count> studios;
    std::array<Count, 10> bins;
    std::map<std::string, bool> any_right;
    for (const Example& example : examples_) any_right[example.body] |= example.right;
    for (const std::size_t i : winners(margins)) {
      const double p = 1 / (1 + std::exp(-(calibration.slope * margins[i] + calibration.shift)));
      const Example& example = examples_[i];
      for (Count* count : {&studios[example.studio], &studios["all"], &bins[std::min(9, static_cast<int>(10 * p))]}) {
        ++count->bodies;
        count->right += example.right;
        count->accepted += p >= 0.5;
        count->accepted_wrong += p >= 0.5 && !example.right;
        count->refused_right += p < 0.5 && example.right;
        count->could_be_right += any_right[example.body];
      }
      if (p >= 0.5 && !example.right) {
        std::printf("  wrong, %.2f: %s %s, error %.3f\n", p, example.studio.c_str(), example.body.c_str(),
                    example.error);
      }
      if (p < 0.5 && example.right) {
        std::printf("  right, %.2f: %s %s, error %.3f\n", p, example.studio.c_str(), example.body.c_str(),
                    example.error);
      }
    }
    std::printf("slope %.3f, shift %.3f\n", calibration.slope, calibration.shift);
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
  const Arguments& arguments_;
  std::vector<double> weights_;
};

void train_judge(const Arguments& arguments) {
  NetworkFile file;
  file.description = R"({"what":"judge of fits","trained_by":"bench_judge"})";
  for (const std::string fit : {"people", "four_legs"}) {
    std::printf("\n## %s\n", fit.c_str());
    std::vector<Example> examples = read_examples(arguments.train, fit);
    std::printf("%zu readings\n", examples.size());
    JudgeTrainer(std::move(examples), arguments).run(file, fit);
  }
  if (!arguments.model.empty()) save_network_file(file, arguments.model);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--examples") {
      arguments.examples = next();
    } else if (word == "--pool") {
      arguments.pool = next();
    } else if (word == "--studio") {
      arguments.studio = next();
    } else if (word == "--variants") {
      arguments.variants = std::max(0, std::atoi(next().c_str()));
    } else if (word == "--from") {
      arguments.from = std::max(0, std::atoi(next().c_str()));
    } else if (word == "--first") {
      arguments.first = std::max(0, std::atoi(next().c_str()));
    } else if (word == "--every") {
      arguments.every = std::max(1, std::atoi(next().c_str()));
    } else if (word == "--builtin") {
      arguments.builtin = std::max(0, std::atoi(next().c_str()));
    } else if (word == "--things") {
      arguments.things = std::max(0, std::atoi(next().c_str()));
    } else if (word == "--rounds") {
      arguments.rounds = std::max(1, std::atoi(next().c_str()));
    } else if (word == "--depth") {
      arguments.depth = std::clamp(std::atoi(next().c_str()), 1, 8);
    } else if (word == "--model") {
      arguments.model = next();
    } else if (word == "--train") {
      while (i + 1 < argc && argv[i + 1][0] != '-') arguments.train.emplace_back(next());
    } else {
      throw Error(ErrorCode::option_unknown, "unknown argument '" + word + "'");
    }
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments = parse(argc, argv);
    if (!arguments.examples.empty()) make_examples(arguments);
    if (!arguments.train.empty()) train_judge(arguments);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return exit_code(error.kind());
  }
}
