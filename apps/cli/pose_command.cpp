// sinew pose: bakes a pose into the mesh, or every frame of a motion into numbered files.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "session.h"
#include "sinew/anatomy/joint_limits.h"
#include "sinew/asset/gltf/gltf_targets.h"
#include "sinew/asset/joint_limits_file.h"
#include "sinew/correctives/corrective_poser.h"
#include "sinew/io.h"
#include "sinew/pose_mesh.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct PoseArguments {
  std::string input, output, motion, method = "lbs", correctives;
  double budget = 0;
  std::optional<int> frame;
  std::optional<double> time, fps;
  int random = 0;
  std::string limits, write_limits;
  bool rest = false, drop_rig = false, overwrite = false, targets = false;
};

// A pose to bake and the number it has in the name of its file.
struct Moment {
  Pose pose;
  int number = 0;
};

// "walk_%04d.obj": where the number goes and how many digits it has at least.
struct Pattern {
  std::string before, after;
  int digits = 0;

  std::string path(int number) const { return fmt::format("{}{:0{}}{}", before, number, digits, after); }
};

std::optional<Pattern> parse_pattern(const std::string& output) {
  const std::size_t percent = output.find('%');
  if (percent == std::string::npos) return std::nullopt;
  const std::size_t end = output.find('d', percent);
  Pattern pattern;
  const char* first = output.data() + percent + 1;
  const char* last = output.data() + std::min(end, output.size());
  const bool number = first == last || std::from_chars(first, last, pattern.digits).ptr == last;
  if (end == std::string::npos || !number || pattern.digits > 9 || output.find('%', percent + 1) != std::string::npos) {
    throw Error(ErrorKind::usage, "'" + output + "' is no pattern for numbered files", "say for example walk_%04d.obj");
  }
  pattern.before = output.substr(0, percent);
  pattern.after = output.substr(end + 1);
  return pattern;
}

const Motion& choose_motion(const Character& character, const std::string& wanted) {
  if (character.motions.empty()) {
    throw Error(ErrorKind::usage, "'" + character.name + "' holds no motion", "say --rest or --random 1");
  }
  if (wanted.empty()) return character.motions.front();
  std::string names;
  for (const Motion& motion : character.motions) {
    if (motion.name == wanted) return motion;
    names += (names.empty() ? "" : ", ") + motion.name;
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), index);
  if (error == std::errc() && end == wanted.data() + wanted.size() && index < character.motions.size()) {
    return character.motions[index];
  }
  throw Error(ErrorKind::usage, fmt::format("'{}' holds no motion '{}'", character.name, wanted), "it holds: " + names);
}

std::vector<Moment> moments_of(const Motion& motion, const PoseArguments& options, bool many) {
  if (options.time) {
    if (*options.time < 0 || *options.time > motion.duration() + 1e-9) {
      throw Error(ErrorKind::usage, fmt::format("'{}' has no moment {:g} s", motion.name, *options.time),
                  fmt::format("it lasts {:g} s", motion.duration()));
    }
    return {{sample_motion(motion, *options.time), 0}};
  }
  if (options.frame || !many) {
    const int count = motion.frame_count(), wanted = options.frame.value_or(0);
    const int frame = wanted < 0 ? wanted + count : wanted;
    if (frame < 0 || frame >= count) {
      throw Error(ErrorKind::usage, fmt::format("'{}' has no frame {}", motion.name, wanted),
                  fmt::format("its frames go from 0 to {}", count - 1));
    }
    return {{frame_pose(motion, frame), frame}};
  }
  const Motion frames = options.fps ? resample_motion(motion, *options.fps) : motion;
  std::vector<Moment> moments;
  for (int frame = 0; frame < frames.frame_count(); ++frame) moments.push_back({frame_pose(frames, frame), frame});
  return moments;
}

std::vector<Moment> random_moments(const Skeleton& skeleton, const JointLimits& limits, int count, std::uint64_t seed) {
  std::vector<Moment> moments;
  for (int i = 0; i < count; ++i) {
    Random random = Random::stream(seed, i);
    moments.push_back({random_pose(skeleton, limits, random), i});
  }
  return moments;
}

bool holds_rigs(const fs::path& path) {
  const fs::path extension = path.extension();
  return extension == ".glb" || extension == ".gltf";
}

