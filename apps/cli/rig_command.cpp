// sinew rig: a bare mesh and a motion clip in, a moving character out: fit, bind and retarget in one go.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "character_choices.h"
#include "commands.h"
#include "fit_source.h"
#include "sinew/io.h"
#include "sinew/pipeline/bind_character.h"
#include "sinew/retarget/clip_rest_pose.h"
#include "sinew/retarget/retarget.h"

namespace sinew::cli {
namespace {

struct RigArguments {
  std::string mesh, clip, motion, skeleton, output, method = "heat";
  FitOptions fit;
  NetworkChoice networks;
  int max_influences = 4;
  bool all = false, in_place = false, overwrite = false, keep_axes = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run_rig(RigArguments& options, Session& session) {
  const WeightMethod& method = find_weight_method(options.method);
  refuse_to_overwrite(options.mesh, options.output, options.overwrite);
  refuse_to_overwrite(options.clip, options.output, options.overwrite);
  Character character = load_character(options.mesh);
  session.warn(character.warnings);
  const Character clip = skeleton_source(options.clip, "", session);
  if (clip.motions.empty()) throw bad_input("'" + options.clip + "' holds no motion");
  const std::vector<Motion> motions =
      options.all ? clip.motions : std::vector<Motion>{resolve_motion(clip, options.motion)};

  // The clip's own skeleton goes into the mesh, unless another one is wanted.
  const auto start = std::chrono::steady_clock::now();
  Character source = options.skeleton.empty() ? clip : skeleton_source(options.skeleton, "", session);
  Warnings warnings;
  const Skeleton clip_rest = usable_rest_pose(clip.skeleton, source.skeleton, warnings);
  FitOptions fit_options = options.fit;
  fit_options.networks = options.networks.model();
  FitResult fit = fit_into(character, source.skeleton, fit_options, session);
  if (!options.keep_axes) stand_upright(options.mesh, character, fit, session);
  const double fit_seconds = seconds_since(start);
  source.skeleton = fit.skeleton;
  source.motions.clear();
  use_skeleton_of(source, character, warnings);
  session.warn(warnings);

  BindInputOptions input;
  input.max_influences = options.max_influences;
  input.seed = session.seed();
  const BindReport bound = bind_character(character, method, checked_options(method, {}), input, session.progress());
  session.warn(bound.warnings);

  const auto retarget_start = std::chrono::steady_clock::now();
  const JointMap map = map_joints(clip_rest, character.skeleton);
  check_joint_map(map, clip_rest, character.skeleton);
  RetargetOptions retarget;
  retarget.in_place = options.in_place;
  RetargetReport worst;
  for (const Motion& motion : motions) {
    RetargetReport report;
    character.motions.push_back(retarget_motion(clip_rest, motion, character.skeleton, map, retarget, report));
    session.warn(report.warnings);
    if (report.worst_slide >= worst.worst_slide) worst = report;
  }
  SaveOptions save;
  save.max_influences = options.max_influences;
  session.warn(save_character(character, options.output, save));
  nlohmann::json result = fit_to_json(fit);
  result["output"] = options.output;
  result["method"] = options.method;
  result["vertices"] = bound.vertices;
  result["motions"] = motions.size();
  result["worst_slide"] = worst.worst_slide;
  result["seconds"] = {{"fit", fit_seconds},
                       {"bind", bound.prepare_seconds + bound.solve_seconds},
                       {"retarget", seconds_since(retarget_start)}};
  session.finish(result,
                 fmt::format("{}: {} vertices, {} joints fitted (confidence {:.2f}), bound by {}, {} motion{}, "
                             "worst slide {:.2f} % of the height",
                             options.output, bound.vertices, fit.skeleton.joint_count(), mean_confidence(fit),
                             options.method, motions.size(), motions.size() == 1 ? "" : "s", 100 * worst.worst_slide));
}

}  // namespace

void add_rig_command(Session& session) {
  auto options = std::make_shared<RigArguments>();
  Command* command = session.add_command("rig", "a bare mesh and a motion to a moving character");
  command->add_option("MESH", options->mesh, "mesh of a person or a four-legged animal")->required();
  command->add_option("--motion", options->clip, "file with the motion: .bvh .glb .gltf .fbx .dae")->required();
  command->add_option("-o,--output", options->output, "where to write the moving character: .glb .gltf")->required();
  command->add_option("--clip", options->motion, "which motion of the file: name or index [the first]");
  command->add_flag("--all", options->all, "all motions of the file");
  command->add_option("--skeleton", options->skeleton, "skeleton to fit instead of the motion's own");
  command->add_option("-m,--method", options->method, "how weights are computed, see sinew bind")->show_default();
  command->add_option("--max-influences", options->max_influences, "joints per vertex, 1 … 16")->show_default();
  command->add_flag("--in-place", options->in_place, "leave out the path over the ground");
  command->add_option("--cells", options->fit.cells, "voxels along the longest side, 48 … 256")->show_default();
  command->add_flag("--y-up", options->fit.y_is_up, "y is up: do not look for another axis");
  command->add_flag("--keep-axes", options->keep_axes, "leave a mesh with another up axis as it lies in its file");
  options->networks.add_options(*command);
  command->add_flag("--overwrite", options->overwrite, "allow the output to be an input");
  session.on_run(command, [options, &session] { run_rig(*options, session); });
}

}  // namespace sinew::cli
