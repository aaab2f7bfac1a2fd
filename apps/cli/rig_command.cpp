// sinew rig: a bare mesh and a motion clip in, a moving character out: fit, bind and retarget in one go.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bind_inputs.h"
#include "character_choices.h"
#include "commands.h"
#include "files.h"
#include "fit_source.h"
#include "part_rules.h"
#include "save_choices.h"
#include "sinew/pipeline/report_json.h"
#include "sinew/rig.h"

namespace sinew::cli {
namespace {

struct RigArguments {
  std::string mesh, clip, motion, skeleton, output;
  RigOptions rig;
  NetworkChoice networks;
  FitWishes wishes;
  GenerateChoice generate;
  SaveOptions save;
  bool all = false, overwrite = false;
};

// An empty character without --motion: the mesh is then bound and stays at rest.
Character motion_source(RigArguments& options, Session& session) {
  if (options.clip.empty()) return {};
  Character clip = skeleton_source(options.clip, "", session);
  if (clip.motions.empty())
    throw Error(ErrorCode::motion_missing, "'" + options.clip + "' holds no motion").about("motion");
  if (!options.all) options.rig.retarget.motions = {motion_index(clip, options.motion)};
  return clip;
}

// ", 2 motions, worst slide 0.01 % of the height".
std::string motions_text(const RetargetResult& retarget) {
  const std::size_t motions = retarget.motions.size();
  if (motions == 0) return "";
  return fmt::format(", {} motion{}, worst slide {:.2f} % of the height", motions, motions == 1 ? "" : "s",
                     100 * retarget.worst().worst_slide);
}

void run_rig(RigArguments& options, Session& session) {
  weight_method_info(options.rig.bind.method);  // a wrong name is found before any work
  options.wishes.apply(options.rig.fit, session);
  refuse_to_overwrite(options.mesh, options.output, options.overwrite);
  if (!options.clip.empty()) refuse_to_overwrite(options.clip, options.output, options.overwrite);
  Character character = load_file(options.mesh, session);
  session.warn(character.warnings);
  const Character clip = motion_source(options, session);
  Character skeleton;
  if (!options.skeleton.empty()) {
    skeleton = skeleton_source(options.skeleton, "", session);
    options.rig.skeleton = &skeleton;
  }
  options.rig.fit.networks = options.networks.model();
  options.rig.generate = options.generate.options(options.rig.fit);
  options.rig.bind.seed = session.seed();
  const Character bare = character;
  const RigResult rigged = options.wishes.explained(bare, session, [&] {
    return with_fit_advice(options.rig.fit,
                           [&] { return rig_character(character, clip, options.rig, session.progress()); });
  });
  session.warn(rigged.warnings);
  options.wishes.require(rigged.fit);

  options.save.max_influences = options.rig.bind.max_influences;
  session.warn(save_file(character, options.output, session, options.save));
  const std::size_t motions = rigged.retarget.motions.size();
  nlohmann::json result = report_json(rigged.fit);
  result["output"] = options.output;
  result["method"] = options.rig.bind.method;
  result["vertices"] = rigged.bind.vertices;
  result["motions"] = motions;
  if (motions > 0) result["worst_slide"] = rigged.retarget.worst().worst_slide;
  result["seconds"] = {
      {"fit", rigged.fit_seconds}, {"bind", rigged.bind_seconds}, {"retarget", rigged.retarget_seconds}};
  session.finish(result, fmt::format("{}: {} vertices, {}, bound by {}{}{}", options.output, rigged.bind.vertices,
                                     fit_text(rigged.fit), options.rig.bind.method, motions_text(rigged.retarget),
                                     kind_text(rigged.fit)));
}

}  // namespace

void add_rig_command(Session& session) {
  auto options = std::make_shared<RigArguments>();
  Command* command =
      session.add_command("rig", "make a moving character of a bare mesh and a motion: fit, bind, retarget");
  command->add_option("MESH", options->mesh, "mesh of a person, an animal or any other creature")->required();
  const Option* motion =
      command->add_option("--motion", options->clip, "file with the motion: .bvh .glb .gltf .fbx .dae")
          ->default_is("none: fit and bind alone");
  session
      .add_output(command, "-o,--output", options->output, "where to write the moving character: .glb .gltf .vrm .fbx")
      ->required();
  command->add_option("--clip", options->motion, "motion in the file: name, the end of it, or index")
      ->default_is("the first")
      ->needs(motion);
  command->add_flag("--all", options->all, "take all motions of the file")->needs(motion);
  const Option* skeleton =
      command->add_option("--skeleton", options->skeleton, "skeleton to fit: .bvh .glb .gltf .fbx .dae")
          ->default_is("that of the motion, or what suits the mesh");
  command->add_option("-m,--method", options->rig.bind.method, "how to compute the weights, see sinew bind --help")
      ->suggest(method_names())
      ->show_default();
  command->add_option("--max-influences", options->rig.bind.max_influences, "joints per vertex")
      ->in_range(1, 16)
      ->show_default();
  add_part_options(command, options->rig.bind.parts, false);
  command->add_flag("--in-place", options->rig.retarget.in_place, "stay in place: leave out the path over the ground");
  command->add_option("--cells", options->rig.fit.cells, "voxels along the longest side")
      ->in_range(48, 256)
      ->show_default();
  command->add_flag("--y-up", options->rig.fit.y_is_up, "trust that y is up; do not detect the up axis");
  command->add_flag("--keep-axes", options->rig.fit.keep_axes,
                    "keep the mesh as it lies in its file, also when y is not up");
  options->wishes.add_options(*command);
  options->networks.add_options(*command);
  options->generate.add_options(*command, skeleton);
  add_save_options(*command, options->save);
  add_keep_skeleton(*command, options->save);
  command->add_flag("--overwrite", options->overwrite, "allow the output to be an input");
  session.on_run(command, [options, &session] { run_rig(*options, session); });
}

}  // namespace sinew::cli
