// sinew simulate: training shapes for correctives, by soft-tissue simulation of a bound character.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "character_choices.h"
#include "commands.h"
#include "session.h"
#include "sinew/correctives/training_shapes.h"
#include "sinew/flesh/simulate.h"
#include "sinew/io.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double thinnest_limb = 0.4;  // of a cell: radius of a limb that the lattice can bend

struct SimulateArguments {
  std::string input, output;
  std::vector<std::string> motions;
  bool no_motions = false, no_contact = false;
  int poses = 200, every = 4, run_length = 20;
  double step = 20.0;
  FleshOptions flesh;
  SolverOptions solver;
};

std::vector<PoseRun> choose_runs(const SimulateArguments& options, const Character& character, const FleshModel& model,
                                 const Session& session) {
  std::vector<PoseRun> runs;
  const auto add = [&](const Motion& motion) {
    for (PoseRun& run : motion_runs(motion, options.every, options.run_length)) runs.push_back(std::move(run));
  };
  if (options.motions.empty() && !options.no_motions) {
    for (const Motion& motion : character.motions) add(motion);
  }
  for (const std::string& name : options.motions) add(resolve_motion(character, name));
  if (options.poses > 0) {
    const double thickness = options.flesh.bones.thickness, thin = thinnest_limb * model.lattice().cell_size;
    const RandomRunOptions random{options.poses,
                                  options.run_length,
                                  options.step,
                                  thickness,
                                  thin_joints(model.skeleton(), model.bones(), thickness, thin),
                                  session.seed()};
    if (!random.still.empty()) {
      session.say(fmt::format("random poses keep {} joints still: their limbs are thinner than the cells can bend",
                              random.still.size()));
    }
    for (PoseRun& run : random_runs(model.skeleton(), model.bones(), random)) runs.push_back(std::move(run));
  }
  if (runs.empty()) {
    throw Error(ErrorKind::usage, "there is no pose to simulate", "give --poses, or a character with motions");
  }
  return runs;
}

// Shapes of other flesh must not get mixed into a folder: what they depend on is kept beside them.
void check_settings(const fs::path& folder, const SimulateArguments& options, std::uint64_t seed) {
  const json settings = {{"cells", options.flesh.lattice.cells},
                         {"cell_size", options.flesh.lattice.cell_size},
                         {"bone_thickness", options.flesh.bones.thickness},
                         {"volume_stiffness", options.flesh.material.bulk},
                         {"contact", !options.no_contact},
                         {"run_length", options.run_length},
                         {"step", options.step},
                         {"seed", seed}};
  const fs::path path = folder / "simulate.json";
  if (std::ifstream in(path); in) {
    const json before = json::parse(in, nullptr, false);
    if (before != settings) {
      throw bad_input("'" + folder.string() + "' holds shapes made with other settings",
                      "choose another folder, or the settings in its simulate.json");
    }
    return;
  }
  fs::create_directories(folder);
  std::ofstream(path) << settings.dump(2) << "\n";
}

