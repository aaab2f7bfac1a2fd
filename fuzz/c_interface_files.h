// Calls of the C interface that use folders and files, make characters, train and play correctives: a part of
// c_interface_fuzzer.cpp. Whatever they write goes with the call.
#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "fuzz/fuzz_input.h"
#include "sinew/runtime/runtime_c.h"
#include "sinew/sinew_c.h"

namespace sinew::fuzz {

class FileCalls {
 public:
  // `give` takes over a character that was made.
  FileCalls(Input& input, std::function<sinew_character*()> character, std::function<sinew_result*()> result,
            std::function<void(sinew_character*)> give)
      : input_(input), character_(std::move(character)), result_(std::move(result)), give_(std::move(give)) {}
  ~FileCalls() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  FileCalls(const FileCalls&) = delete;
  FileCalls& operator=(const FileCalls&) = delete;

  void load_and_save() {
    static constexpr const char* names[] = {"a.glb", "a.gltf", "a.obj",           "a.ply",
                                            "a.bvh", "a.abc",  "no/folder/a.glb", "."};
    const std::string path = in_folder(names[input_.below(std::size(names))]);
    sinew_save_options save;
    sinew_save_options_defaults(&save, sizeof save);
    size_of(save);
    save.max_influences = static_cast<int>(input_.below(6)) - 1;
    save.quantise_weights = static_cast<int>(input_.below(2));
    save.embed = static_cast<int>(input_.below(2));
    sinew_save(character_(), path.c_str(), &save, result_());
    sinew_load_options load;
    sinew_load_options_defaults(&load, sizeof load);
    size_of(load);
    if (input_.below(8) == 0) load.format = "glb";
    if (input_.below(8) == 0) load.max_file_bytes = input_.take<std::uint16_t>();
    if (input_.below(8) == 0) load.max_elements = input_.take<std::uint8_t>();
    load.max_node_depth = static_cast<int>(input_.below(16));
    sinew_character* made = nullptr;
    if (sinew_load(path.c_str(), &load, &made, result_()) == SINEW_OK) give_(made);
  }

  // Training from a folder where a simulation began, or where there is nothing.
  void correctives() {
    const std::string shapes = in_folder("shapes");
    sinew_simulate_options simulate;
    sinew_simulate_options_defaults(&simulate, sizeof simulate);
    size_of(simulate);
    simulate.poses = static_cast<int>(input_.below(3)) - 1;
    simulate.cells = 100;
    simulate.cell_size = input_.below(8) == 0 ? input_.take<double>() : 0;
    simulate.bone_thickness = input_.below(8) == 0 ? input_.take<double>() : 0.4;
    simulate.volume_stiffness = input_.below(8) == 0 ? input_.take<double>() : 32;
    const std::array<std::int32_t, 1> motions{static_cast<std::int32_t>(input_.below(3))};
    simulate.motion_count = input_.below(2);
    simulate.motions = motions.data();
    simulate.threads = 1;
    int calls = 4;
    const sinew_progress soon{stop_at_zero, &calls};
    sinew_simulate(character_(), shapes.c_str(), &simulate, &soon, result_());
    sinew_train_options train;
    sinew_train_options_defaults(&train, sizeof train);
    size_of(train);
    train.regions = input_.below(8);
    train.most_joints = static_cast<int>(input_.below(4)) - 1;
    train.threads = 1;
    sinew_train_correctives(shapes.c_str(), &train, &soon, result_());
    play();
  }

  void made_by_name() {
    static constexpr const char* kinds[] = {"adult", "quadruped", "mitten", "no such", nullptr};
    sinew_builtin_options options;
    sinew_builtin_options_defaults(&options, sizeof options);
    size_of(options);
    options.kind = kinds[input_.below(std::size(kinds))];
    options.vertices = input_.take<std::uint32_t>();
    int calls = 0;
    const sinew_progress at_once{stop_at_zero, &calls};  // making a body takes seconds
    sinew_character* made = nullptr;
    if (sinew_make_character(&options, &at_once, &made, result_()) == SINEW_OK) give_(made);
    if (sinew_builtin_skeleton(kinds[input_.below(std::size(kinds))], &made, result_()) == SINEW_OK) give_(made);
  }

 private:
  static int stop_at_zero(void* user, double, const char*) { return --*static_cast<int*>(user) < 0; }

  std::string in_folder(const char* name) {
    if (folder_.empty()) {
      std::string pattern = (std::filesystem::temp_directory_path() / "sinew-fuzz-XXXXXX").string();
      if (mkdtemp(pattern.data()) == nullptr) std::abort();
      folder_ = pattern;
    }
    return (std::filesystem::path(folder_) / name).string();
  }

  template <typename Struct>
  void size_of(Struct& options) {
    options.struct_size = input_.below(32) == 0 ? input_.take<std::uint8_t>() : sizeof options;
  }

  // Rubbish as a file of correctives, and a job of skinning with any joints. sinewc_fuzzer.cpp opens more.
  void play() {
    alignas(64) std::array<std::uint8_t, 256> file{}, workspace{};
    for (std::size_t i = 0; i < 48; ++i) file[i] = input_.take<std::uint8_t>();
    std::size_t size = 0;
    sinew_correctives* set = nullptr;
    sinew_correctives_workspace_size(file.data(), input_.below(256), &size);
    sinew_correctives_open(file.data(), file.size(), workspace.data(), workspace.size(), &set);
    std::vector<std::uint16_t> joints(4);
    for (std::uint16_t& joint : joints) joint = static_cast<std::uint16_t>(input_.below(3));
    const std::vector<float> numbers = input_.coordinates(4), positions = input_.coordinates(6);
    const std::vector<float> matrices = input_.coordinates(32);
    std::array<float, 6> posed{};
    std::array<float, 16> dual{};
    std::array<float, 32> stretches{};
    sinew_skinning_job job{};
    job.vertex_count = 2;
    job.joint_count = 2;
    job.influences = static_cast<int>(input_.below(3));
    job.joints = maybe(input_, joints);
    job.weights = maybe(input_, numbers);
    job.matrices = maybe(input_, matrices);
    job.positions.floats = maybe(input_, positions);
    job.posed_positions.floats = posed.data();
    if (sinew_skinning_validate(&job) == SINEW_RUNTIME_OK) sinew_skin(&job);
    int stretched = 0;
    sinew_skinning_split_matrices(matrices.data(), 2, dual.data(), stretches.data(), &stretched);
  }

  Input& input_;
  std::function<sinew_character*()> character_;
  std::function<sinew_result*()> result_;
  std::function<void(sinew_character*)> give_;
  std::string folder_;  // made when it is first needed
};

}  // namespace sinew::fuzz
