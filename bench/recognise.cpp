// Makes examples for the recogniser of bodies (sinew/fit/recogniser.h) and trains it.
//
//   bench_recognise --examples FILE --pool FOLDER [--posed N] [--parts N] [--changed N] [--made N] [--things N] [--from N]
//   bench_recognise --train FILE… --model models/bodies.sinewkinds [--probabilities FILE]
//   bench_recognise --pool FOLDER --split people-test | creatures-test
//
// bench_judge --kinds writes rows of the training split as it is; --examples adds every --posed-th person with other
// arms, the hands and the head of every --parts-th one, every other creature --changed times, --made creatures of each
// kind (random_creatures.h) and --things. --from: the number of the first one that is made.
//
// --train leaves every studio out once; of pm_creatures, which alone has most kinds, a fifth of the files at a time. It
// reports who was taken for what, and writes how probable each kind is for every body that the model had not seen.
// --split measures the shipped model on files that trained nothing.
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "bench/random_creatures.h"
#include "bench/recognise_examples.h"
#include "sinew/base/stopwatch.h"
#include "sinew/error.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/io.h"

namespace {
using namespace sinew;
using namespace sinew::bench;
namespace fs = std::filesystem;

struct Arguments {
  fs::path examples, pool, model, probabilities;
  std::string split;
  std::vector<fs::path> train;
  int posed = 0, parts = 0, changed = 0, made = 0, things = 0, from = 0, rounds = 60, depth = 3;
};

std::vector<fs::path> files_of(const fs::path& pool, Split split) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(pool)) {
    const std::string type = entry.path().extension().string();
    if ((type == ".glb" || type == ".fbx") && split_of(entry.path()) == split) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_part_of_hand(JointRole role) { return role == JointRole::hand || is_finger(role); }

void write_parts(std::ostream& out, const fs::path& file, const Character& character, const Vec3d& forward,
                 Random& random) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(character.skeleton);
  const auto side = random.uniform() < 0.5 ? BodySide::left : BodySide::right;
  JudgedBody hand{
      cut_out(character, [&](std::size_t j) { return is_part_of_hand(joints[j].role) && joints[j].side == side; }), {}};
  JudgedBody head{cut_out(character,
                          [&](std::size_t j) {
                            const JointRole role = joints[j].role;
                            return role == JointRole::head || role == JointRole::jaw || role == JointRole::eye ||
                                   role == JointRole::ear || role == JointRole::face;
                          }),
                  {}};
  head.forward = forward;
  transform(hand, Eigen::Quaterniond(random.normal(), random.normal(), random.normal(), random.normal())
                      .normalized()
                      .toRotationMatrix());
  hand.up = Vec3d::UnitY();
  hand.forward = Vec3d::UnitZ();
  const std::string name = file.stem().string();
  for (const auto& [body, kind] : {std::pair{&hand, CreatureKind::hand}, std::pair{&head, CreatureKind::head}}) {
    if (body->mesh.triangles.size() < 60) continue;
    MeshViews views(body->mesh);
    RecogniseRows(out, studio_of(file), name + "." + std::string(kind_name(kind)))
        .write(200, *body, kind, kind == CreatureKind::head, views);
  }
}

void write_changed(std::ostream& out, const fs::path& file, CreatureKind kind, int count) {
  if (count == 0) return;
  try {
    const Character character = load_character(file);
    JudgedBody body{mesh_to_fit(character), character.skeleton};
    body.forward = true_forward(character.skeleton, kind);
    for (int variant = 300; variant < 300 + count; ++variant) {
      const JudgedBody own = changed(
          body, static_cast<std::uint64_t>(variant) + 1000 * file.stem().string().size() + file.stem().string().back());
      MeshViews views(own.mesh);
      RecogniseRows(out, studio_of(file), file.stem().string()).write(variant, own, kind, true, views);
    }
  } catch (const Error& problem) {
    std::printf("%s: %s\n", file.stem().c_str(), problem.what());
  }
}