// The character with this pose as its new bind pose; `keep_rig`: with the skeleton moved along.
Character baked(const Character& character, const Pose& pose, const PoseArguments& options, bool keep_rig,
                CorrectivePoser* correctives) {
  const auto method = options.method == "dqs" ? SkinningMethod::dual_quaternion : SkinningMethod::linear_blend;
  Character result = character;
  result.mesh = pose_mesh(character.mesh, character.weights, skinning_transforms(character.skeleton, pose), method);
  if (correctives != nullptr) {
    CorrectivePoser::Posed posed = correctives->pose(character.skeleton, pose, 0, options.budget);
    result.mesh.positions = std::move(posed.positions);
    if (!result.mesh.normals.empty()) result.mesh.normals = std::move(posed.normals);
  }
  if (!keep_rig) {
    result.skeleton = {};
    result.weights = {};
    result.motions.clear();
    for (Part& part : result.parts) part.binding = PartBinding::fixed;
    result.source.reset();
  } else {
    result.skeleton.rest = global_transforms(character.skeleton, pose);
  }
  return result;
}

void check_options(const PoseArguments& options, bool many) {
  const int ways = (options.frame || options.time) + options.rest + (options.random > 0);
  if (ways > 1 || (options.frame && options.time)) {
    throw Error(ErrorKind::usage, "--frame, --time, --rest and --random exclude each other", "choose one pose");
  }
  if ((options.rest || options.random > 0) && !options.motion.empty()) {
    throw Error(ErrorKind::usage, "--rest and --random need no --motion");
  }
  if ((!options.limits.empty() || !options.write_limits.empty()) && options.random == 0) {
    throw Error(ErrorKind::usage, "--limits and --write-limits are for random poses", "say --random 1");
  }
  if (options.random > 1 && !many) {
    throw Error(ErrorKind::usage, fmt::format("{} poses do not fit one file", options.random),
                "number the files: -o pose_%03d.obj");
  }
  if (options.targets && (many || ways > 0 || !holds_rigs(options.output))) {
    throw Error(ErrorKind::usage, "--targets puts a whole motion into one glTF file", "say for example -o walk.glb");
  }
  if (!options.correctives.empty() && options.method != "lbs") {
    throw Error(ErrorKind::usage, "correctives are made for linear blend skinning", "leave out --method");
  }
  if (options.fps && (!many || ways > 0)) {
    throw Error(ErrorKind::usage, "--fps is for baking a whole motion", "number the files: -o walk_%04d.obj");
  }
}

// The motion with its corrections as morph targets: a character that any viewer plays as it should look.
void write_targets(const PoseArguments& options, const Character& character, const Motion& motion,
                   CorrectivePoser& correctives, Session& session) {
  constexpr double tolerance = 1e-4;  // of the bounding diagonal
  constexpr int most = 64;
  std::vector<std::vector<Vec3f>> frames;
  const Progress progress = session.progress();
  for (int frame = 0; frame < motion.frame_count(); ++frame) {
    progress(static_cast<double>(frame) / motion.frame_count(), "posing");
    std::vector<Vec3f> offsets = correctives.corrected_rest(frame_pose(motion, frame), 0, options.budget);
    for (std::size_t v = 0; v < offsets.size(); ++v) offsets[v] -= character.mesh.positions[v];
    frames.push_back(std::move(offsets));
  }
  MorphTargets targets = compress_to_targets(frames, tolerance * bounding_diagonal(character.mesh), most);
  targets.motion = motion.name;
  for (int frame = 0; frame < motion.frame_count(); ++frame) targets.times.push_back(frame / motion.frames_per_second);
  session.warn(write_gltf_targets(character, targets, options.output));
  session.finish({{"input", options.input},
                  {"motion", motion.name},
                  {"targets", targets.offsets.size()},
                  {"files", {options.output}}},
                 fmt::format("wrote {}: '{}' with {} morph targets for {} frames", options.output, motion.name,
                             targets.offsets.size(), motion.frame_count()));
}

