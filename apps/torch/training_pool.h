// The characters that networks learn from: built-in ones made here, rigged files of a folder, people by MakeHuman.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/torch/training_data/training_body.h"

namespace sinew::torch_program {

struct PoolOptions {
  int builtin_per_kind = 20;                   // adults, children, toons, bulky ones; seeds from 1,001 on
  std::filesystem::path builtin_folder;        // where made characters are kept for the next time; may be empty
  std::vector<std::filesystem::path> folders;  // searched for .glb .gltf .vrm .fbx .dae, with their subfolders
  std::filesystem::path makehuman;             // folder of MakeHuman's data (training_data/makehuman.h); may be empty
  int makehuman_people = 100;
  std::uint64_t seed = 1;
};

struct TrainingPool {
  std::vector<TrainingBody> bodies;
  std::vector<TrainingBody> held_out;  // every tenth character, never trained on
  int characters = 0;                  // that were used
  int spoilt_variants = 0;             // of them that came out as no person, and were not used
  std::vector<std::string> left_out;   // "file: reason"
};

// Every character as it is, in other rest poses, and in other proportions with other meshes. Files that hold no person
// are left out, with the reason.
TrainingPool make_training_pool(const PoolOptions& options);

}  // namespace sinew::torch_program