void make_examples(const Arguments& arguments) {
  std::ofstream out(arguments.examples, std::ios::app);
  out.precision(7);
  for (int number = arguments.from; number < arguments.from + arguments.made; ++number) {
    for (const CreatureKind kind : made_kinds) {
      const JudgedBody body = made_creature(kind, number);
      MeshViews views(body.mesh);
      RecogniseRows(out, "made", std::string(kind_name(kind)) + std::to_string(number))
          .write(0, body, kind, true, views);
    }
  }
  for (int thing = arguments.from; thing < arguments.from + arguments.things; ++thing) {
    const JudgedBody body = random_thing(static_cast<std::uint64_t>(thing) + 5000);
    MeshViews views(body.mesh);
    RecogniseRows(out, "things", "more" + std::to_string(thing))
        .write(0, body, CreatureKind::not_a_creature, false, views);
  }
  int people = 0;
  for (const fs::path& file : files_of(arguments.pool, Split::train)) {
    const CreatureKind kind = kind_by_name(kind_of(studio_of(file), file.stem().string()));
    if (kind != CreatureKind::person || studio_of(file) == "pm_creatures") {
      write_changed(out, file, kind, arguments.changed);
      continue;
    }
    ++people;
    const bool posed = arguments.posed > 0 && people % arguments.posed == 0,
               parts = arguments.parts > 0 && people % arguments.parts == 0;
    if (!posed && !parts) continue;
    try {
      Character character = load_character(file);
      Random random(static_cast<std::uint64_t>(people));
      JudgedBody body{{}, {}};
      body.forward = true_forward(character.skeleton, CreatureKind::person);
      if (parts) write_parts(out, file, character, body.forward, random);
      if (!posed) continue;
      raise_arms(character, body, random);
      body.mesh = mesh_to_fit(character);
      body.truth = character.skeleton;
      MeshViews views(body.mesh);
      RecogniseRows(out, studio_of(file), file.stem().string()).write(100, body, CreatureKind::person, true, views);
      std::printf("%s\n", file.stem().c_str());
    } catch (const Error& problem) {
      std::printf("%s: %s\n", file.stem().c_str(), problem.what());
    }
    std::fflush(stdout);
  }
}

struct Row {
  std::string studio, name, variant;
  int answer = 0, pose = -1;
  std::vector<float> features;

  std::string body() const { return studio + "," + name + "," + variant; }
  // What is left out together.
  std::string fold() const {
    const bool made = is_made() || studio == "builtin";
    if (studio != "pm_creatures" && !made) return studio;
    int number = std::atoi(name.c_str()) / 3;
    if (made) number = std::atoi(name.c_str() + std::min(name.find_first_of("0123456789"), name.size()));
    return studio + std::to_string(number % 5);
  }
  bool is_made() const { return studio == "made" || studio == "things"; }
};

std::vector<Row> read_rows(const std::vector<fs::path>& files, const std::string& what, std::size_t features) {
  std::vector<Row> rows;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with(what + ",")) continue;
      std::istringstream cells(line);
      std::vector<std::string> words;
      for (std::string word; std::getline(cells, word, ',');) words.push_back(word);
      if (words.size() != 6 + features) continue;
      Row row{words[1], words[2], words[3], std::atoi(words[4].c_str()), std::atoi(words[5].c_str()), {}};
      for (std::size_t i = 6; i < words.size(); ++i)
        row.features.push_back(static_cast<float>(std::atof(words[i].c_str())));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

// Learns one decision, every fold left out once.
class DecisionTrainer {
 public:
  DecisionTrainer(std::vector<Row> rows, int answers, const Arguments& arguments)
      : rows_(std::move(rows)), answers_(answers), arguments_(arguments) {
    std::vector<double> count(static_cast<std::size_t>(answers), 0.0);
    for (const Row& row : rows_) count[static_cast<std::size_t>(row.answer)] += 1;
    // Rare answers count more, though not as much as the common ones together.
    for (const Row& row : rows_)
      weights_.push_back(
          std::sqrt(static_cast<double>(rows_.size()) / answers / count[static_cast<std::size_t>(row.answer)]));
  }

  const std::vector<Row>& rows() const { return rows_; }

