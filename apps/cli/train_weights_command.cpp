// sinew train-weights: teaches the weight method auto from folders of rigged characters.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "sinew/train_weights.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct TrainWeightsArguments {
  std::vector<std::string> folders, apart;
  std::string output;
  WeightTrainingOptions train;
};

// Files that can hold a rigged character, subfolders included, in order of their names.
std::vector<fs::path> rigged_files(const std::string& folder) {
  if (!fs::is_directory(folder)) throw Error(ErrorCode::file_not_found, "'" + folder + "' is not a folder");
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    std::string extension = entry.path().extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    constexpr std::string_view known[] = {".glb", ".gltf", ".fbx", ".dae", ".vrm"};
    if (std::find(std::begin(known), std::end(known), extension) != std::end(known)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

nlohmann::json to_json(const std::vector<UnseenGroup>& groups) {
  nlohmann::json result = nlohmann::json::array();
  for (const UnseenGroup& group : groups) {
    result.push_back({{"folder", group.group},
                      {"characters", group.characters},
                      {"ratio", group.ratio},
                      {"worst", group.worst},
                      {"clearly_worse", group.clearly_worse}});
  }
  return result;
}

std::string summary(const TrainWeightsArguments& options, const TrainedWeights& trained, std::size_t files) {
  std::string text = fmt::format(
      "{}: learned from {} of {} files; {:.2f} of bone heat's error on characters left out, "
      "{:.2f} on those learned from",
      options.output, trained.characters, files, trained.unseen_ratio, trained.seen_ratio);
  for (const UnseenGroup& group : trained.unseen) {
    text += fmt::format("\n  {} left out: {:.2f} of bone heat's error, worst character {:.2f}, {} of {} above 1.1",
                        group.group, group.ratio, group.worst, group.clearly_worse, group.characters);
  }
  return text;
}

void run_train_weights(TrainWeightsArguments& options, Session& session) {
  options.train.seed = session.seed();
  WeightTrainer trainer(options.train);
  for (const std::string& folder : options.apart) {
    for (const fs::path& file : rigged_files(folder)) trainer.keep_apart(load_file(file.string(), session));
  }
  std::size_t seen = 0;
  for (const std::string& folder : options.folders) {
    for (const fs::path& file : rigged_files(folder)) {
      ++seen;
      Warnings warnings;
      try {
        trainer.add(load_file(file.string(), session), folder, warnings);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::bad_input) throw;
        warnings.push_back({"not-learned-from", error.what()});
      }
      session.warn(warnings);
    }
  }
  const TrainedWeights trained = trainer.train(session.progress());
  write_output(trained.model, options.output);
  session.finish({{"output", options.output},
                  {"files", seen},
                  {"characters", trained.characters},
                  {"unseen_ratio", trained.unseen_ratio},
                  {"seen_ratio", trained.seen_ratio},
                  {"unseen", to_json(trained.unseen)},
                  {"bytes", trained.model.size()}},
                 summary(options, trained, seen));
}

}  // namespace

void add_train_weights_command(Session& session) {
  auto options = std::make_shared<TrainWeightsArguments>();
  Command* command = session.add_command("train-weights", "teach the weight method auto from rigged characters");
  command->add_option("folders", options->folders, "folders of rigged files, subfolders included; one is one style")
      ->required();
  session.add_output(command, "-o,--output", options->output, "file to write (.sinewweights)", Session::Formats::one)
      ->required();
  command->add_option(
      "--apart-from", options->apart,
      "folders of characters to measure on later: nothing that shares geometry with them is learned from");
  command->add_option("--vertices", options->train.vertices, "vertices to learn from, of each character")
      ->in_range(50, 10'000)
      ->show_default();
  command->add_option("--epochs", options->train.epochs, "passes over all characters")
      ->in_range(1, 1000)
      ->show_default();
  command->add_option("--hidden", options->train.hidden, "size of the networks")->in_range(8, 512)->show_default();
  command->add_option("--members", options->train.members, "parts of the characters, each with a network of its own")
      ->in_range(1, 16)
      ->show_default();
  session.on_run(command, [options, &session] { run_train_weights(*options, session); });
}

}  // namespace sinew::cli
