// sinew fit: moves a skeleton into a mesh.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "fit_source.h"
#include "save_choices.h"
#include "sinew/pipeline/report_json.h"

namespace sinew::cli {
namespace {

struct FitArguments {
  std::string mesh, skeleton, builtin, output;
  FitOptions fit;
  NetworkChoice networks;
  FitWishes wishes;
  GenerateChoice generate;
  SaveOptions save;
  bool asymmetric = false, overwrite = false;
};

FitResult skeleton_in(Character& character, FitArguments& options, Session& session) {
  options.fit.symmetric = !options.asymmetric;
  if (const GenerateOptions* generate = options.generate.options(options.fit)) {
    return generate_character_skeleton(character, *generate, session.progress());
  }
  options.fit.networks = options.networks.model();
  const Character bare = character;
  const bool chosen = !options.skeleton.empty() || !options.builtin.empty();
  const Character source = chosen ? skeleton_source(options.skeleton, options.builtin, session) : Character{};
  return options.wishes.explained(bare, session, [&] {
    return with_fit_advice(options.fit, [&] {
      return chosen ? fit_character(character, source, options.fit, session.progress())
                    : fit_suitable_skeleton(character, options.fit, {}, session.progress());
    });
  });
}

void run_fit(FitArguments& options, Session& session) {
  options.wishes.apply(options.fit, session);
  refuse_to_overwrite(options.mesh, options.output, options.overwrite);
  Character character = load_file(options.mesh, session);
  session.warn(character.warnings);
  const FitResult fit = skeleton_in(character, options, session);
  session.warn(fit.warnings);
  for (int joint = 0; joint < fit.skeleton.joint_count(); ++joint) {
    session.say_detail(fmt::format("{}: confidence {:.2f}{}", fit.skeleton.names[joint], fit.confidence[joint],
                                   fit.inside[joint] ? "" : ", outside"));
  }
  options.wishes.require(fit);
  session.warn(save_file(character, options.output, session, options.save));
  nlohmann::json result = report_json(fit);
  result["output"] = options.output;
  for (const Metric& metric : metrics_of(fit)) result["metrics"][metric.name] = metric.value;
  session.finish(result, fmt::format("{}: {}{}", options.output, fit_text(fit), kind_text(fit)));
}

}  // namespace

void add_fit_command(Session& session) {
  auto options = std::make_shared<FitArguments>();
  Command* command = session.add_command("fit", "move a skeleton into a mesh");
  command->add_option("MESH", options->mesh, "mesh of a person, an animal or any other creature")->required();
  session
      .add_output(command, "-o,--output", options->output,
                  "where to write mesh and skeleton: .glb .gltf .vrm .fbx .bvh")
      ->required();
  const Option* skeleton =
      command->add_option("--skeleton", options->skeleton, "skeleton to fit: .bvh .glb .gltf .fbx .dae")
          ->default_is("what suits the mesh");
  command->add_option("--builtin", options->builtin, "built-in skeleton: adult, mitten (one finger) or quadruped")
      ->one_of({"adult", "mitten", "quadruped"})
      ->default_is("what suits the mesh");
  command->add_option("--cells", options->fit.cells, "voxels along the longest side")
      ->in_range(48, 256)
      ->show_default();
  command->add_flag("--y-up", options->fit.y_is_up, "trust that y is up; do not detect the up axis");
  command->add_flag("--keep-axes", options->fit.keep_axes,
                    "keep the mesh as it lies in its file, also when y is not up");
  command->add_flag("--asymmetric", options->asymmetric, "let left and right differ");
  options->wishes.add_options(*command);
  command
      ->add_reader(
          "--ignore", [options](const std::string& part) { options->fit.ignore.push_back(part); },
          "part of the mesh that says nothing about the body: a name, a material or a piece (#N), see sinew "
          "info --verbose; repeatable")
      ->repeated();
  options->networks.add_options(*command);
  options->generate.add_options(*command, skeleton);
  add_save_options(*command, options->save);
  add_keep_skeleton(*command, options->save);
  command->add_flag("--overwrite", options->overwrite, "allow the output to be the input");
  session.on_run(command, [options, &session] { run_fit(*options, session); });
}

}  // namespace sinew::cli
