// How well fitting knows when it is wrong: every file is fitted, and taken or refused at the default gate.
//
//   bench_gate --pool FOLDER --split people-test | creatures-test [--every N] [--chart FILE.svg]
//   bench_gate --messy FOLDER
//
// A fit is right when its limb joints are on average within 0.03 of the bounding diagonal of the artist's (four-legged
// bodies: 0.1). The built-in adult goes into everything that is not a four-legged animal: into another kind of body no
// fit is right. --messy has no artists' joints: what is not a person (the table below) is wrong when it is taken.
// --chart draws how often fits of a given probability are right.
#include <cstdio>
#include <cstdlib>
#include <set>

#include "bench/judge_examples.h"
#include "bench/splits.h"
#include "sinew/base/stopwatch.h"
#include "sinew/draw/chart.h"
#include "sinew/fit.h"
#include "sinew/fit/fit_mesh.h"
#include "sinew/io.h"

namespace {
using namespace sinew;
using namespace sinew::bench;
namespace fs = std::filesystem;

struct Arguments {
  fs::path pool, messy, chart;
  std::string split;
  int every = 1;
};

struct Outcome {
  double probability = 0;
  bool right = false;
};

class GateBench {
 public:
  explicit GateBench(const Arguments& arguments) : arguments_(arguments) {}

  void run() {
    std::printf("| body | kind | probability | limb error | | s |\n|---|---|---|---|---|---|\n");
    for (const fs::path& file : files()) {
      try {
        judge(file);
      } catch (const Error& problem) {
        std::printf("| %s | cannot be read: %s |\n", file.stem().c_str(), problem.what());
      }
      std::fflush(stdout);
    }
    summarise();
  }

 private:
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    const fs::path root = arguments_.messy.empty() ? arguments_.pool : arguments_.messy;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      const std::string type = entry.path().extension().string();
      const bool is_mesh = type == ".glb" || type == ".fbx" || type == ".obj" || type == ".off" || type == ".ply";
      if (!entry.is_regular_file() || !is_mesh) continue;
      const Split split = split_of(entry.path());
      const bool wanted = !arguments_.messy.empty() ||
                          (arguments_.split == "people-test" && split == Split::people_test) ||
                          (arguments_.split == "creatures-test" && split == Split::creatures_test);
      if (wanted) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    std::vector<fs::path> chosen;
    for (std::size_t i = 0; i < found.size(); i += static_cast<std::size_t>(arguments_.every))
      chosen.push_back(found[i]);
    return chosen;
  }

  std::string kind_of_file(const fs::path& file) const {
    if (arguments_.messy.empty()) return kind_of(studio_of(file), file.stem().string());
    static const std::set<std::string> people = {"male02_open",
                                                 "man",
                                                 "rocketbox_Military_Male_01",
                                                 "smplx_neutral_open",
                                                 "voxel_003_Jimmy",
                                                 "voxel_100_SaintClaus",
                                                 "rignet_1347",
                                                 "rignet_8210",
                                                 "ogre",
                                                 "beast"};
    return people.contains(file.stem().string()) ? "person" : "something else";
  }

