// sinew retarget: plays the motions of one file on the skeleton of another.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "character_choices.h"
#include "commands.h"
#include "files.h"
#include "save_choices.h"
#include "sinew/gates.h"
#include "sinew/pipeline/report_json.h"
#include "sinew/retarget.h"

namespace sinew::cli {
namespace {

struct RetargetArguments {
  std::string motion_file, character, output, motion, map, write_map, rest, trim, require;
  RetargetOptions retarget;
  SaveOptions save;
  bool all = false, no_contacts = false, overwrite = false, explain = false;
};

// The worst of all motions in every respect; contacts and mean slide are of the one whose feet slide most.
std::vector<Metric> retarget_metrics(const RetargetResult& result) {
  const RetargetReport report = result.worst();
  double deepest = 0, median = 0, direction = 0, limits = 0, penetration = 0, twist = 0;
  for (const RetargetReport& motion : result.motions) {
    deepest = std::min(deepest, motion.floor_deepest);
    median = std::max(median, std::abs(motion.floor_median));
    direction = std::max(direction, motion.direction_error);
    limits = std::max(limits, motion.limits_broken);
    penetration = std::max(penetration, motion.self_penetration);
    twist = std::max(twist, motion.twist);
  }
  return {{"linked-joints", static_cast<double>(result.map.linked_joints), Better::higher},
          {"mapped-share", result.map.share, Better::higher},
          {"contacts", static_cast<double>(report.contacts), Better::higher},
          {"worst-slide", report.worst_slide, Better::lower},
          {"mean-slide", report.mean_slide, Better::lower},
          {"floor-deepest", -deepest, Better::lower},
          {"floor-median", median, Better::lower},
          {"direction-error", direction, Better::lower},
          {"limits-broken", limits, Better::lower},
          {"self-penetration", penetration, Better::lower},
          {"twist", twist, Better::lower}};
}

const std::vector<std::string>& retarget_metric_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Metric& metric : retarget_metrics(RetargetResult{})) list.push_back(metric.name);
    return list;
  }();
  return names;
}

void say_what_follows_nothing(const RetargetMap& map, const Skeleton& target, const Session& session) {
  for (const int joint : map.unlinked) session.say_detail("follows nothing: " + target.names[joint]);
}

void explain_map(const RetargetMap& map, const Skeleton& target, const Session& session) {
  for (const RetargetPart& part : map.parts) {
    session.say(part.source >= 0 ? fmt::format("{:<16} {} follows {} (by {})", part.name, target.names[part.joint],
                                               part.source_name, part.reason)
                                 : fmt::format("{:<16} {} follows nothing", part.name, target.names[part.joint]));
  }
  session.say(fmt::format("{:.0f} % of the body is mapped", 100 * map.share));
}

// A file, a frame of the motion, or a word.
void take_rest(RetargetArguments& options) {
  const std::string& rest = options.rest;
  const bool number =
      !rest.empty() && std::all_of(rest.begin(), rest.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (number && rest.size() < 9) {
    options.retarget.rest_choice = RestChoice::frame;
    options.retarget.rest_frame = std::stoi(rest);
  } else if (rest == "none") {
    options.retarget.rest_choice = RestChoice::stored;
  } else if (rest != "auto") {
    return;
  }
  options.rest.clear();
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

// "1.5:4", ":4" or "1.5:".
void take_trim(RetargetArguments& options) {
  if (options.trim.empty()) return;
  const std::size_t colon = options.trim.find(':');
  const std::string begin = options.trim.substr(0, colon);
  const std::string end = colon == std::string::npos ? "" : options.trim.substr(colon + 1);
  const std::optional<double> from = begin.empty() ? 0.0 : number_in(begin);
  const std::optional<double> to = end.empty() ? 0.0 : number_in(end);
  if (colon == std::string::npos || !from || !to || *from < 0 || *to < 0 || (*to > 0 && *to < *from)) {
    throw Error(ErrorCode::option_invalid, "--trim takes BEGIN:END in seconds, got '" + options.trim + "'");
  }
  options.retarget.begin = *from;
  options.retarget.end = *to;
}

void check_arguments(const RetargetArguments& options) {
  if (options.output.empty() && options.write_map.empty() && !options.explain) {
    throw Error(ErrorCode::option_missing, "there is nothing to write",
                "use -o OUTPUT, or --write-map FILE, or --explain");
  }
  if (options.all && !options.motion.empty())
    throw Error(ErrorCode::options_conflict, "--all and --motion exclude each other");
  if (options.retarget.in_place && options.retarget.root_motion)
    throw Error(ErrorCode::options_conflict, "--in-place and --root-motion exclude each other");
  if (options.output.empty()) return;
  refuse_to_overwrite(options.character, options.output, options.overwrite);
  refuse_to_overwrite(options.motion_file, options.output, options.overwrite);
}

// One file, or every file of a folder that may hold a motion, in order of their names.
std::vector<std::string> clip_files(const std::string& motion) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_directory(motion, failed)) return {motion};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(motion, failed)) {
    const std::string extension = lower_case(entry.path().extension().string());
    const auto known = {".bvh", ".fbx", ".glb", ".gltf", ".vrm", ".dae"};
    if (std::find(known.begin(), known.end(), extension) != known.end()) files.push_back(entry.path().string());
  }
  if (files.empty()) {
    throw Error(ErrorCode::motion_missing, "the folder '" + motion + "' holds no motion",
                "give a folder with BVH, FBX, DAE or GLB files");
  }
  std::sort(files.begin(), files.end());
  return files;
}