void run_pose(const PoseArguments& options, Session& session) {
  const std::optional<Pattern> pattern = parse_pattern(options.output);
  check_options(options, pattern.has_value());
  refuse_to_overwrite(options.input, options.output, options.overwrite);
  Character character = load_character(options.input);
  if (character.name.empty()) character.name = fs::path(options.input).stem().string();
  session.warn(character.warnings);
  if (!character.has_skin() || character.skeleton.empty()) {
    throw bad_input("'" + options.input + "' has no skeleton or no skin weights, so it cannot be posed",
                    "sinew bind computes weights");
  }

  std::optional<CorrectivePoser> correctives;
  if (!options.correctives.empty()) {
    correctives.emplace(CorrectiveFile(fs::path(options.correctives)));
    correctives->check_fits(character);
  }

  if (options.targets) {
    write_targets(options, character, choose_motion(character, options.motion), *correctives, session);
    return;
  }

  std::string motion_name;
  std::vector<Moment> moments;
  if (options.rest) {
    moments.push_back({rest_pose(character.skeleton), 0});
  } else if (options.random > 0) {
    const JointLimits limits = options.limits.empty() ? default_joint_limits(character.skeleton)
                                                      : read_joint_limits(options.limits, character.skeleton);
    if (!options.write_limits.empty()) write_joint_limits(options.write_limits, character.skeleton, limits);
    moments = random_moments(character.skeleton, limits, options.random, session.seed());
  } else {
    const Motion& motion = choose_motion(character, options.motion);
    motion_name = motion.name;
    moments = moments_of(motion, options, pattern.has_value());
  }

  if (pattern) {
    const fs::path folder = fs::path(pattern->before + "x").parent_path();
    std::error_code problem;
    if (!folder.empty()) fs::create_directories(folder, problem);
  }
  // A mesh is what one asks a mesh format for: no warning that it holds no skeleton.
  const bool keep_rig = !options.drop_rig && holds_rigs(options.output);
  const Progress progress = session.progress();
  std::vector<std::string> files;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(moments.size()), "posing");
    const std::string path = pattern ? pattern->path(moments[i].number) : options.output;
    const Warnings lost = save_character(
        baked(character, moments[i].pose, options, keep_rig, correctives ? &*correctives : nullptr), path);
    if (i == 0) session.warn(lost);  // the same for every frame
    files.push_back(path);
  }
  const nlohmann::json result = {
      {"input", options.input}, {"motion", motion_name}, {"method", options.method}, {"files", files}};
  const std::string text = files.size() == 1
                               ? "wrote " + files[0]
                               : fmt::format("wrote {} files, {} to {}", files.size(), files.front(), files.back());
  session.finish(result, text);
}

}  // namespace

void add_pose_command(Session& session) {
  auto options = std::make_shared<PoseArguments>();
  Command* command = session.add_command("pose", "bake a pose, or every frame of a motion, into the mesh");
  command->add_option("IN", options->input, "a character with skeleton and weights")->required();
  command->add_option("-o,--output", options->output, "a file, or a pattern like walk_%04d.obj for a whole motion")
      ->required();
  command->add_option("--motion", options->motion, "name or number of the motion; default: the first");
  command->add_option("--frame", options->frame, "frame of the motion, from 0; negative: from the end");
  command->add_option("--time", options->time, "moment of the motion in seconds");
  command->add_option("--fps", options->fps, "frames per second of a whole motion; default: its own")->positive();
  command->add_flag("--rest", options->rest, "the bind pose");
  command->add_option("--limits", options->limits, "JSON with ranges of joints for --random, in degrees");
  command->add_option("--write-limits", options->write_limits, "write the ranges used, as a file to edit");
  command->add_option("--random", options->random, "this many random poses within the joints' limits (see --seed)")
      ->positive();
  command->add_option("--method", options->method, "lbs (linear blend) or dqs (dual quaternions)")
      ->one_of({"lbs", "dqs"})
      ->show_default();
  auto* correctives =
      command->add_option("--correctives", options->correctives, "a .sinewc from sinew train: with lbs");
  command
      ->add_option("--budget", options->budget, "microseconds for the correctives of a frame; 0: as many as it takes")
      ->non_negative()
      ->needs(correctives);
  command
      ->add_flag("--targets", options->targets,
                 "the whole motion in one glTF file that plays anywhere: corrections as morph targets")
      ->needs(correctives);
  command->add_flag("--drop-rig", options->drop_rig, "write the mesh alone, without skeleton, weights and motions");
  command->add_flag("--overwrite", options->overwrite, "allow the output to be the input");
  session.on_run(command, [options, &session] { run_pose(*options, session); });
}

}  // namespace sinew::cli