void run_simulate(SimulateArguments options, Session& session) {
  const Character character = load_character(options.input);
  session.warn(character.warnings);
  options.flesh.self_contact = !options.no_contact;
  const Progress progress = session.progress();
  const FleshModel model(character, options.flesh, progress.part(0.0, 0.02));
  session.warn(model.warnings());
  const std::vector<PoseRun> runs = choose_runs(options, character, model, session);
  std::size_t wanted = 0;
  for (const PoseRun& one : runs) wanted += one.poses.size();
  session.say(fmt::format("{} cells of {:.4g}, {} nodes; {} poses in {} runs", model.lattice().cell_count(),
                          model.lattice().cell_size, model.lattice().node_count(), wanted, runs.size()));
  check_settings(options.output, options, session.seed());
  TrainingShapesWriter writer(options.output, character);
  const std::size_t before = writer.frame_count();
  if (before > 0) session.say(fmt::format("continuing: {} poses are there already", before));

  json failures = json::array();
  std::size_t made = 0;
  double deepest = 0;
  const auto start = std::chrono::steady_clock::now();
  simulate(
      model, runs, options.solver,
      [&](const PoseRun& one, std::size_t i) { return writer.contains(one.motion, one.frames[i]); },
      [&](const SimulatedFrame& frame) {
        const std::string& motion = frame.run->motion;
        if (frame.report.ok()) {
          writer.append({motion, frame.frame(), frame.pose(), frame.positions});
          deepest = std::max(deepest, frame.report.penetration);
          ++made;
          return;
        }
        writer.append_failure(motion, frame.frame(), frame.pose());
        failures.push_back({{"motion", motion},
                            {"frame", frame.frame()},
                            {"converged", frame.report.converged},
                            {"promise", frame.report.promise},
                            {"penetration", frame.report.penetration}});
        session.say(fmt::format("'{}' frame {} left out: {}", motion, frame.frame(),
                                frame.report.converged
                                    ? fmt::format("the skin stays {:.3g} inside itself", frame.report.penetration)
                                    : fmt::format("no convergence, {:.1f} times the tolerance away",
                                                  frame.report.promise / options.solver.tolerance)));
      },
      progress.part(0.02, 1.0));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::size_t solved = made + failures.size();
  const double rate = seconds > 0 ? static_cast<double>(solved) / seconds : 0.0;
  const json result = {{"output", options.output},
                       {"cells", model.lattice().cell_count()},
                       {"nodes", model.lattice().node_count()},
                       {"cell_size", model.lattice().cell_size},
                       {"poses", wanted},
                       {"known_before", before},
                       {"made", made},
                       {"failed", failures},
                       {"seconds", seconds},
                       {"frames_per_second", rate},
                       {"deepest_penetration", deepest}};
  session.finish(result, fmt::format("{}: {} shapes made, {} left out, {:.2f} per second; skin at most {:.2g} inside "
                                     "itself",
                                     options.output, made, failures.size(), rate, deepest));
}

}  // namespace

void add_simulate_command(Session& session) {
  auto options = std::make_shared<SimulateArguments>();
  Command* command = session.add_command("simulate", "training shapes by soft-tissue simulation");
  command->add_option("CHARACTER", options->input, "a character with skeleton and weights")->required();
  command->add_option("-o,--output", options->output, "folder of the shapes; a second run continues there")->required();
  command->add_option("--poses", options->poses, "poses along random paths within the joints' limits")
      ->in_range(0, 1'000'000)
      ->show_default();
  command->add_option("--motion", options->motions, "motions of the character, by name or number; default: all");
  command->add_flag("--no-motions", options->no_motions, "random poses only");
  command->add_option("--every", options->every, "of a motion, every how manieth frame")
      ->in_range(1, 10'000)
      ->show_default();
  command->add_option("--cells", options->flesh.lattice.cells, "about this many elements")
      ->in_range(100, 1'000'000)
      ->show_default();
  command->add_option("--cell-size", options->flesh.lattice.cell_size, "edge of an element instead, in the mesh's unit")
      ->positive();
  command
      ->add_option("--bone-thickness", options->flesh.bones.thickness, "radius of a bone over its depth under the skin")
      ->in_range(0.05, 0.9)
      ->show_default();
  command->add_option("--volume-stiffness", options->flesh.material.bulk, "resistance to change of volume over shear")
      ->in_range(1.0, 1000.0)
      ->show_default();
  command->add_option("--step", options->step, "degrees a joint turns at most between neighbouring random poses")
      ->in_range(1.0, 90.0)
      ->show_default();
  command->add_option("--run-length", options->run_length, "poses that follow one another; what a stop may cost")
      ->in_range(1, 10'000)
      ->show_default();
  command->add_flag("--no-contact", options->no_contact, "let the skin pass through itself");
  session.on_run(command, [options, &session] { run_simulate(*options, session); });
}

}  // namespace sinew::cli
