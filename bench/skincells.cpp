// What SkinCells costs and what it is worth, on built-in characters.
//
//   bench_skincells [speed] [sizes] [comparison] [models] [lods] [softness] [garment] [--save FOLDER]
//
// All of them when none is named. --save writes the characters of the tables, for pictures.
//
// speed       a 9,000-vertex character with l = 4 bound from scratch; a field on 140,000 vertices; peak memory
// sizes       time against mesh size, 1,000 … 200,000 vertices
// comparison  other methods and what optimising their weights vertex by vertex gives, on poses that none has seen
// models      the same for fields in which less or more may move: the source's ablations
// lods        one field on four levels of detail against weights of the nearest point
// softness    both ends of --softness
// garment     a skirt with a rig of its own, with and without the body that it must not enter
#include "sinew/weights/skincells/skincells.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "garment.h"
#include "per_vertex_weights.h"
#include "ring_energy.h"
#include "sinew/bind.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/evaluate/deformation_comparison.h"
#include "sinew/evaluate/pose_quality.h"
#include "sinew/evaluate/pose_set.h"
#include "sinew/evaluate/skin_quality.h"
#include "sinew/io.h"
#include "sinew/mesh/nearest_points.h"
#include "sinew/weights/skincells/skincells_apply.h"
#include "sinew/weights/skincells/skincells_file.h"

