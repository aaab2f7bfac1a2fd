// What the C interface makes of a character: levels of detail, correctives, figures and pictures.
#include "bindings/c/pipeline_options.h"
#include "sinew/correctives.h"
#include "sinew/draw/image.h"
#include "sinew/evaluate.h"
#include "sinew/pipeline/report_json.h"
#include "sinew/pipeline_c.h"
#include "sinew/render.h"

namespace sinew::binding {
namespace {

using nlohmann::json;

constexpr std::size_t least_simulate = SINEW_SIZE_UP_TO(sinew_simulate_options, threads);
constexpr std::size_t least_train = SINEW_SIZE_UP_TO(sinew_train_options, threads);
constexpr std::size_t least_evaluate = SINEW_SIZE_UP_TO(sinew_evaluate_options, threads);
constexpr std::size_t least_render = SINEW_SIZE_UP_TO(sinew_render_options, threads);

std::size_t levels_asked_for(const LodOptions& options) {
  if (!options.vertex_counts.empty()) return options.vertex_counts.size() + 1;
  return options.levels > 0 ? static_cast<std::size_t>(options.levels) : 0;
}

// Destroys handles that were made when a later one could not be.
class NewLevels {
 public:
  explicit NewLevels(sinew_character** levels) : levels_(levels) {}
  ~NewLevels() {
    if (kept_) return;
    for (std::size_t i = 0; i < count_; ++i) {
      sinew_character_destroy(levels_[i]);
      levels_[i] = nullptr;
    }
  }
  NewLevels(const NewLevels&) = delete;
  NewLevels& operator=(const NewLevels&) = delete;
  void add(Character level) {
    levels_[count_] = new_handle(std::move(level));
    ++count_;
  }
  void keep() { kept_ = true; }

 private:
  sinew_character** levels_;
  std::size_t count_ = 0;
  bool kept_ = false;
};

SimulateOptions simulate_options_of(const sinew_simulate_options* given) {
  const auto taken = options_of(given, sinew_simulate_options_defaults, least_simulate, "sinew_simulate_options");
  SimulateOptions options;
  options.poses = taken.poses;
  options.own_motions = taken.own_motions != 0;
  const auto motions = array_of(taken.motions, taken.motion_count, "motions");
  options.motions.assign(motions.begin(), motions.end());
  options.every = taken.every;
  options.run_length = taken.run_length;
  options.step = taken.step;
  options.cells = taken.cells;
  options.cell_size = taken.cell_size;
  options.bone_thickness = taken.bone_thickness;
  options.volume_stiffness = taken.volume_stiffness;
  options.contact = taken.contact != 0;
  options.seed = taken.seed;
  options.threads = taken.threads;
  return options;
}

CorrectiveTrainingOptions train_options_of(const sinew_train_options* given) {
  const auto taken = options_of(given, sinew_train_options_defaults, least_train, "sinew_train_options");
  CorrectiveTrainingOptions options;
  options.isolate = taken.isolate != 0;
  options.lod = lod_options_of(taken.lod);
  options.regions = taken.regions;
  options.tolerances = {taken.tolerance};
  for (const char* motion : array_of(taken.test_motions, taken.test_motion_count, "test_motions")) {
    require(motion, "the name of a test motion");
    options.test_motions.emplace_back(motion);
  }
  options.most_joints = taken.most_joints;
  options.hidden = taken.hidden;
  options.seed = taken.seed;
  options.threads = taken.threads;
  return options;
}

EvaluateOptions evaluate_options_of(const sinew_evaluate_options* given) {
  const auto taken = options_of(given, sinew_evaluate_options_defaults, least_evaluate, "sinew_evaluate_options");
  EvaluateOptions options;
  options.max_influences = taken.max_influences;
  options.poses_per_motion = taken.poses_per_motion;
  options.random_poses = taken.random_poses;
  options.normal_degrees = taken.normal_degrees;
  options.intersection_poses = taken.intersection_poses;
  options.seed = taken.seed;
  options.joint_limits = text_or(taken.joint_limits, "");
  options.threads = taken.threads;
  return options;
}

PictureRequest picture_request_of(const sinew_render_options& taken) {
  PictureRequest request;
  request.mode = text_or(taken.mode, "shaded");
  request.joint = text_or(taken.joint, "");
  request.view = text_or(taken.view, "front");
  request.width = taken.width;
  request.height = taken.height;
  request.motion = taken.motion;
  request.seconds = taken.seconds;
  request.dual_quaternions = taken.dual_quaternions != 0;
  request.skeleton = taken.skeleton != 0;
  request.legend = taken.legend != 0;
  request.samples = taken.samples;
  request.threads = taken.threads;
  return request;
}

std::vector<std::byte> rgba_of(std::span<const std::byte> png) {
  const Image image = decode_image(png);
  std::vector<std::byte> bytes;
  bytes.reserve(4 * image.pixels.size());
  for (const Pixel& pixel : image.pixels) {
    for (const std::uint8_t channel : pixel) bytes.push_back(static_cast<std::byte>(channel));
    bytes.push_back(std::byte{255});
  }
  return bytes;
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

sinew_status sinew_make_lods(const sinew_character* character, const sinew_lod_options* options,
                             const sinew_progress* progress, sinew_character** levels, size_t capacity, size_t* count,
                             sinew_result* result) {
  if (count != nullptr) *count = 0;
  for (std::size_t i = 0; levels != nullptr && i < capacity; ++i) levels[i] = nullptr;
  return run_call(result, [&](ResultObject& report) {
    require(levels, "levels");
    require(count, "count");
    const Reading read(character, "character");
    const LodOptions chosen = lod_options_of(options);
    if (levels_asked_for(chosen) > capacity) {
      throw Error(ErrorCode::argument_invalid, "there is room for " + std::to_string(capacity) + " levels, but " +
                                                   std::to_string(levels_asked_for(chosen)) + " are asked for");
    }
    const LodChain chain = make_lod_chain(*read, chosen, progress_of(progress));
    add_warnings(report, chain.warnings);
    json list = json::array();
    NewLevels made(levels);
    for (const LodLevel& level : chain.levels) {
      list.push_back({{"vertices", level.mesh.vertex_count()},
                      {"triangles", level.mesh.triangles.size()},
                      {"error", level.error}});
      made.add(list.size() == 1 ? *read : level_character(*read, level));
    }
    set_report(report, {{"levels", list}});
    *count = chain.levels.size();
    made.keep();
  });
}

void sinew_simulate_options_defaults(sinew_simulate_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_simulate_options* options) {
    const SimulateOptions defaults;
    options->poses = defaults.poses;
    options->own_motions = defaults.own_motions;
    options->every = defaults.every;
    options->run_length = defaults.run_length;
    options->step = defaults.step;
    options->cells = defaults.cells;
    options->cell_size = defaults.cell_size;
    options->bone_thickness = defaults.bone_thickness;
    options->volume_stiffness = defaults.volume_stiffness;
    options->contact = defaults.contact;
    options->seed = defaults.seed;
    options->threads = defaults.threads;
  });
}

sinew_status sinew_simulate(const sinew_character* character, const char* folder, const sinew_simulate_options* options,
                            const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    require(folder, "folder");
    const Reading read(character, "character");
    const SimulateReport done = simulate_shapes(*read, folder, simulate_options_of(options), progress_of(progress));
    add_warnings(report, done.warnings);
    set_report(report, report_json(done));
  });
}

