// sinew train-fit: trains the networks that place joints and give weights. libtorch does the work, in sinew-torch.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "session.h"
#include "sinew/base/file_bytes.h"
#include "sinew/base/parallel.h"
#include "sinew/learn/body_features.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct TrainFitArguments {
  std::vector<std::string> folders;
  std::string output, checkpoint, builtin_folder, makehuman, plots, features;
  int builtin = 60, makehuman_people = 100, image_steps = 5000, fit_steps = 16'000;
};

void run_train_fit(const TrainFitArguments& options, Session& session) {
  torch_program_path();
  const std::string checkpoint = options.checkpoint.empty() ? options.output + ".checkpoint" : options.checkpoint;
  for (const std::string& folder : options.folders) {
    if (!fs::is_directory(folder)) throw Error(ErrorCode::file_not_found, "'" + folder + "' is not a folder");
  }
  if (options.builtin == 0 && options.folders.empty() && options.makehuman.empty()) {
    throw Error(ErrorCode::option_missing, "there is nothing to learn from",
                "use --characters FOLDER, or --builtin above 0");
  }
  const nlohmann::json job = {{"output", options.output},
                              {"checkpoint", checkpoint},
                              {"characters", options.folders},
                              {"builtin", options.builtin},
                              {"builtin_folder", options.builtin_folder},
                              {"makehuman", options.makehuman},
                              {"makehuman_people", options.makehuman_people},
                              {"image_steps", options.image_steps},
                              {"fit_steps", options.fit_steps},
                              {"plots", options.plots},
                              {"features", options.features},
                              {"threads", thread_count()},
                              {"seed", session.seed()}};
  const std::string job_file = options.output + ".job.json";
  write_file_text(job_file, job.dump(1) + "\n");
  run_torch_program({"train", job_file});
  session.finish({{"output", options.output}, {"checkpoint", checkpoint}, {"bytes", fs::file_size(options.output)}},
                 fmt::format("{}: {:.2f} MB; use it with sinew fit --model {}", options.output,
                             static_cast<double>(fs::file_size(options.output)) / 1e6, options.output));
}

}  // namespace

void add_train_fit_command(Session& session) {
  auto options = std::make_shared<TrainFitArguments>();
  Command* command =
      session.add_command("train-fit", "train the networks of fit and bind from rigged characters (after make torch)");
  command->add_option("-o,--output", options->output, "file to write (.sinewfit)")->required();
  command->add_option("--characters", options->folders, "folders of rigged files to learn from, subfolders included");
  command->add_option("--builtin", options->builtin, "built-in characters to learn from, of each of four kinds")
      ->in_range(0, 1000)
      ->show_default();
  command->add_option("--builtin-folder", options->builtin_folder,
                      "folder to keep the built-in characters for the next run");
  command->add_option("--makehuman", options->makehuman, "folder of MakeHuman's data, to make people from");
  command->add_option("--makehuman-people", options->makehuman_people, "people to make from MakeHuman's data")
      ->in_range(1, 10'000)
      ->show_default();
  command->add_option("--image-steps", options->image_steps, "training steps of the image network, six pictures each")
      ->in_range(1, 1'000'000)
      ->show_default();
  command->add_option("--fit-steps", options->fit_steps, "training steps of the fitting networks, four bodies each")
      ->in_range(1, 10'000'000)
      ->show_default();
  command->add_option("--checkpoint", options->checkpoint, "file to continue from after a stop")
      ->default_is("OUTPUT.checkpoint");
  command->add_option("--features", options->features, "image network to use instead of training one (TorchScript)");
  command->add_option("--plots", options->plots, "folder for charts of the losses");
  session.on_run(command, [options, &session] { run_train_fit(*options, session); });
}

}  // namespace sinew::cli
