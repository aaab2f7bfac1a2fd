// sinew simulate: training shapes for correctives, by soft-tissue simulation of a bound character.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "character_choices.h"
#include "commands.h"
#include "files.h"
#include "sinew/correctives.h"
#include "sinew/pipeline/report_json.h"

namespace sinew::cli {
namespace {

struct SimulateArguments {
  std::string input, output;
  std::vector<std::string> motions;
  bool no_motions = false, no_contact = false;
  SimulateOptions simulate;
};

void say_start(const SimulateReport& report, const Session& session) {
  if (!report.still_joints.empty()) {
    session.say(fmt::format("random poses keep {} joints still: their limbs are thinner than the cells can bend",
                            report.still_joints.size()));
  }
  session.say(fmt::format("{} cells of {:.4g}, {} nodes; {} poses in {} runs", report.cells, report.cell_size,
                          report.nodes, report.poses, report.runs));
  if (report.known_before > 0) session.say(fmt::format("continuing: {} poses are there already", report.known_before));
}

void say_failure(const FailedPose& pose, const Session& session) {
  session.say(fmt::format("'{}' frame {} left out: {}", pose.motion, pose.frame,
                          pose.converged
                              ? fmt::format("the skin stays {:.3g} inside itself", pose.penetration)
                              : fmt::format("no convergence, {:.1f} times the tolerance away", pose.promise)));
}

void run_simulate(SimulateArguments& options, Session& session) {
  const Character character = load_file(options.input, session);
  session.warn(character.warnings);
  options.simulate.contact = !options.no_contact;
  options.simulate.own_motions = !options.no_motions;
  options.simulate.seed = session.seed();
  for (const std::string& name : options.motions) options.simulate.motions.push_back(motion_index(character, name));
  const SimulateReport report = simulate_shapes(
      character, options.output, options.simulate, session.progress(),
      [&](const SimulateReport& started) { say_start(started, session); },
      [&](const FailedPose& pose) { say_failure(pose, session); });
  session.warn(report.warnings);
  nlohmann::json result = report_json(report);
  result["output"] = options.output;
  session.finish(result, fmt::format("{}: {} shapes made, {} left out, {:.2f} per second; skin at most {:.2g} inside "
                                     "itself",
                                     options.output, report.made, report.failed.size(),
                                     result["frames_per_second"].get<double>(), report.deepest_penetration));
}

}  // namespace

void add_simulate_command(Session& session) {
  auto options = std::make_shared<SimulateArguments>();
  Command* command = session.add_command("simulate", "make training shapes for correctives by soft-tissue simulation");
  command->add_option("CHARACTER", options->input, "character with skeleton and weights")->required();
  session.add_product(command, options->output);
  command->add_option("-o,--output", options->output, "folder for the shapes; a second run continues there")
      ->required();
  command->add_option("--poses", options->simulate.poses, "number of poses along random paths within the joint ranges")
      ->in_range(0, 1'000'000)
      ->show_default();
  command->add_option("--motion", options->motions, "motions of the character: names, ends of them, or indices")
      ->default_is("all");
  command->add_flag("--no-motions", options->no_motions, "use random poses only");
  command->add_option("--every", options->simulate.every, "take every Nth frame of a motion")
      ->in_range(1, 10'000)
      ->show_default();
  command->add_option("--cells", options->simulate.cells, "number of elements, about")
      ->in_range(100, 1'000'000)
      ->show_default();
  command
      ->add_option("--cell-size", options->simulate.cell_size,
                   "edge of an element in the unit of the mesh, instead of --cells")
      ->positive();
  command
      ->add_option("--bone-thickness", options->simulate.bone_thickness,
                   "radius of a bone as a share of its depth under the skin")
      ->in_range(0.05, 0.9)
      ->show_default();
  command
      ->add_option("--volume-stiffness", options->simulate.volume_stiffness,
                   "resistance to volume change over that to shear")
      ->in_range(1.0, 1000.0)
      ->show_default();
  command
      ->add_option("--step", options->simulate.step,
                   "largest turn of a joint between neighbouring random poses, in degrees")
      ->in_range(1.0, 90.0)
      ->show_default();
  command->add_option("--run-length", options->simulate.run_length, "poses per run; an interrupted run is repeated")
      ->in_range(1, 10'000)
      ->show_default();
  command->add_flag("--no-contact", options->no_contact, "let the skin pass through itself");
  session.on_run(command, [options, &session] { run_simulate(*options, session); });
}

}  // namespace sinew::cli