  BoostedTrees train(const std::function<bool(const Row&)>& keep) const {
    FeatureTable table{static_cast<int>(rows_.front().features.size()), {}};
    std::vector<int> answers;
    std::vector<double> weights;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!keep(rows_[i])) continue;
      table.values.insert(table.values.end(), rows_[i].features.begin(), rows_[i].features.end());
      answers.push_back(rows_[i].answer);
      weights.push_back(weights_[i]);
    }
    TreeTrainingOptions options;
    options.answers = answers_;
    options.rounds = arguments_.rounds;
    options.depth = arguments_.depth;
    return train_boosted_trees(table, answers, weights, options);
  }

  // Scores of every row by a model that has seen nothing of its fold.
  std::vector<std::vector<double>> scores_when_left_out() const {
    std::set<std::string> folds;
    for (const Row& row : rows_) folds.insert(row.fold());
    std::vector<std::vector<double>> scores(rows_.size());
    for (const std::string& fold : folds) {
      const BoostedTrees trees = train([&](const Row& row) { return row.fold() != fold; });
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].fold() == fold) scores[i] = trees.scores(rows_[i].features);
      }
    }
    return scores;
  }

  // The factor of the scores under which what was left out is most probable (temperature scaling: Guo et al., "On
  // Calibration of Modern Neural Networks", 2017).
  double best_slope(const std::vector<std::vector<double>>& scores) const {
    double best = 1, least = 1e300;
    for (double slope = 0.2; slope < 2.01; slope += 0.05) {
      double sum = 0;
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].is_made()) continue;  // easier than what artists make
        sum -= weights_[i] *
               std::log(std::max(1e-12, softmax(scores[i], slope)[static_cast<std::size_t>(rows_[i].answer)]));
      }
      if (sum < least) least = sum, best = slope;
    }
    return best;
  }

  static std::vector<double> softmax(const std::vector<double>& scores, double slope) {
    const double most = *std::max_element(scores.begin(), scores.end());
    std::vector<double> result;
    double sum = 0;
    for (const double score : scores) result.push_back(std::exp(slope * (score - most))), sum += result.back();
    for (double& value : result) value /= sum;
    return result;
  }

 private:
  std::vector<Row> rows_;
  int answers_;
  const Arguments& arguments_;
  std::vector<double> weights_;
};

// Of rows that belong together (the axes of one body) the most probable one is taken: how often it is the right one.
void report_choices(const std::string& what, const std::vector<Row>& rows,
                    const std::vector<std::vector<double>>& scores) {
  std::map<std::string, std::pair<double, bool>> best;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double margin = scores[i][1] - scores[i][0];
    const auto [found, is_new] = best.try_emplace(rows[i].body(), margin, rows[i].answer == 1);
    if (margin > found->second.first) found->second = {margin, rows[i].answer == 1};
  }
  std::map<std::string, std::array<int, 2>> studios;
  for (const auto& [body, choice] : best) {
    for (const std::string& studio : {body.substr(0, body.find(',')), std::string("all")}) {
      ++studios[studio][0];
      studios[studio][1] += choice.second;
    }
  }
  for (const auto& [studio, count] : studios)
    std::printf("%s: %s, %d of %d right\n", what.c_str(), studio.c_str(), count[1], count[0]);
}

void report_table(const std::vector<Row>& rows, const std::vector<std::vector<double>>& likely,
                  const std::vector<std::string>& names, const std::function<bool(const Row&)>& shown) {
  std::vector<std::vector<int>> table(names.size(), std::vector<int>(names.size(), 0));
  std::array<std::array<double, 3>, 5> bins{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!shown(rows[i])) continue;
    const auto best =
        static_cast<std::size_t>(std::max_element(likely[i].begin(), likely[i].end()) - likely[i].begin());
    const auto truth = static_cast<std::size_t>(rows[i].answer);
    ++table[truth][best];
    auto& bin = bins[std::min<std::size_t>(4, static_cast<std::size_t>(5 * likely[i][best]))];
    bin[0] += 1, bin[1] += likely[i][best], bin[2] += best == truth;
    if (best == 0 && truth != 0)
      std::printf("  taken for a %s, %.2f: %s\n", names[0].c_str(), likely[i][best], rows[i].body().c_str());
  }
  std::printf("\n| is, taken for |");
  for (const std::string& name : names) std::printf(" %s |", name.c_str());
  std::printf("\n|---|");
  for (std::size_t k = 0; k < names.size(); ++k) std::printf("---|");
  for (std::size_t t = 0; t < names.size(); ++t) {
    std::printf("\n| %s |", names[t].c_str());
    for (const int count : table[t]) count > 0 ? std::printf(" %d |", count) : std::printf(" |");
  }
  std::printf("\n\n| probability | bodies | right |\n|---|---|---|\n");
  for (const auto& bin : bins) {
    if (bin[0] > 0) std::printf("| %.2f | %.0f | %.2f |\n", bin[1] / bin[0], bin[0], bin[2] / bin[0]);
  }
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (int k = 0; k < creature_kind_count; ++k) names.emplace_back(kind_name(static_cast<CreatureKind>(k)));
  return names;
}

std::vector<std::vector<double>> learn(const std::string& name, const DecisionTrainer& trainer, NetworkFile& file) {
  std::vector<std::vector<double>> scores = trainer.scores_when_left_out();
  const double slope = trainer.best_slope(scores);
  std::printf("%s: %zu rows, slope %.2f\n", name.c_str(), trainer.rows().size(), slope);
  BoostedTrees trees = trainer.train([](const Row&) { return true; });
  trees.calibrate(slope, std::vector<double>(static_cast<std::size_t>(trees.answers()), 0.0));
  trees.write(file, name);
  for (std::vector<double>& row : scores) row = DecisionTrainer::softmax(row, slope);
  return scores;
}

