// sinew fit: moves a skeleton into a mesh.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "fit_source.h"
#include "sinew/evaluate/gates.h"
#include "sinew/io.h"
#include "sinew/pipeline/bind_character.h"

namespace sinew::cli {
namespace {

struct FitArguments {
  std::string mesh, skeleton, builtin = "adult", output, require;
  FitOptions fit;
  NetworkChoice networks;
  bool asymmetric = false, overwrite = false, keep_axes = false;
};

// Share of the joints that may deform the skin that lie inside it.
double share_inside(const FitResult& fit) {
  int joints = 0, inside = 0;
  for (int joint = 0; joint < fit.skeleton.joint_count(); ++joint) {
    if (fit.skeleton.kinds[joint] != JointKind::joint) continue;
    ++joints;
    inside += fit.inside[joint];
  }
  return joints > 0 ? inside / static_cast<double>(joints) : 0.0;
}

std::vector<Metric> metrics_of(const FitResult& fit) {
  return {{"inside", share_inside(fit), Better::higher},
          {"confidence", mean_confidence(fit), Better::higher},
          {"symmetry", fit.symmetry, Better::higher}};
}

void run_fit(FitArguments& options, Session& session) {
  const std::vector<Gate> gates = options.require.empty() ? std::vector<Gate>{} : parse_gates(options.require);
  check_gate_names(gates, {"inside", "confidence", "symmetry"});
  refuse_to_overwrite(options.mesh, options.output, options.overwrite);
  Character character = load_character(options.mesh);
  session.warn(character.warnings);
  Character source = skeleton_source(options.skeleton, options.builtin, session);
  FitOptions fit_options = options.fit;
  fit_options.symmetric = !options.asymmetric;
  fit_options.networks = options.networks.model();
  FitResult fit = fit_into(character, source.skeleton, fit_options, session);
  if (!options.keep_axes) stand_upright(options.mesh, character, fit, session);
  for (int joint = 0; joint < fit.skeleton.joint_count(); ++joint) {
    session.say_detail(fmt::format("{}: confidence {:.2f}{}", fit.skeleton.names[joint], fit.confidence[joint],
                                   fit.inside[joint] ? "" : ", outside"));
  }
  require_gates(check_gates(gates, metrics_of(fit)));
  source.skeleton = fit.skeleton;
  source.motions.clear();
  Warnings warnings;
  use_skeleton_of(source, character, warnings);
  session.warn(warnings);
  session.warn(save_character(character, options.output));
  nlohmann::json result = fit_to_json(fit);
  result["output"] = options.output;
  for (const Metric& metric : metrics_of(fit)) result["metrics"][metric.name] = metric.value;
  session.finish(result, fmt::format("{}: {} joints fitted, mean confidence {:.2f}", options.output,
                                     fit.skeleton.joint_count(), mean_confidence(fit)));
}

}  // namespace

void add_fit_command(Session& session) {
  auto options = std::make_shared<FitArguments>();
  Command* command = session.add_command("fit", "move a skeleton into a mesh");
  command->add_option("MESH", options->mesh, "mesh of a person or a four-legged animal")->required();
  command->add_option("-o,--output", options->output, "where to write mesh and skeleton: .glb .gltf .bvh")->required();
  command->add_option("--skeleton", options->skeleton, "skeleton to fit: .bvh .glb .gltf .fbx .dae [the built-in one]");
  command->add_option("--builtin", options->builtin, "built-in skeleton: adult, mitten (one finger) or quadruped")
      ->one_of({"adult", "mitten", "quadruped"})
      ->show_default();
  command->add_option("--cells", options->fit.cells, "voxels along the longest side, 48 … 256")->show_default();
  command->add_flag("--y-up", options->fit.y_is_up, "y is up: do not look for another axis");
  command->add_flag("--keep-axes", options->keep_axes, "leave a mesh with another up axis as it lies in its file");
  command->add_flag("--asymmetric", options->asymmetric, "do not make left and right mirror images");
  command->add_option("--require", options->require,
                      "gates; exit code 4 and no output when not met: inside=1,confidence=0.5");
  options->networks.add_options(*command);
  command->add_flag("--overwrite", options->overwrite, "allow the output to be the input");
  session.on_run(command, [options, &session] { run_fit(*options, session); });
}

}  // namespace sinew::cli
