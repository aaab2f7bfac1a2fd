#include "training_pool.h"

#include <algorithm>
#include <set>

#include "apps/torch/training_data/makehuman.h"
#include "apps/torch/training_data/training_variants.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/io.h"

namespace sinew::torch_program {
namespace {

namespace fs = std::filesystem;

Character load_rigged(const fs::path& file) {
  LoadOptions options;
  options.isolate = true;
  return load_character(file, options);
}

std::vector<fs::path> rigged_files(const fs::path& folder) {
  static const std::set<std::string> known = {".glb", ".gltf", ".vrm", ".fbx", ".dae"};
  std::vector<fs::path> files;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, problem)) {
    if (entry.is_regular_file() && known.contains(entry.path().extension().string())) files.push_back(entry.path());
  }
  if (problem) {
    throw Error(ErrorCode::file_unreadable, "cannot read the folder '" + folder.string() + "': " + problem.message());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Character builtin_character(BuiltinKind kind, int number, const fs::path& folder) {
  const std::string name = std::string(kind_name(kind)) + "_" + std::to_string(number);
  const fs::path file = folder / (name + ".glb");
  if (!folder.empty() && fs::exists(file)) {
    Character character = load_rigged(file);
    character.name = name;
    return character;
  }
  BuiltinOptions options;
  options.kind = kind;
  options.seed = static_cast<std::uint64_t>(1000 + number);
  options.vertex_budget = 4000;
  options.pose = number % 2 == 0 ? BuiltinPose::a : BuiltinPose::t;
  Character character = make_builtin_character(options);
  character.name = name;
  if (!folder.empty()) {
    fs::create_directories(folder);
    save_character(character, file);
  }
  return character;
}

// The character as it is, and variants: another pose, then other poses with other proportions and meshes.
void add(TrainingPool& pool, const Character& character, std::uint64_t seed) {
  const auto number = static_cast<std::uint64_t>(pool.characters);
  Random random = Random::stream(seed, number);
  std::vector<TrainingBody>& to = number % 10 == 9 ? pool.held_out : pool.bodies;
  try {
    to.push_back(make_training_body(character));
  } catch (const Error& problem) {
    pool.left_out.push_back(character.name + ": " + problem.what());
    return;
  }
  ++pool.characters;
  for (int variant = 0; variant < 3; ++variant) {
    const bool loose = variant == 1, same_shape = variant == 0;
    try {
      const Character posed = in_other_rest_pose(character, loose, random);
      TrainingBody body = make_training_body(same_shape ? posed : in_other_proportions(posed, random));
      body.symmetric = !loose;
      if (!same_shape) change_mesh(body, random);
      to.push_back(std::move(body));
    } catch (const Error&) {
      ++pool.spoilt_variants;
    }
  }
}

}  // namespace

TrainingPool make_training_pool(const PoolOptions& options) {
  TrainingPool pool;
  for (int number = 1; number <= options.builtin_per_kind; ++number) {
    for (const BuiltinKind kind : {BuiltinKind::adult, BuiltinKind::child, BuiltinKind::toon, BuiltinKind::bulky}) {
      add(pool, builtin_character(kind, number, options.builtin_folder), options.seed);
    }
  }
  for (const fs::path& folder : options.folders) {
    for (const fs::path& file : rigged_files(folder)) {
      try {
        Character character = load_rigged(file);
        character.name = file.filename().string();
        add(pool, character, options.seed);
      } catch (const Error& problem) {
        pool.left_out.push_back(file.filename().string() + ": " + problem.what());
      }
    }
  }
  if (!options.makehuman.empty()) {
    const MakeHuman people(options.makehuman);
    for (int number = 1; number <= options.makehuman_people; ++number) {
      Random random = Random::stream(options.seed + 1, static_cast<std::uint64_t>(number));
      Character character = people.draw(random);
      character.name += "_" + std::to_string(number);
      add(pool, character, options.seed);
    }
  }
  return pool;
}

}  // namespace sinew::torch_program
