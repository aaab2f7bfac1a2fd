// sinew pose: bakes a pose into the mesh, or every frame of a motion into numbered files.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "character_choices.h"
#include "commands.h"
#include "files.h"
#include "numbered_path.h"
#include "sinew/anatomy/joint_limits.h"
#include "sinew/asset/gltf/gltf_targets.h"
#include "sinew/asset/joint_limits_file.h"
#include "sinew/correctives/corrective_poser.h"
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

std::vector<Moment> moments_of(const Motion& motion, const PoseArguments& options, bool many) {
  if (options.time) {
    if (*options.time < 0 || *options.time > motion.duration() + 1e-9) {
      throw Error(ErrorCode::frame_unknown, fmt::format("'{}' has no moment {:g} s", motion.name, *options.time),
                  fmt::format("it lasts {:g} s", motion.duration()));
    }
    return {{sample_motion(motion, *options.time), 0}};
  }
  if (options.frame || !many) {
    const int count = motion.frame_count(), wanted = options.frame.value_or(0);
    const int frame = wanted < 0 ? wanted + count : wanted;
    if (frame < 0 || frame >= count) {
      throw Error(ErrorCode::frame_unknown, fmt::format("'{}' has no frame {}", motion.name, wanted),
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

bool holds_rigs(const std::string& output, const Session& session) {
  const std::optional<FileFormat> format = output_format(output, session);
  return format == FileFormat::glb || format == FileFormat::gltf;
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

void check_options(const PoseArguments& options, bool many, const Session& session) {
  const int ways = (options.frame || options.time) + options.rest + (options.random > 0);
  if (ways > 1 || (options.frame && options.time)) {
    throw Error(ErrorCode::options_conflict, "--frame, --time, --rest and --random exclude each other",
                "choose one pose");
  }
  if ((options.rest || options.random > 0) && !options.motion.empty()) {
    throw Error(ErrorCode::options_conflict, "--rest and --random exclude --motion");
  }
  if ((!options.limits.empty() || !options.write_limits.empty()) && options.random == 0) {
    throw Error(ErrorCode::option_missing, "--limits and --write-limits are for random poses", "use --random 1");
  }
  if (options.random > 1 && !many) {
    throw Error(ErrorCode::option_invalid, fmt::format("{} poses do not fit one file", options.random),
                "number the files: -o pose_###.obj");
  }
  if (options.targets && (many || ways > 0 || !holds_rigs(options.output, session))) {
    throw Error(ErrorCode::output_format_unfit, "--targets puts a whole motion into one glTF file",
                "use for example -o walk.glb");
  }
  if (!options.correctives.empty() && options.method != "lbs") {
    throw Error(ErrorCode::options_conflict, "correctives are made for linear blend skinning", "leave out --method");
  }
  if (options.fps && (!many || ways > 0)) {
    throw Error(ErrorCode::options_conflict, "--fps is for baking a whole motion",
                "number the files: -o walk_####.obj");
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
  const auto write = [&](FileFormat format, const SaveOptions& save) {
    return write_gltf_targets(character, targets, format, save);
  };
  session.warn(save_file(write, options.output, session));
  session.finish({{"input", options.input},
                  {"motion", motion.name},
                  {"targets", targets.offsets.size()},
                  {"files", {options.output}}},
                 fmt::format("wrote {}: '{}' with {} morph targets for {} frames", options.output, motion.name,
                             targets.offsets.size(), motion.frame_count()));
}

void run_pose(const PoseArguments& options, Session& session) {
  const std::optional<NumberedPath> numbered = NumberedPath::parse(options.output);
  check_options(options, numbered.has_value(), session);
  refuse_to_overwrite(options.input, options.output, options.overwrite);
  const Character character = load_file(options.input, session);
  session.warn(character.warnings);
  if (!character.has_skin() || character.skeleton.empty()) {
    throw Error(ErrorCode::weights_missing,
                "'" + options.input + "' has no skeleton or no skin weights, so it cannot be posed");
  }

  std::optional<CorrectivePoser> correctives;
  if (!options.correctives.empty()) {
    correctives.emplace(
        parse_input(options.correctives, session, [](auto bytes) { return CorrectivePoser(CorrectiveFile(bytes)); }));
    correctives->check_fits(character);
  }

  if (options.targets) {
    write_targets(options, character, resolve_motion(character, options.motion), *correctives, session);
    return;
  }

  std::string motion_name;
  std::vector<Moment> moments;
  if (options.rest) {
    moments.push_back({rest_pose(character.skeleton), 0});
  } else if (options.random > 0) {
    const auto parse = [&](std::span<const std::byte> bytes) {
      return parse_joint_limits(as_text(bytes), character.skeleton);
    };
    const JointLimits limits =
        options.limits.empty() ? default_joint_limits(character.skeleton) : parse_input(options.limits, session, parse);
    if (!options.write_limits.empty()) {
      write_output(write_joint_limits(limits, character.skeleton), options.write_limits);
    }
    moments = random_moments(character.skeleton, limits, options.random, session.seed());
  } else {
    const Motion& motion = resolve_motion(character, options.motion);
    motion_name = motion.name;
    moments = moments_of(motion, options, numbered.has_value());
  }

  if (numbered) {
    const fs::path folder = fs::path(options.output).parent_path();
    std::error_code problem;
    if (!folder.empty()) fs::create_directories(folder, problem);
  }
  // A mesh is what one asks a mesh format for: no warning that it holds no skeleton.
  const bool keep_rig = !options.drop_rig && holds_rigs(options.output, session);
  const Progress progress = session.progress();
  std::vector<std::string> files;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(moments.size()), "posing");
    const std::string path = numbered ? numbered->path(moments[i].number) : options.output;
    const Warnings lost = save_file(
        baked(character, moments[i].pose, options, keep_rig, correctives ? &*correctives : nullptr), path, session);
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
  command->add_option("IN", options->input, "character with skeleton and weights")->required();
  session
      .add_output(command, "-o,--output", options->output,
                  "file to write; with walk_####.obj one numbered file per frame")
      ->required();
  command->add_option("--motion", options->motion, "name of the motion, the end of it, or its index")
      ->default_is("the first");
  command->add_option("--frame", options->frame, "frame of the motion; from 0, or negative from the end");
  command->add_option("--time", options->time, "moment of the motion in seconds");
  command->add_option("--fps", options->fps, "frames per second of a whole motion")->positive()->default_is("its own");
  command->add_flag("--rest", options->rest, "write the bind pose");
  command->add_option("--limits", options->limits, "JSON file with joint ranges for --random, in degrees");
  session.add_output(command, "--write-limits", options->write_limits,
                     "write the joint ranges in use to a JSON file to edit", Session::Formats::one);
  command->add_option("--random", options->random, "number of random poses within the joint ranges; see --seed")
      ->positive();
  command->add_option("--method", options->method, "skinning: lbs (linear blend) or dqs (dual quaternions)")
      ->one_of({"lbs", "dqs"})
      ->show_default();
  auto* correctives =
      command->add_option("--correctives", options->correctives, "correctives from sinew train (.sinewc); lbs only");
  command
      ->add_option("--budget", options->budget, "time for the correctives of a frame in microseconds; 0 for no limit")
      ->non_negative()
      ->needs(correctives);
  command
      ->add_flag("--targets", options->targets,
                 "write the whole motion to one glTF file with corrections as morph targets, which plays anywhere")
      ->needs(correctives);
  command->add_flag("--drop-rig", options->drop_rig, "write the mesh alone, without skeleton, weights and motions");
  command->add_flag("--overwrite", options->overwrite, "allow the output to be the input");
  session.on_run(command, [options, &session] { run_pose(*options, session); });
}

}  // namespace sinew::cli
