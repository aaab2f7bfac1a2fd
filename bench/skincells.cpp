// What SkinCells costs and what it is worth, on built-in characters.
//
//   bench_skincells [speed] [sizes] [comparison] [lods] [softness]      (all of them when none is named)
//
// speed       a 9,000-vertex character with l = 4 bound from scratch; a field on 140,000 vertices; peak memory
// sizes       time against mesh size, 1,000 … 200,000 vertices
// comparison  the source's ladder of methods, on poses that none of them has seen
// lods        one field on four levels of detail against weights of the nearest point
#include "sinew/weights/skincells.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "sinew/builtin/builtin_character.h"
#include "sinew/evaluate/deformation_comparison.h"
#include "sinew/evaluate/pose_quality.h"
#include "sinew/evaluate/pose_set.h"
#include "sinew/evaluate/skin_quality.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/weights/bind.h"
#include "sinew/weights/skincells_apply.h"
#include "sinew/weights/skincells_file.h"

namespace {
using namespace sinew;

constexpr std::uint64_t unseen_seed = 4711;  // the optimiser draws from seed 1
constexpr int unseen_poses = 24;

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Character character_of(std::size_t vertices, BuiltinGarment garment = BuiltinGarment::casual) {
  BuiltinOptions options;
  options.vertex_budget = vertices;
  options.garment = garment;
  return make_builtin_character(options);
}

BindInput input_of(const Character& character) {
  Warnings warnings;
  return make_bind_input(character, {}, warnings);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

void speed() {
  const Character character = character_of(9000, BuiltinGarment::skirt);
  const BindInput input = input_of(character);
  const double cpu = cpu_seconds();
  const Stopwatch watch;
  SkinCellsReport report;
  const SkinCellField field = optimise_skincells(input, {}, {}, &report);
  std::printf("bind: %zu vertices, %d cells, l = 4: %.2f s (%.2f s of processor time), %d steps%s\n",
              character.mesh.vertex_count(), field.cell_count(), watch.seconds(), cpu_seconds() - cpu, report.steps,
              report.converged ? ", converged" : "");
  std::printf("file: %.0f bytes per joint\n",
              static_cast<double>(write_field(field).size()) / static_cast<double>(field.cell_count()));
  Character dense = character_of(140000, BuiltinGarment::skirt);
  double best = 1e9;
  for (int round = 0; round < 3; ++round) best = std::min(best, apply_field(field, dense).seconds);
  std::printf("field: %zu vertices: %.3f s\n", dense.mesh.vertex_count(), best);
  std::printf("memory: %.0f MB at most\n", peak_megabytes());
}

void sizes() {
  std::printf("| vertices | seconds | of processor time |\n|---|---|---|\n");
  for (std::size_t vertices : {1000, 3000, 9000, 30000, 100000, 200000}) {
    const Character character = character_of(vertices);
    const BindInput input = input_of(character);
    const double cpu = cpu_seconds();
    const Stopwatch watch;
    optimise_skincells(input, {});
    std::printf("| %zu | %.2f | %.2f |\n", character.mesh.vertex_count(), watch.seconds(), cpu_seconds() - cpu);
  }
}

void print_quality(const char* name, const Character& character, const Character& truth, double seconds) {
  const std::vector<Pose> poses = limit_poses(character.skeleton, unseen_poses, unseen_seed).poses;
  const PoseQuality quality = assess_poses(character, poses, {.intersection_poses = 0});
  const SkinQuality skin = assess_skin(character);
  const DeformationComparison against = compare_deformation(pair_skins(character, truth), poses);
  std::printf("| %s | %.4f | %.3f | %.2f | %.5f | %.5f | %.1f |\n", name, quality.stretch_mean, quality.stretch_p95,
              quality.stretch_max, skin.roughness, against.ade, seconds);
  std::fflush(stdout);
}

void print_model(const char* name, const Character& truth, const SkinCellsOptions& options) {
  Character character = truth;
  const BindInput input = input_of(truth);
  const Stopwatch watch;
  const SkinCellField field = optimise_skincells(input, options);
  character.weights = to_character_weights(character, input, skincells_weights(input, field));
  print_quality(name, character, truth, watch.seconds());
}

void comparison() {
  const Character truth = character_of(5000);
  std::printf("| weights, l = 4 | stretch, mean | 95 %% | max | roughness | ADE to the built-in weights | seconds |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  for (const WeightMethod& method : weight_methods()) {
    if (method.name == "skincells") continue;
    OptionValues values;
    if (method.name == "proximity") values["power"] = 3.5;
    Character character = truth;
    const BindReport report = bind_character(character, method, values);
    print_quality(method.name.c_str(), character, truth, report.prepare_seconds + report.solve_seconds);
  }
  SkinCellsOptions source;
  source.fit_steps = 0;
  source.prior = 0;
  source.pose_steps = 600;
  source.model = SkinCellsModel::falloff;
  print_model("falloff only", truth, source);
  source.model = SkinCellsModel::sparse_falloff;
  print_model("falloff and sparsity", truth, source);
  source.model = SkinCellsModel::full;
  print_model("all parameters, from the bones (the source)", truth, source);
  print_model("skincells", truth, {});
}

void softness() {
  const Character truth = character_of(5000);
  std::printf(
      "| softness | stretch, mean | 95 %% | max | roughness | ADE | seconds |\n|---|---|---|---|---|---|---|\n");
  for (double value : {0.02, 1.0, 50.0}) {
    SkinCellsOptions options;
    options.softness = value;
    print_model(std::to_string(value).c_str(), truth, options);
  }
}

SkinWeights nearest_point_weights(const Character& from, const Character& to) {
  const NearestPoints tree(from.mesh.positions);
  SkinWeights weights = make_skin_weights(to.mesh.vertex_count(), from.weights.influences);
  for (std::size_t v = 0; v < to.mesh.vertex_count(); ++v) {
    NearPoint near;
    tree.nearest(to.mesh.positions[v], near);
    for (int slot = 0; slot < weights.influences; ++slot) {
      const std::size_t source = near.index * static_cast<std::size_t>(weights.influences) + slot;
      weights.joints[v * weights.influences + slot] = from.weights.joints[source];
      weights.weights[v * weights.influences + slot] = from.weights.weights[source];
    }
  }
  return weights;
}

void lods() {
  Character original = character_of(9000);
  const BindInput input = input_of(original);
  const SkinCellField field = optimise_skincells(input, {});
  original.weights = to_character_weights(original, input, skincells_weights(input, field));
  std::printf("| level | stretch, mean | 95 %% | max | roughness | ADE | seconds |\n|---|---|---|---|---|---|---|\n");
  for (std::size_t vertices : {2000, 9000, 36000, 140000}) {
    const Character truth = character_of(vertices);
    Character level = truth;
    const FieldReport report = apply_field(field, level);
    print_quality((std::to_string(vertices) + ", field").c_str(), level, truth, report.seconds);
    const Stopwatch watch;
    level.weights = nearest_point_weights(original, truth);
    print_quality((std::to_string(vertices) + ", nearest point").c_str(), level, truth, watch.seconds());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](const char* name) {
    return argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* word) { return std::string(word) == name; });
  };
  try {
    if (wanted("speed")) speed();
    if (wanted("sizes")) sizes();
    if (wanted("comparison")) comparison();
    if (wanted("lods")) lods();
    if (wanted("softness")) softness();
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return exit_code(error.kind());
  }
}