Character load_clip(const std::string& file, Session& session) {
  Character clip = load_file(file, session);
  session.warn(clip.warnings);
  if (clip.motions.empty()) {
    throw Error(ErrorCode::motion_missing, "'" + file + "' holds no motion", "give a BVH, FBX or GLB file with one");
  }
  clip.name = std::filesystem::path(name_of_input(file)).filename().string();
  return clip;
}

// What all clips share: on whom, whose rest pose, which joint map.
struct RetargetInput {
  Character character, rest;
};

RetargetInput load_input(RetargetArguments& options, Session& session) {
  RetargetInput input;
  input.character = load_file(options.character, session);
  session.warn(input.character.warnings);
  if (input.character.skeleton.empty()) {
    throw Error(ErrorCode::skeleton_missing, "'" + options.character + "' has no skeleton", "sinew rig gives it one");
  }
  if (!options.rest.empty()) {
    input.rest = load_file(options.rest, session);
  }
  if (!options.map.empty()) {
    options.retarget.joint_map = as_text(read_input(options.map, session));
  }
  options.retarget.keep_contacts = !options.no_contacts;
  return input;
}

// Motions of a file of a folder: all, or those whose name or file name ends as asked. A motion that is alone in its
// file is called as the file.
std::vector<int> motions_of_folder(Character& clip, const std::string& file, const std::string& asked) {
  const std::string stem = std::filesystem::path(file).stem().string();
  if (clip.motions.size() == 1) clip.motions[0].name = stem;
  std::vector<int> chosen;
  for (std::size_t i = 0; i < clip.motions.size(); ++i) {
    const bool ends = lower_case(clip.motions[i].name).ends_with(lower_case(asked));
    if (ends || lower_case(stem).ends_with(lower_case(asked))) chosen.push_back(static_cast<int>(i));
  }
  return chosen;
}

// Every clip of a folder; what does not fit is named and left out.
RetargetResult retarget_folder(const std::vector<std::string>& files, RetargetArguments& options, RetargetInput& input,
                               Session& session) {
  RetargetResult all;
  std::optional<Error> last;
  bool any = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      Character clip = load_clip(files[i], session);
      any = true;
      options.retarget.motions = motions_of_folder(clip, files[i], options.motion);
      if (options.retarget.motions.empty()) continue;
      const double share = 1.0 / static_cast<double>(files.size());
      const RetargetResult one =
          retarget_motions(clip, input.character, options.retarget,
                           session.progress().part(share * static_cast<double>(i), share * static_cast<double>(i + 1)));
      if (all.motions.empty()) all.map = one.map;
      all.motions.insert(all.motions.end(), one.motions.begin(), one.motions.end());
      all.warnings.insert(all.warnings.end(), one.warnings.begin(), one.warnings.end());
      options.retarget.keep_motions = true;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_input) throw;
      session.warn(Warnings{{"clip-left-out", "'" + files[i] + "' was left out: " + error.what()}});
      last = error;
    }
  }
  if (!all.motions.empty()) return all;
  if (last && (!any || options.motion.empty())) throw Error(*last);
  throw Error(ErrorCode::motion_unknown,
              "no motion of '" + options.motion_file + "' ends with '" + options.motion + "'");
}

// What maps, without playing anything.
void finish_with_map(const RetargetArguments& options, const RetargetMap& map, const Skeleton& skeleton,
                     Session& session) {
  session.warn(map.warnings);
  const std::string& what = options.write_map.empty() ? options.character : options.write_map;
  session.finish(
      {{"linked_joints", map.linked_joints}, {"joints", skeleton.joint_count()}, {"mapped_share", map.share}},
      fmt::format("{}: {} of {} joints mapped", what, map.linked_joints, skeleton.joint_count()));
}

void finish_with_motions(const RetargetArguments& options, const RetargetResult& retargeted, const Skeleton& skeleton,
                         Session& session) {
  nlohmann::json result = {{"joints", skeleton.joint_count()}, {"output", options.output}};
  result.update(report_json(retargeted));
  for (const Metric& metric : retarget_metrics(retargeted)) result["metrics"][metric.name] = metric.value;
  int frames = 0;
  for (const RetargetReport& report : retargeted.motions) frames += report.frames;
  const RetargetReport worst = retargeted.worst();
  const std::size_t motions = retargeted.motions.size();
  session.finish(result, fmt::format("{}: {}{} frames on {} of {} joints, {} contacts, worst slide {:.2f} % of the "
                                     "height",
                                     options.output, motions > 1 ? fmt::format("{} motions, ", motions) : "", frames,
                                     retargeted.map.linked_joints, skeleton.joint_count(), worst.contacts,
                                     100 * worst.worst_slide));
}