namespace {
using namespace sinew;

constexpr std::uint64_t unseen_seed = 4711;  // the optimiser draws from seed 1
constexpr int unseen_poses = 24;

std::filesystem::path save_folder;  // empty: nowhere

void save(const Character& character, const std::string& name) {
  if (save_folder.empty()) return;
  std::filesystem::create_directories(save_folder);
  save_character(character, save_folder / (name + ".glb"));
}

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
  double best = 1e9, best_cpu = 1e9;
  for (int round = 0; round < 3; ++round) {
    const double before = cpu_seconds();
    best = std::min(best, apply_field(field, dense).seconds);
    best_cpu = std::min(best_cpu, cpu_seconds() - before);
  }
  std::printf("field: %zu vertices: %.3f s (%.3f s of processor time)\n", dense.mesh.vertex_count(), best, best_cpu);
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

void print_head(const char* first) {
  std::printf(
      "| %s | stretch, mean | 95 %% | elastic energy | bumps | roughness | ADE to the built-in weights | MDE | s |\n",
      first);
  std::printf("|---|---|---|---|---|---|---|---|---|\n");
}

void print_quality(const std::string& name, const Character& character, const Character& truth, double seconds) {
  const int count = truth.mesh.vertex_count() > 50000 ? unseen_poses / 4 : unseen_poses;
  const std::vector<Pose> poses = limit_poses(character.skeleton, count, unseen_seed).poses;
  const PoseQuality quality = assess_poses(character, poses, {.intersection_poses = 0});
  const bench::RingEnergy energy = bench::ring_energy(character, poses);
  const SkinQuality skin = assess_skin(character);
  const DeformationComparison against =
      compare_deformation(pair_skins(character, truth), limit_poses(truth.skeleton, count, unseen_seed).poses);
  std::printf("| %s | %.4f | %.3f | %.4f | %.4f | %.5f | %.5f | %.3f | %.1f |\n", name.c_str(), quality.stretch_mean,
              quality.stretch_p95, energy.elastic, energy.bumps, skin.roughness, against.ade, against.mde, seconds);
  std::fflush(stdout);
}

void print_model(const std::string& name, const std::string& file, const Character& truth,
                 const SkinCellsOptions& options) {
  Character character = truth;
  const BindInput input = input_of(truth);
  const Stopwatch watch;
  const SkinCellField field = optimise_skincells(input, options);
  character.weights = to_character_weights(character, input, skincells_weights(input, field));
  print_quality(name, character, truth, watch.seconds());
  save(character, file);
}

void print_method(const WeightMethod& method, const Character& truth) {
  OptionValues values;
  if (method.name == "proximity") values["power"] = 3.5;
  Character character = truth;
  const BindReport report = bind_character(character, {.method = method.name, .values = values});
  print_quality(method.name, character, truth, report.prepare_seconds + report.solve_seconds);
  save(character, method.name);
  if (method.name != "heat" && method.name != "biharmonic") return;
  const BindInput input = input_of(truth);
  const Stopwatch watch;
  const SkinWeights start = method.solve(input, {}, checked_options(method, values), {}).weights;
  character.weights = to_character_weights(character, input, bench::optimise_per_vertex(input, start, 300));
  print_quality(method.name + ", then per vertex", character, truth, watch.seconds());
  save(character, method.name + "_per_vertex");
}

void comparison() {
  const Character truth = character_of(3000);
  save(truth, "truth");
  print_head("weights, l = 4");
  for (const WeightMethod& method : weight_methods()) {
    if (method.name != "skincells") print_method(method, truth);
  }
}

void models() {
  const Character truth = character_of(3000);
  print_head("field, l = 4");
  SkinCellsOptions source;
  source.fit_steps = 0;
  source.prior = 0;
  source.stretch = 0;
  source.pose_steps = 400;
  source.model = SkinCellsModel::falloff;
  print_model("falloff only", "falloff", truth, source);
  source.model = SkinCellsModel::sparse_falloff;
  print_model("falloff and sparsity", "sparse_falloff", truth, source);
  source.model = SkinCellsModel::full;
  print_model("all parameters, from the bones (the source)", "from_bones", truth, source);
  print_model("skincells", "skincells", truth, {});
}

void softness() {
  const Character truth = character_of(3000);
  print_head("softness");
  for (const char* value : {"0.02", "1", "50"}) {
    SkinCellsOptions options;
    options.softness = std::stod(value);
    print_model(value, std::string("softness_") + value, truth, options);
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
  print_head("level");
  for (std::size_t vertices : {2000, 9000, 36000, 140000}) {
    const Character truth = character_of(vertices);
    Character level = truth;
    Warnings warnings;
    use_skeleton_of(original, level, warnings);  // coarse hands have fewer joints of their own
    const FieldReport report = apply_field(field, level);
    print_quality(std::to_string(vertices) + ", field", level, truth, report.seconds);
    save(level, "lod_field_" + std::to_string(vertices));
    const Stopwatch watch;
    level.weights = nearest_point_weights(original, truth);
    print_quality(std::to_string(vertices) + ", nearest point", level, truth, watch.seconds());
    save(level, "lod_nearest_" + std::to_string(vertices));
  }
}

// The skirt alone takes part; body and motions are the character's own. Optimised over its range of motion, measured
// over its walk: with the skirt's joints following the legs, and with them still, as in a clip made for the body alone.
void garment() {
  const bench::DressedCharacter dressed = bench::dressed_character(9000);
  const Skeleton& skeleton = dressed.whole.skeleton;
  BindOptions choice;
  choice.joints = "Hips,LeftUpLeg,RightUpLeg,*Skirt*";
  Warnings warnings;
  const BindInput input = make_bind_input(dressed.whole, choice, warnings);
  const std::vector<Pose> walk = motion_poses(skeleton, {dressed.whole.motions.front()}, 48).poses;
  const std::vector<Pose> still_walk = bench::with_still_skirt(skeleton, walk);
  std::printf(
      "| skirt, l = 4 | joints follow: inside | depth, mm | elastic | bumps | joints still: inside | worst frame | "
      "depth, mm | elastic | bumps |\n|---|---|---|---|---|---|---|---|---|---|\n");
  const auto print = [&](const std::string& name, const std::string& file, const SkinWeights& weights) {
    Character character = dressed.whole;
    character.weights = to_character_weights(character, input, weights);
    const bench::Penetration with = bench::penetration(character, dressed.skirt, walk);
    const bench::Penetration still = bench::penetration(character, dressed.skirt, still_walk);
    const bench::RingEnergy energy = bench::ring_energy(character, walk);
    const bench::RingEnergy still_energy = bench::ring_energy(character, still_walk);
    std::printf("| %s | %.2f %% | %.1f | %.4f | %.4f | %.2f %% | %.1f %% | %.1f | %.4f | %.4f |\n", name.c_str(),
                100 * with.share, 1000 * with.depth, energy.elastic, energy.bumps, 100 * still.share, 100 * still.worst,
                1000 * still.depth, still_energy.elastic, still_energy.bumps);
    std::fflush(stdout);
    for (Part& part : character.parts) part.binding = PartBinding::skinned;
    for (Motion& motion : character.motions) motion = bench::with_still_skirt(skeleton, motion);
    save(character, "skirt_" + file);
  };
  for (const char* name : {"proximity", "heat"}) {
    const WeightMethod& method = find_weight_method(name);
    OptionValues values;
    if (method.name == "proximity") values["power"] = 3.5;
    print(name, name, method.solve(input, {}, checked_options(method, values), {}).weights);
  }
  Character clips = dressed.whole;
  clips.motions.erase(clips.motions.begin());
  SkinCellsOptions options;
  options.poses = bench::with_still_skirt(skeleton, poses_from_motions(clips, input, options.random_poses));
  print("skincells", "skincells", skincells_weights(input, optimise_skincells(input, options)));
  options.body = &dressed.body;
  print("skincells, with the body", "body", skincells_weights(input, optimise_skincells(input, options)));
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](const char* name) {
    return argc == 1 || (argc == 3 && std::string(argv[1]) == "--save") ||
           std::any_of(argv + 1, argv + argc, [&](const char* word) { return std::string(word) == name; });
  };
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--save") save_folder = argv[i + 1];
  }
  try {
    if (wanted("speed")) speed();
    if (wanted("sizes")) sizes();
    if (wanted("comparison")) comparison();
    if (wanted("models")) models();
    if (wanted("lods")) lods();
    if (wanted("softness")) softness();
    if (wanted("garment")) garment();
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return exit_code(error.kind());
  }
}