void sinew_train_options_defaults(sinew_train_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_train_options* options) {
    const CorrectiveTrainingOptions defaults;
    options->isolate = defaults.isolate;
    options->regions = defaults.regions;
    options->tolerance = defaults.tolerances.front();
    options->most_joints = defaults.most_joints;
    options->hidden = defaults.hidden;
    options->seed = defaults.seed;
    options->threads = defaults.threads;
  });
}

sinew_status sinew_train_correctives(const char* folder, const sinew_train_options* options,
                                     const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    require(folder, "folder");
    CorrectiveTraining trained = train_correctives_for(folder, train_options_of(options), progress_of(progress));
    add_warnings(report, trained.warnings);
    set_report(report, report_json(trained));
    add_file(report, "correctives.sinewc", std::move(trained.runs.front().bytes));
  });
}

void sinew_evaluate_options_defaults(sinew_evaluate_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_evaluate_options* options) {
    const EvaluateOptions defaults;
    options->max_influences = defaults.max_influences;
    options->poses_per_motion = defaults.poses_per_motion;
    options->random_poses = defaults.random_poses;
    options->normal_degrees = defaults.normal_degrees;
    options->intersection_poses = defaults.intersection_poses;
    options->seed = defaults.seed;
    options->threads = defaults.threads;
  });
}

sinew_status sinew_evaluate(const sinew_character* character, const sinew_character* truth,
                            const sinew_evaluate_options* options, const sinew_progress* progress,
                            sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const Reading read(character, "character");
    std::optional<Reading> other;
    if (truth != nullptr) other.emplace(truth, "truth");
    EvaluationReport measured =
        evaluate_character(*read, other ? &**other : nullptr, evaluate_options_of(options), progress_of(progress));
    add_warnings(report, measured.warnings);
    json full = json::parse(measured.json);
    for (const Metric& metric : measured.metrics) {
      full["metrics"][metric.name] = metric.value;
      report.numbers[metric.name] = metric.value;
    }
    set_report(report, full);
    report.values = std::move(measured.vertex_errors);
  });
}

void sinew_render_options_defaults(sinew_render_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_render_options* options) {
    const PictureRequest defaults;
    options->mode = "shaded";
    options->view = "front";
    options->width = defaults.width;
    options->height = defaults.height;
    options->motion = defaults.motion;
    options->seconds = defaults.seconds;
    options->dual_quaternions = defaults.dual_quaternions;
    options->skeleton = defaults.skeleton;
    options->legend = defaults.legend;
    options->samples = defaults.samples;
    options->format = "png";
    options->threads = defaults.threads;
  });
}

sinew_status sinew_render(const sinew_character* character, const sinew_render_options* options,
                          const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const auto taken = options_of(options, sinew_render_options_defaults, least_render, "sinew_render_options");
    const std::string format = text_or(taken.format, "png");
    if (format != "png" && format != "rgba") {
      throw Error(ErrorCode::choice_unknown, "there is no picture format '" + format + "'", "there are: png, rgba")
          .about("format");
    }
    const Reading read(character, "character");
    RenderedPicture picture = render_character(*read, picture_request_of(taken), progress_of(progress));
    add_warnings(report, picture.warnings);
    set_report(report, {{"width", taken.width}, {"height", taken.height}});
    add_file(report, "picture." + format, format == "png" ? std::move(picture.png) : rgba_of(picture.png));
  });
}

}  // extern "C"
