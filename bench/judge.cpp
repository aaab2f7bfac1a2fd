// Makes the examples that the judge of fits (sinew/fit/fit_judge.h) learns from, and trains it.
//
//   bench_judge --examples FILE --kinds FILE --pool FOLDER [--studio NAME] [--every N [--first N]] [--from N]
//               [--variants N] [--builtin N] [--things N] [--made N]
//   bench_judge --train FILE… --kinds FILE --model models/fits.sinewjudge
//
// --examples reads every rigged character of the pool that may train (splits.h) as a person and as a four-legged animal,
// as it is (variant 0) and changed (judge_examples.h), and writes one row per reading: how far its limb joints are from the
// artist's, and its features. A reading of another kind of body is wrong however it looks. --builtin adds as many
// built-in characters of every kind, --things as many pieces of furniture, vehicles and plants, --made as many creatures
// of each kind of random_creatures.h. --kinds receives what the recogniser learns from the same bodies
// (recognise_examples.h), except from the made ones: bench_recognise writes these.
//
// --train learns from such rows. --kinds then is what `bench_recognise --train` wrote of them: how probable each kind is,
// told by models that have not seen the body. judge_training.h says how it is tested.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "bench/judge_training.h"
#include "bench/random_creatures.h"
#include "bench/recognise_examples.h"
#include "sinew/error.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/io.h"