void train(const Arguments& arguments) {
  NetworkFile file;
  file.description = R"({"what":"recogniser of bodies","trained_by":"bench_recognise"})";
  for (const auto& [what, features] :
       {std::pair{std::string("up"), up_feature_count}, std::pair{std::string("forward"), forward_feature_count}}) {
    const DecisionTrainer trainer(read_rows(arguments.train, what, static_cast<std::size_t>(features)), 2, arguments);
    report_choices(what, trainer.rows(), learn(what, trainer, file));
  }
  const std::vector<Row> kinds = read_rows(arguments.train, "kind", kind_feature_count);
  const DecisionTrainer trainer(kinds, creature_kind_count, arguments);
  const std::vector<std::vector<double>> likely = learn("kind", trainer, file);
  report_table(kinds, likely, kind_names(), [](const Row& row) { return row.studio != "made"; });
  std::printf("\nAll of pm_creatures left out:\n");
  const BoostedTrees without = trainer.train([](const Row& row) { return row.studio != "pm_creatures"; });
  std::vector<std::vector<double>> alone;
  for (const Row& row : kinds) alone.push_back(without.probabilities(row.features));
  report_table(kinds, alone, kind_names(), [](const Row& row) { return row.studio == "pm_creatures"; });
  std::ofstream out(arguments.probabilities);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    out << kinds[i].body();
    for (const double value : likely[i]) out << ',' << value;
    out << '\n';
  }
  std::vector<Row> poses;
  for (const Row& row : kinds) {
    if (row.pose < 0) continue;
    poses.push_back(row);
    poses.back().answer = row.pose;
  }
  const DecisionTrainer pose_trainer(poses, rest_pose_count, arguments);
  const std::vector<std::vector<double>> posed = learn("pose", pose_trainer, file);
  report_table(poses, posed, {"T", "A", "arms down", "other"}, [](const Row&) { return true; });
  if (!arguments.model.empty()) save_network_file(file, arguments.model);
}

// The shipped model on files that trained nothing.
void measure(const Arguments& arguments) {
  std::vector<Row> rows;
  std::vector<std::vector<double>> likely;
  int up = 0, forward = 0;
  double slowest = 0;
  for (const fs::path& file :
       files_of(arguments.pool, arguments.split == "people-test" ? Split::people_test : Split::creatures_test)) {
    try {
      const Character character = load_character(file);
      const CreatureKind kind = kind_by_name(kind_of(studio_of(file), file.stem().string()));
      const Stopwatch watch;
      const RecognisedBody body = recognise_body(character);
      slowest = std::max(slowest, watch.seconds());
      up += body.frame.up.y() > 0.9;
      forward += body.frame.forward.dot(true_forward(character.skeleton, kind)) > 0.7;
      rows.push_back({studio_of(file), file.stem().string(), "0", static_cast<int>(kind), -1, {}});
      likely.emplace_back(body.probabilities.begin(), body.probabilities.end());
      std::printf("%s: is %s, taken for %s at %.2f\n", file.stem().c_str(), std::string(kind_name(kind)).c_str(),
                  std::string(kind_name(body.kind)).c_str(), body.probability_of(body.kind));
    } catch (const Error& problem) {
      std::printf("%s: %s\n", file.stem().c_str(), problem.what());
    }
  }
  report_table(rows, likely, kind_names(), [](const Row&) { return true; });
  std::printf("%zu bodies: up right %d, forward right %d; slowest %.2f s\n", rows.size(), up, forward, slowest);
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  const std::map<std::string, fs::path*> paths = {{"--examples", &arguments.examples},
                                                  {"--pool", &arguments.pool},
                                                  {"--model", &arguments.model},
                                                  {"--probabilities", &arguments.probabilities}};
  const std::map<std::string, int*> numbers = {{"--posed", &arguments.posed},   {"--parts", &arguments.parts},
                                               {"--made", &arguments.made},     {"--changed", &arguments.changed},
                                               {"--from", &arguments.from},     {"--things", &arguments.things},
                                               {"--rounds", &arguments.rounds}, {"--depth", &arguments.depth}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (paths.contains(word)) {
      *paths.at(word) = next();
    } else if (numbers.contains(word)) {
      *numbers.at(word) = std::max(0, std::atoi(next().c_str()));
    } else if (word == "--split") {
      arguments.split = next();
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
    if (!arguments.train.empty()) train(arguments);
    if (!arguments.split.empty()) measure(arguments);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return exit_code(error.kind());
  }
}
