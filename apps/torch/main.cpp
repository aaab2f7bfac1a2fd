// sinew-torch: the part of Sinew that needs libtorch, as a program of its own, so that nothing else has to load it.
//
//   sinew-torch train JOB.json            trains the fitting networks; `sinew train-fit` writes the job
//   sinew-torch features MODEL.pt         runs a TorchScript network over the pictures on standard input; `--features`
//                                         of sinew calls it and reads the features from standard output
//
// Exit codes as everywhere (docs/architecture.md); the message is one line on stderr.
#include <ATen/Parallel.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "script_features.h"
#include "sinew/base/file_bytes.h"
#include "sinew/base/parallel.h"
#include "sinew/draw/chart.h"
#include "sinew/error.h"
#include "sinew/learn/body_features.h"
#include "train_fit.h"
#include "train_image.h"
#include "training_pool.h"

namespace sinew::torch_program {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_job(const fs::path& path) {
  const std::vector<std::byte> bytes = read_file_bytes(path);
  const auto* begin = reinterpret_cast<const char*>(bytes.data());
  json job = json::parse(begin, begin + bytes.size(), nullptr, false);
  if (!job.is_object()) throw Error(ErrorCode::settings_invalid, "'" + path.string() + "' is not a job");
  return job;
}

void draw_curve(const std::vector<LossPoint>& curve, const std::string& title, const fs::path& path) {
  if (curve.empty()) return;
  Chart chart{.title = title, .x = {.label = "step"}, .y = {.label = "mean distance, in heights", .logarithmic = true}};
  ChartSeries training{.name = "training"}, held_out{.name = "characters never trained on"};
  for (const LossPoint& point : curve) {
    training.x.push_back(static_cast<double>(point.step));
    held_out.x.push_back(static_cast<double>(point.step));
    training.y.push_back(point.training);
    held_out.y.push_back(point.validation);
  }
  chart.series = {training, held_out};
  write_chart(chart, path);
}

// The losses so far, as numbers beside the networks, and as charts in the folder `plots` when it is given.
void write_losses(const NetworkFile& checkpoint, const fs::path& output, const std::string& plots) {
  const std::vector<LossPoint> image = read_curve(checkpoint, "image/curve"), fit = read_curve(checkpoint, "fit/curve");
  std::string text = "network,step,training,held_out\n";
  for (const auto& [name, curve] : {std::pair{"image", &image}, std::pair{"fit", &fit}}) {
    for (const LossPoint& point : *curve) {
      char line[96];
      std::snprintf(line, sizeof line, "%s,%lld,%.5f,%.5f\n", name, static_cast<long long>(point.step), point.training,
                    point.validation);
      text += line;
    }
  }
  write_file_text(output.string() + ".losses.csv", text);
  if (plots.empty()) return;
  fs::create_directories(plots);
  draw_curve(image, "Image network: body coordinates", fs::path(plots) / "image_loss.svg");
  draw_curve(fit, "Fitting network: joints", fs::path(plots) / "fit_loss.svg");
}

NetworkFile shipped(const NetworkFile& checkpoint, const json& description) {
  NetworkFile file;
  file.description = description.dump();
  for (const auto& [name, array] : checkpoint.arrays) {
    if (name.find('/') == std::string::npos) file.arrays[name] = array;
  }
  return file;
}

void add_features(std::vector<TrainingBody>& bodies, const BodyFeatures& features) {
  for (TrainingBody& body : bodies) body.features = features.of_vertices(body.mesh);
}

void train(const json& job) {
  at::set_num_threads(thread_count());
  const fs::path output = job.at("output").get<std::string>();
  const fs::path kept = job.at("checkpoint").get<std::string>();
  PoolOptions pool_options;
  pool_options.builtin_per_kind = job.at("builtin");
  pool_options.builtin_folder = job.value("builtin_folder", "");
  pool_options.makehuman = job.value("makehuman", "");
  pool_options.makehuman_people = job.value("makehuman_people", 0);
  pool_options.seed = job.at("seed");
  for (const std::string folder : job.at("characters")) pool_options.folders.emplace_back(folder);
  TrainingPool pool = make_training_pool(pool_options);
  for (const std::string& reason : pool.left_out) std::fprintf(stderr, "left out: %s\n", reason.c_str());
  std::fprintf(stderr, "%d characters, %zu bodies to train on, %zu held out\n", pool.characters, pool.bodies.size(),
               pool.held_out.size());
  if (pool.spoilt_variants > 0) std::fprintf(stderr, "%d variants came out as no person\n", pool.spoilt_variants);
  if (pool.bodies.empty()) throw Error(ErrorCode::training_data_invalid, "there is no character to train on");

  NetworkFile checkpoint;
  if (fs::exists(kept)) checkpoint = load_network_file(kept);
  // What a user of the network wants to know of it; no paths, which name somebody's machine.
  json description = {{"characters", pool.characters}, {"bodies", pool.bodies.size()}, {"seed", job.at("seed")}};
  for (const char* count : {"builtin", "image_steps", "fit_steps"}) description[count] = job.at(count);
  const auto save = [&] {
    save_network_file(checkpoint, kept);
    save_network_file(shipped(checkpoint, description), output);
    write_losses(checkpoint, output, job.value("plots", ""));
  };
  const std::string script = job.value("features", "");
  std::vector<LossPoint> image_curve;
  if (script.empty()) {
    ImageTraining image;
    image.steps = job.at("image_steps");
    image.seed = pool_options.seed;
    image_curve = train_image_network(pool.bodies, pool.held_out, image, checkpoint, save);
  }
  const BodyFeatures features =
      script.empty() ? BodyFeatures(ImageNetwork(checkpoint)) : BodyFeatures(fs::path(script));
  add_features(pool.bodies, features);
  add_features(pool.held_out, features);
  FitTraining fit;
  fit.steps = job.at("fit_steps");
  fit.seed = pool_options.seed;
  const std::vector<LossPoint> fit_curve = train_fit_network(pool.bodies, pool.held_out, fit, checkpoint, save);
  if (!image_curve.empty()) description["image_held_out"] = image_curve.back().validation;
  description["joints_held_out"] = fit_curve.back().validation;
  save();
}

std::vector<std::byte> read_all() {
  std::vector<std::byte> bytes;
  std::array<std::byte, 1 << 16> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), stdin)) {
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got));
  }
  return bytes;
}

void write_all(const std::vector<std::byte>& bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorCode::file_unwritable, "standard output could not be written");
  }
}

int run(int argc, char** argv) {
  at::set_num_threads(thread_count());
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "train" && argc == 3) {
    const json job = read_job(argv[2]);
    with_threads(job.at("threads").get<int>(), [&] { train(job); });
  } else if (command == "features" && argc == 3) {
    write_all(script_features(argv[2], read_all()));
  } else {
    throw Error(ErrorCode::argument_invalid, "usage: sinew-torch train JOB.json | features MODEL.pt <PICTURES >MAPS");
  }
  return 0;
}

}  // namespace
}  // namespace sinew::torch_program

int main(int argc, char** argv) {
  try {
    return sinew::torch_program::run(argc, argv);
  } catch (const sinew::Error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return sinew::exit_code(problem.kind());
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