namespace {
using namespace sinew;
using namespace sinew::bench;
namespace fs = std::filesystem;

struct Arguments {
  fs::path examples, kinds, pool, model;
  std::string studio;
  std::vector<fs::path> train;
  int variants = 1, from = 0, every = 1, first = 0, things = 0, builtin = 0, made = 0, rounds = 150, depth = 3;
};

// What is looked at of one body: everything takes too long for all of them.
struct Look {
  bool four_legs = false, networks = false, any_up = false;
  int cells = 96;
};

// Readings of one mesh, as rows of the file. Error -1: the artist's joints do not tell it.
void write_readings(std::ostream& out, const std::string& studio, const std::string& name, int variant,
                    const JudgedBody& body, const Look& look, MeshViews& views) {
  const double diagonal = bounding_diagonal(body.mesh);
  const FitCase target = builtin_case(look.four_legs, body.truth);
  const std::vector<JointIdentity> joints = identify_joints_anyhow(target.skeleton);
  ReadingOptions options;
  options.four_legs = look.four_legs;
  options.cells = look.cells;
  options.finer = false;
  if (!look.any_up) options.up = Vec3d::UnitY();
  options.skeleton = &target.skeleton;
  options.joints = &joints;
  if (look.networks && !look.four_legs) options.networks = views.eyes();
  for (const FitReading& reading : find_readings(views, options).readings) {
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

// Bodies that have a row of their kind in the file already: they are not made again.
std::set<std::string> known_bodies(const fs::path& kinds) {
  std::set<std::string> known;
  std::ifstream before(kinds);
  for (std::string line; std::getline(before, line);) {
    std::istringstream cells(line);
    std::string what, studio, name, variant;
    std::getline(std::getline(std::getline(std::getline(cells, what, ','), studio, ','), name, ','), variant, ',');
    if (what == "kind") known.insert(name + " " + variant);
  }
  return known;
}

class ExampleMaker {
 public:
  explicit ExampleMaker(const Arguments& arguments)
      : arguments_(arguments),
        known_(known_bodies(arguments.kinds)),
        out_(arguments.examples, std::ios::app),
        kinds_(arguments.kinds, std::ios::app) {
    out_.precision(7);
    kinds_.precision(7);
  }

  void run() {
    int skipped = 0;
    for (const fs::path& file : files()) {
      if (split_of(file) != Split::train) continue;
      if (!arguments_.studio.empty() && studio_of(file) != arguments_.studio) continue;
      if (skipped++ % arguments_.every != arguments_.first) continue;
      try {
        read_file(file);
      } catch (const Error& problem) {
        std::printf("%s: %s\n", file.stem().c_str(), problem.what());
      }
      std::fflush(stdout);
    }
    for (int number = 0; number < arguments_.builtin; ++number) read_builtin(number);
    for (int number = 0; number < arguments_.things; ++number) read_thing(number);
    for (int number = 0; number < arguments_.made; ++number) read_made(number);
  }

 private:
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    if (arguments_.pool.empty()) return found;
    for (const fs::directory_entry& folder : fs::directory_iterator(arguments_.pool)) {
      if (!folder.is_directory()) continue;
      for (const fs::directory_entry& entry : fs::directory_iterator(folder.path())) {
        const std::string type = entry.path().extension().string();
        if (type == ".glb" || type == ".fbx") found.push_back(entry.path());
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void read_file(const fs::path& file) {
    const std::string studio = studio_of(file), name = file.stem().string(), kind = kind_of(studio, name);
    const Character character = load_character(file);
    JudgedBody body{mesh_to_fit(character), character.skeleton};
    body.forward = true_forward(character.skeleton, kind_by_name(kind));
    for (int variant = arguments_.from; variant <= arguments_.variants; ++variant) {
      if (known_.contains(name + " " + std::to_string(variant))) continue;
      const std::uint64_t seed = seed_of(name) + static_cast<std::uint64_t>(variant);
      const JudgedBody own = variant == 0 ? body : changed(body, seed);
      Look look;
      look.any_up = variant > 0 && seed % 4 == 0;
      look.cells = seed % 8 == 0 ? 144 : 96;
      look.networks = seed % 4 == 0;
      MeshViews views(own.mesh);
      RecogniseRows(kinds_, studio, name).write(variant, own, kind_by_name(kind), true, views);
      write_readings(out_, studio, name, variant, own, look, views);
      look.four_legs = true;
      if (kind != "person" || seed % 8 == 1) write_readings(out_, studio, name, variant, own, look, views);
    }
    std::printf("%s: %s\n", name.c_str(), kind.c_str());
  }

  void read_builtin(int number) {
    for (const auto& [kind, value] : builtin_kinds()) {
      const auto seed = static_cast<std::uint64_t>(500 + number);
      BuiltinOptions made;
      made.kind = value;
      made.seed = seed;
      made.vertex_budget = 3000;
      made.pose = number % 2 == 0 ? BuiltinPose::t : BuiltinPose::a;
      const Character character = make_builtin_character(made);
      const bool four_legs = value == BuiltinKind::quadruped;
      JudgedBody body{mesh_to_fit(character), character.skeleton};
      if (number >= 2) body = changed(body, seed);
      const std::string name = kind + std::to_string(number);
      MeshViews views(body.mesh);
      RecogniseRows(kinds_, "builtin", name)
          .write(number, body, four_legs ? CreatureKind::four_legs : CreatureKind::person, true, views);
      write_readings(out_, "builtin", name, number, body, {.four_legs = four_legs}, views);
      if (four_legs) write_readings(out_, "builtin", name, number, body, {}, views);
    }
  }

  void read_thing(int number) {
    const JudgedBody body = random_thing(static_cast<std::uint64_t>(number) + 1);
    const std::string name = "thing" + std::to_string(number);
    MeshViews views(body.mesh);
    RecogniseRows(kinds_, "things", name).write(0, body, CreatureKind::not_a_creature, false, views);
    for (const bool four_legs : {false, true}) {
      write_readings(out_, "things", name, 0, body,
                     {.four_legs = four_legs, .networks = number % 4 == 0, .any_up = number % 8 == 0}, views);
    }
  }

  // Its kind is among the rows of bench_recognise --made.
  void read_made(int number) {
    for (const CreatureKind kind : made_kinds) {
      const JudgedBody body = made_creature(kind, number);
      const std::string name = std::string(kind_name(kind)) + std::to_string(number);
      MeshViews views(body.mesh);
      write_readings(out_, "made", name, 0, body, {.networks = number % 4 == 0, .any_up = number % 8 == 0}, views);
      if (kind != CreatureKind::four_legs) write_readings(out_, "made", name, 0, body, {.four_legs = true}, views);
    }
  }

  const Arguments& arguments_;
  std::set<std::string> known_;
  std::ofstream out_, kinds_;
};

void train_judge(const Arguments& arguments) {
  NetworkFile file;
  file.description = R"({"what":"judge of fits","trained_by":"bench_judge"})";
  for (const std::string fit : {"people", "four_legs"}) {
    std::printf("\n## %s\n", fit.c_str());
    std::vector<Example> examples = read_examples(arguments.train, arguments.kinds, fit);
    std::printf("%zu readings\n", examples.size());
    JudgeTrainer(std::move(examples), arguments.rounds, arguments.depth).run(file, fit);
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
    } else if (word == "--kinds") {
      arguments.kinds = next();
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
    } else if (word == "--made") {
      arguments.made = std::max(0, std::atoi(next().c_str()));
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
    if (!arguments.examples.empty()) ExampleMaker(arguments).run();
    if (!arguments.train.empty()) train_judge(arguments);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return exit_code(error.kind());
  }
}
