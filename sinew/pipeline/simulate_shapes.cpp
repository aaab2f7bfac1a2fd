#include <fstream>
#include <nlohmann/json.hpp>

#include "sinew/base/parallel.h"
#include "sinew/base/stopwatch.h"
#include "sinew/correctives.h"
#include "sinew/correctives/training_shapes.h"
#include "sinew/flesh/simulate.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double thinnest_limb = 0.4;  // of a cell: radius of a limb that the lattice can bend

FleshOptions flesh_options(const SimulateOptions& options) {
  FleshOptions flesh;
  flesh.lattice.cells = options.cells;
  flesh.lattice.cell_size = options.cell_size;
  flesh.bones.thickness = options.bone_thickness;
  flesh.material.bulk = options.volume_stiffness;
  flesh.self_contact = options.contact;
  return flesh;
}

const Motion& motion_at(const Character& character, int index) {
  if (index < 0 || index >= static_cast<int>(character.motions.size())) {
    throw Error(ErrorCode::motion_unknown, "the character has no motion " + std::to_string(index));
  }
  return character.motions[static_cast<std::size_t>(index)];
}

std::vector<PoseRun> choose_runs(const SimulateOptions& options, const Character& character, const FleshModel& model,
                                 SimulateReport& report) {
  std::vector<PoseRun> runs;
  const auto add = [&](const Motion& motion) {
    for (PoseRun& run : motion_runs(motion, options.every, options.run_length)) runs.push_back(std::move(run));
  };
  for (const int motion : options.motions) add(motion_at(character, motion));
  if (options.motions.empty() && options.own_motions) {
    for (const Motion& motion : character.motions) add(motion);
  }
  if (options.poses > 0) {
    const double thin = thinnest_limb * model.lattice().cell_size;
    report.still_joints = thin_joints(model.skeleton(), model.bones(), options.bone_thickness, thin);
    const RandomRunOptions random{options.poses,          options.run_length,  options.step,
                                  options.bone_thickness, report.still_joints, options.seed};
    for (PoseRun& run : random_runs(model.skeleton(), model.bones(), random)) runs.push_back(std::move(run));
  }
  if (runs.empty()) {
    throw Error(ErrorCode::option_missing, "there is no pose to simulate",
                "ask for random poses, or give a character motions");
  }
  return runs;
}

// Shapes of other flesh must not get mixed into a folder: what they depend on is kept beside them.
void check_settings(const fs::path& folder, const SimulateOptions& options) {
  const json settings = {{"cells", options.cells},
                         {"cell_size", options.cell_size},
                         {"bone_thickness", options.bone_thickness},
                         {"volume_stiffness", options.volume_stiffness},
                         {"contact", options.contact},
                         {"run_length", options.run_length},
                         {"step", options.step},
                         {"seed", options.seed}};
  const fs::path path = folder / "simulate.json";
  if (std::ifstream in(path); in) {
    const json before = json::parse(in, nullptr, false);
    if (before != settings) {
      throw Error(ErrorCode::training_data_invalid, "'" + folder.string() + "' holds shapes made with other settings",
                  "choose another folder, or the settings in its simulate.json");
    }
    return;
  }
  fs::create_directories(folder);
  std::ofstream(path) << settings.dump(2) << "\n";
}

SimulateReport simulate_into(const Character& character, const fs::path& folder, const SimulateOptions& options,
                             const Progress& progress, const std::function<void(const SimulateReport&)>& started,
                             const std::function<void(const FailedPose&)>& failed) {
  SimulateReport report;
  const FleshModel model(character, flesh_options(options), progress.part(0.0, 0.02));
  report.warnings = model.warnings();
  const std::vector<PoseRun> runs = choose_runs(options, character, model, report);
  report.cells = model.lattice().cell_count();
  report.nodes = model.lattice().node_count();
  report.cell_size = model.lattice().cell_size;
  report.runs = runs.size();
  for (const PoseRun& run : runs) report.poses += run.poses.size();
  check_settings(folder, options);
  TrainingShapesWriter writer(folder, character);
  report.known_before = writer.frame_count();
  if (started) started(report);

  const SolverOptions solver;
  const Stopwatch watch;
  simulate(
      model, runs, solver,
      [&](const PoseRun& run, std::size_t i) { return writer.contains(run.motion, run.frames[i]); },
      [&](const SimulatedFrame& frame) {
        const std::string& motion = frame.run->motion;
        if (frame.report.ok()) {
          writer.append({motion, frame.frame(), frame.pose(), frame.positions});
          report.deepest_penetration = std::max(report.deepest_penetration, frame.report.penetration);
          ++report.made;
          return;
        }
        writer.append_failure(motion, frame.frame(), frame.pose());
        report.failed.push_back({motion, frame.frame(), frame.report.converged, frame.report.promise / solver.tolerance,
                                 frame.report.penetration});
        if (failed) failed(report.failed.back());
      },
      progress.part(0.02, 1.0));
  report.seconds = watch.seconds();
  return report;
}

}  // namespace

SimulateReport simulate_shapes(const Character& character, const fs::path& folder, const SimulateOptions& options,
                               const Progress& progress, const std::function<void(const SimulateReport&)>& started,
                               const std::function<void(const FailedPose&)>& failed) {
  return with_threads(options.threads, progress,
                      [&] { return simulate_into(character, folder, options, progress, started, failed); });
}

}  // namespace sinew