void run_retarget(RetargetArguments& options, Session& session) {
  const std::vector<Gate> gates = options.require.empty() ? std::vector<Gate>{} : parse_gates(options.require);
  check_gate_names(gates, retarget_metric_names());
  check_arguments(options);
  take_rest(options);
  take_trim(options);
  const std::vector<std::string> files = clip_files(options.motion_file);
  const bool folder = files.size() > 1 || files[0] != options.motion_file;
  if (folder && (options.explain || !options.write_map.empty())) {
    throw Error(ErrorCode::options_conflict, "--explain and --write-map take one file of motions, not a folder");
  }
  RetargetInput input;
  RetargetResult retargeted;
  if (!options.rest.empty()) options.retarget.rest = &input.rest.skeleton;
  if (folder) {
    input = load_input(options, session);
    retargeted = retarget_folder(files, options, input, session);
  } else {
    const Character clip = load_clip(options.motion_file, session);
    if (!options.all) options.retarget.motions = {motion_index(clip, options.motion)};
    input = load_input(options, session);
    const RetargetMap map = map_retargeting(clip, input.character, options.retarget);
    if (options.explain) explain_map(map, input.character.skeleton, session);
    say_what_follows_nothing(map, input.character.skeleton, session);
    if (!options.write_map.empty()) write_output(map.json, options.write_map);
    if (options.output.empty()) return finish_with_map(options, map, input.character.skeleton, session);
    retargeted = retarget_motions(clip, input.character, options.retarget, session.progress());
  }
  session.warn(retargeted.warnings);
  require_gates(check_gates(gates, retarget_metrics(retargeted)));
  session.warn(save_file(input.character, options.output, session, options.save));
  finish_with_motions(options, retargeted, input.character.skeleton, session);
}

}  // namespace

void add_retarget_command(Session& session) {
  auto options = std::make_shared<RetargetArguments>();
  Command* command = session.add_command("retarget", "play a motion on another skeleton");
  command
      ->add_option("MOTION", options->motion_file,
                   "file that holds the motion: .bvh .glb .gltf .fbx .dae; or a folder of such files")
      ->required();
  command->add_option("CHARACTER", options->character, "character (or skeleton) to play it on")->required();
  session.add_output(command, "-o,--output", options->output,
                     "where to write the moving character: .glb .gltf .vrm .fbx .bvh");
  command->add_option("--motion", options->motion, "motion in the file: name, the end of it, or index")
      ->default_is("the first");
  command->add_flag("--all", options->all, "take all motions of the file");
  command->add_flag("--keep", options->retarget.keep_motions, "keep the motions that the character has");
  command->add_option("--map", options->map, "joint map, or corrections to the automatic one (JSON)");
  session.add_output(command, "--write-map", options->write_map, "write the joint map in use (JSON)",
                     Session::Formats::one);
  command->add_flag("--explain", options->explain, "say which part of the body follows which joint, and why");
  command
      ->add_option("--rest", options->rest,
                   "rest pose of the motion's skeleton: a frame of the motion, auto, none (as stored), or a file "
                   "that has it")
      ->default_is("auto");
  command->add_option("--fps", options->retarget.frames_per_second, "frames per second of the result")
      ->positive()
      ->default_is("as in the file");
  command->add_option("--trim", options->trim, "seconds of the motion to take: BEGIN:END, one of which may be missing")
      ->default_is("all of it");
  command->add_option("--speed", options->retarget.speed, "play it so many times as fast")->positive()->default_is("1");
  command->add_flag("--mirror", options->retarget.mirror, "exchange left and right");
  command->add_option("--scale", options->retarget.scale, "scale of the path over the ground")
      ->positive()
      ->default_is("ratio of leg lengths");
  command->add_flag("--in-place", options->retarget.in_place, "stay in place: leave out the path over the ground");
  command->add_flag("--root-motion", options->retarget.root_motion,
                    "move path and heading to the first joint or node above the hips");
  command->add_flag("--loop", options->retarget.loop,
                    "let the end ease into the first pose, so that the motion repeats");
  command->add_flag("--no-contacts", options->no_contacts,
                    "do not plant feet on the ground, nor keep hands on the body");
  command->add_option("--require", options->require,
                      "quality gates, for example worst-slide=0.01; exit code 4 and no output when one is not met");
  add_save_options(*command, options->save);
  command->add_flag("--overwrite", options->overwrite, "allow the output to be an input");
  session.on_run(command, [options, &session] { run_retarget(*options, session); });
}

}  // namespace sinew::cli