  void judge(const fs::path& file) {
    const Character truth = load_character(file);
    const std::string kind = kind_of_file(file), name = file.stem().string();
    const bool four_legs = kind == "four legs", own_kind = four_legs || kind == "person";
    const TriangleMesh mesh = mesh_to_fit(truth);
    const FitCase target = builtin_case(four_legs, truth.skeleton);
    FitOptions options;
    options.least_confidence = 0;
    const Stopwatch watch;
    try {
      const FitResult fit = fit_skeleton(mesh, target.skeleton, options);
      const std::optional<double> error = limb_error(fit.skeleton, target, bounding_diagonal(mesh));
      // Nobody knows where the joints of a person without an artist's skeleton belong.
      const bool unknown = own_kind && !error;
      const bool right = own_kind && error && *error <= (four_legs ? 0.1 : 0.03);
      const bool taken = fit.probability >= default_least_confidence;
      const char* verdict = unknown ? (taken ? "taken" : "refused")
                            : taken ? (right ? "right" : "WRONG")
                                    : (right ? "right, refused" : "refused");
      std::printf("| %s | %s | %.2f | %.4f | %s | %.2f |\n", name.c_str(), kind.c_str(), fit.probability,
                  error.value_or(NAN), verdict, watch.seconds());
      if (!unknown) outcomes_.push_back({fit.probability, right});
      if (right && taken) errors_.push_back(*error);
      if (own_kind && error && taken && !right) errors_.push_back(*error);
      if (!own_kind && taken) ++other_kinds_taken_;
    } catch (const Error& refusal) {
      std::printf("| %s | %s | | | refused: %s | %.2f |\n", name.c_str(), kind.c_str(), refusal.what(),
                  watch.seconds());
      outcomes_.push_back({0, false});
    }
  }

  void summarise() {
    int taken = 0, wrong_taken = 0, right = 0, right_refused = 0;
    for (const Outcome& outcome : outcomes_) {
      const bool accepted = outcome.probability >= default_least_confidence;
      taken += accepted;
      wrong_taken += accepted && !outcome.right;
      right += outcome.right;
      right_refused += !accepted && outcome.right;
    }
    std::printf("%zu bodies, %d taken, %d of them wrong (%d of another kind); %d right fits, %d of them refused\n",
                outcomes_.size(), taken, wrong_taken, other_kinds_taken_, right, right_refused);
    if (!errors_.empty()) {
      std::sort(errors_.begin(), errors_.end());
      std::printf("limb error of what was taken: median %.4f, 90 %% below %.4f\n", errors_[errors_.size() / 2],
                  errors_[errors_.size() * 9 / 10]);
    }
    reliability();
  }

  void reliability() const {
    constexpr int bins = 5;
    Chart chart{.title = "How often fits of a given probability are right",
                .x = {.label = "probability", .low = 0, .high = 1},
                .y = {.label = "share that is right", .low = 0, .high = 1}};
    chart.series.push_back({.name = "honest", .x = {0, 1}, .y = {0, 1}});
    ChartSeries measured{.name = "measured", .style = SeriesStyle::line_with_points};
    std::printf("\n| probability | bodies | right |\n|---|---|---|\n");
    for (int bin = 0; bin < bins; ++bin) {
      double sum = 0;
      int count = 0, right = 0;
      for (const Outcome& outcome : outcomes_) {
        if (std::min(bins - 1, static_cast<int>(bins * outcome.probability)) != bin) continue;
        sum += outcome.probability;
        right += outcome.right;
        ++count;
      }
      if (count == 0) continue;
      std::printf("| %.2f | %d | %.2f |\n", sum / count, count, right / static_cast<double>(count));
      measured.x.push_back(sum / count);
      measured.y.push_back(right / static_cast<double>(count));
    }
    chart.series.push_back(measured);
    if (!arguments_.chart.empty()) write_chart(chart, arguments_.chart);
  }

  Arguments arguments_;
  std::vector<Outcome> outcomes_;
  std::vector<double> errors_;
  int other_kinds_taken_ = 0;
};

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--pool") {
      arguments.pool = next();
    } else if (word == "--messy") {
      arguments.messy = next();
    } else if (word == "--split") {
      arguments.split = next();
    } else if (word == "--every") {
      arguments.every = std::max(1, std::atoi(next().c_str()));
    } else if (word == "--chart") {
      arguments.chart = next();
    } else {
      throw Error(ErrorCode::option_unknown, "unknown argument '" + word + "'");
    }
  }
  if (arguments.messy.empty() && arguments.split != "people-test" && arguments.split != "creatures-test") {
    throw Error(ErrorCode::option_missing, "--split people-test, --split creatures-test or --messy FOLDER is needed");
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    GateBench(parse(argc, argv)).run();
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return exit_code(error.kind());
  }
}
