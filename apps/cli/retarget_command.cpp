// sinew retarget: plays the motions of one file on the skeleton of another.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "character_choices.h"
#include "commands.h"
#include "session.h"
#include "sinew/asset/joint_map_file.h"
#include "sinew/base/file_bytes.h"
#include "sinew/evaluate/gates.h"
#include "sinew/io.h"
#include "sinew/retarget/clip_rest_pose.h"
#include "sinew/retarget/retarget.h"

namespace sinew::cli {
namespace {

struct RetargetArguments {
  std::string motion_file, character, output, motion, map, write_map, rest, require;
  std::optional<double> fps;
  bool all = false, keep = false, in_place = false, no_contacts = false, overwrite = false;
  double scale = 0;
};

std::vector<Metric> metrics_of(const RetargetReport& report) {
  return {{"linked-joints", static_cast<double>(report.linked_joints), Better::higher},
          {"contacts", static_cast<double>(report.contacts), Better::higher},
          {"worst-slide", report.worst_slide, Better::lower},
          {"mean-slide", report.mean_slide, Better::lower}};
}

const std::vector<std::string>& retarget_metric_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Metric& metric : metrics_of(RetargetReport{})) list.push_back(metric.name);
    return list;
  }();
  return names;
}

std::vector<Motion> chosen_motions(const Character& clip, const RetargetArguments& options) {
  if (clip.motions.empty()) {
    throw bad_input("'" + options.motion_file + "' holds no motion", "give a BVH, FBX or GLB file with one");
  }
  if (options.all && !options.motion.empty()) throw Error(ErrorKind::usage, "--all and --motion exclude each other");
  std::vector<Motion> motions = options.all ? clip.motions : std::vector<Motion>{resolve_motion(clip, options.motion)};
  if (options.fps) {
    for (Motion& motion : motions) motion = resample_motion(motion, *options.fps);
  }
  return motions;
}

void say_what_follows_nothing(const JointMap& map, const Skeleton& target, const Session& session) {
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    if (target.kinds[joint] == JointKind::joint && map.links[joint].source < 0) {
      session.say_detail("follows nothing: " + target.names[joint]);
    }
  }
}

void run_retarget(const RetargetArguments& options, Session& session) {
  const std::vector<Gate> gates = options.require.empty() ? std::vector<Gate>{} : parse_gates(options.require);
  check_gate_names(gates, retarget_metric_names());
  if (options.output.empty() && options.write_map.empty()) {
    throw Error(ErrorKind::usage, "nothing to write", "give -o OUTPUT, or --write-map FILE");
  }
  if (!options.output.empty()) {
    refuse_to_overwrite(options.character, options.output, options.overwrite);
    refuse_to_overwrite(options.motion_file, options.output, options.overwrite);
  }
  Character clip = load_character(options.motion_file);
  session.warn(clip.warnings);
  if (clip.name.empty()) clip.name = std::filesystem::path(options.motion_file).stem().string();
  const std::vector<Motion> motions = chosen_motions(clip, options);
  Character character = load_character(options.character);
  session.warn(character.warnings);
  if (character.skeleton.empty()) {
    throw bad_input("'" + options.character + "' has no skeleton", "sinew rig gives it one");
  }
  if (!options.rest.empty()) {
    clip.skeleton = with_rest_rotations_of(clip.skeleton, load_character(options.rest).skeleton);
  } else {
    Warnings warnings;
    clip.skeleton = usable_rest_pose(clip.skeleton, character.skeleton, warnings);
    session.warn(warnings);
  }

  JointMap map = map_joints(clip.skeleton, character.skeleton);
  if (!options.map.empty()) {
    const std::vector<std::byte> bytes = read_file_bytes(options.map);
    apply_joint_map_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, clip.skeleton, character.skeleton,
                         map);
  }
  check_joint_map(map, clip.skeleton, character.skeleton);
  say_what_follows_nothing(map, character.skeleton, session);
  if (!options.write_map.empty()) {
    write_file_text(options.write_map,
                    joint_map_to_json(map, clip.skeleton, character.skeleton,
                                      std::filesystem::path(options.motion_file).filename().string()));
  }
  nlohmann::json result = {{"linked_joints", map.linked()}, {"joints", character.skeleton.joint_count()}};
  if (options.output.empty()) {
    session.finish(result, fmt::format("{}: {} of {} joints mapped", options.write_map, map.linked(),
                                       character.skeleton.joint_count()));
    return;
  }

  if (!options.keep) character.motions.clear();
  RetargetOptions retarget;
  retarget.keep_contacts = !options.no_contacts;
  retarget.in_place = options.in_place;
  retarget.scale = options.scale;
  RetargetReport worst;
  int frames = 0;
  for (const Motion& motion : motions) {
    RetargetReport report;
    character.motions.push_back(retarget_motion(clip.skeleton, motion, character.skeleton, map, retarget, report));
    session.warn(report.warnings);
    result["motions"].push_back({{"name", motion.name},
                                 {"frames", motion.frame_count()},
                                 {"scale", report.scale},
                                 {"contacts", report.contacts},
                                 {"worst_slide", report.worst_slide},
                                 {"mean_slide", report.mean_slide},
                                 {"worst_slide_before", report.worst_slide_before}});
    frames += motion.frame_count();
    if (report.worst_slide >= worst.worst_slide) worst = report;
  }
  for (const Metric& metric : metrics_of(worst)) result["metrics"][metric.name] = metric.value;
  require_gates(check_gates(gates, metrics_of(worst)));
  session.warn(save_character(character, options.output));
  result["output"] = options.output;
  session.finish(result, fmt::format("{}: {} frames on {} of {} joints, {} foot contacts, worst slide {:.2f} % of the "
                                     "height",
                                     options.output, frames, map.linked(), character.skeleton.joint_count(),
                                     worst.contacts, 100 * worst.worst_slide));
}

}  // namespace

void add_retarget_command(Session& session) {
  auto options = std::make_shared<RetargetArguments>();
  Command* command = session.add_command("retarget", "play a motion on another skeleton");
  command->add_option("MOTION", options->motion_file, "file that holds the motion: .bvh .glb .gltf .fbx .dae")
      ->required();
  command->add_option("CHARACTER", options->character, "character (or skeleton) to play it on")->required();
  command->add_option("-o,--output", options->output, "where to write the moving character: .glb .gltf .bvh");
  command->add_option("--motion", options->motion, "which motion of the file: name or index [the first]");
  command->add_flag("--all", options->all, "all motions of the file");
  command->add_flag("--keep", options->keep, "keep the motions that the character has");
  command->add_option("--map", options->map, "joint map or corrections to the automatic one (JSON)");
  command->add_option("--write-map", options->write_map, "write the joint map that was used (JSON)");
  command->add_option("--rest", options->rest, "take the rest pose of the motion's skeleton from this file");
  command->add_option("--fps", options->fps, "frames per second of the result [as in the file]")->positive();
  command->add_option("--scale", options->scale, "of the path over the ground [leg length : leg length]")->positive();
  command->add_flag("--in-place", options->in_place, "leave out the path over the ground");
  command->add_flag("--no-contacts", options->no_contacts, "do not plant feet on the ground");
  command->add_option("--require", options->require, "gates; exit code 4 and no output when not met: worst-slide=0.01");
  command->add_flag("--overwrite", options->overwrite, "allow the output to be an input");
  session.on_run(command, [options, &session] { run_retarget(*options, session); });
}

}  // namespace sinew::cli
