// sinew train: correctives from a folder of training shapes, and a report of how good they are.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "files.h"
#include "sinew/base/file_bytes.h"
#include "sinew/correctives.h"
#include "sinew/draw/chart.h"
#include "sinew/mesh/weld.h"
#include "sinew/pipeline/report_json.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct TrainArguments {
  std::string folder, output, report, curves, worst;
  CorrectiveTrainingOptions train;
  double tolerance = 5e-4;
  std::vector<double> sweep;
};

std::string table(const CorrectiveRun& trained) {
  std::string text =
      "level  vertices  regions  dims  joints      MB   LBS      DQS      corrected  (of the diagonal, unseen "
      "motions)\n";
  for (std::size_t i = 0; i < trained.levels.size(); ++i) {
    const LevelReport& l = trained.levels[i];
    text += fmt::format(
        "{:5} {:9} {:4}/{:<3} {:6.1f} {:7.1f} {:7.2f}   {:.5f}  {:.5f}  {:.5f}  {:.1f}x, {:.1f}x less\n", i, l.vertices,
        l.regions, l.regions + l.culled, l.mean_dimensions, l.mean_joints, static_cast<double>(l.bytes) / 1e6, l.lbs,
        l.dqs, l.corrected, l.lbs / l.corrected, l.dqs / l.corrected);
  }
  return text;
}

// Error against memory and against time over the tolerances, as in figures 8 and 13 of the source.
void write_curves(const std::vector<CorrectiveRun>& runs, const std::string& path) {
  Chart memory{.title = "Test error over memory",
               .x = {.label = "megabytes of correctives, all levels", .logarithmic = true},
               .y = {.label = "RMS error, of the diagonal", .low = 0.0}};
  Chart time{.title = "Test error over time",
             .x = {.label = "microseconds, all levels, one core", .logarithmic = true},
             .y = {.label = "RMS error, of the diagonal", .low = 0.0}};
  for (const bool hierarchical : {true, false}) {
    ChartSeries by_memory{.name = hierarchical ? "multiresolution" : "single level",
                          .style = SeriesStyle::line_with_points};
    ChartSeries by_time = by_memory;
    for (const CorrectiveRun& trained : runs) {
      if (trained.hierarchical != hierarchical) continue;
      by_memory.x.push_back(static_cast<double>(trained.corrective_bytes) / 1e6);
      by_time.x.push_back(trained.microseconds);
      by_memory.y.push_back(trained.levels[0].corrected);
      by_time.y.push_back(trained.levels[0].corrected);
    }
    if (by_memory.x.empty()) continue;
    memory.series.push_back(by_memory);
    time.series.push_back(by_time);
  }
  memory.reference = time.reference = runs.front().levels[0].dqs;
  memory.reference_label = time.reference_label = "dual quaternions";
  const fs::path base(path);
  const auto named = [&](const char* what) {
    return base.parent_path() / (base.stem().string() + "_" + what + base.extension().string());
  };
  write_chart(memory, named("memory"));
  write_chart(time, named("time"));
}

// Of posed positions, without an edge where the rest mesh is split along UV seams.
std::vector<Vec3f> seamless_normals(const TriangleMesh& rest, const std::vector<Vec3f>& positions) {
  const Weld weld = weld_positions(rest.positions);
  TriangleMesh posed;
  posed.positions = positions;
  posed.triangles = rest.triangles;
  const TriangleMesh welded = welded_mesh(posed, weld);
  const std::vector<Vec3f> normals = vertex_normals(welded.positions, welded.triangles);
  std::vector<Vec3f> result;
  for (const std::uint32_t v : weld.welded_of) result.push_back(normals[v]);
  return result;
}

// Truth, LBS, DQS and corrected shapes of the test frame that LBS gets most wrong, with the skeleton in its pose, and
// the distances to the truth.
void write_worst(const WorstFrame& worst, const Character& character, const fs::path& folder) {
  fs::create_directories(folder);
  Character posed = character;
  posed.motions.clear();
  posed.skeleton.rest = global_transforms(character.skeleton, worst.pose);
  const auto write = [&](const std::vector<Vec3f>& positions, const std::string& name) {
    posed.mesh.positions = positions;
    posed.mesh.normals = seamless_normals(character.mesh, positions);
    save_character(posed, folder / (name + ".glb"));
    std::string distances;
    for (std::size_t v = 0; v < positions.size(); ++v) {
      distances += fmt::format("{:g}\n", (positions[v] - worst.truth[v]).norm());
    }
    write_file_text(folder / (name + "_error.txt"), distances);
  };
  write(worst.truth, "truth");
  write(worst.lbs, "lbs");
  write(worst.dqs, "dqs");
  write(worst.corrected, "corrected");
  write_file_text(folder / "frame.txt", fmt::format("{} {}\n", worst.motion, worst.frame));
}

std::string summary(const TrainArguments& options, const CorrectiveTraining& trained) {
  const CorrectiveRun& first = trained.runs.front();
  std::string text = table(first);
  for (const MotionReport& motion : first.motions) {
    text += fmt::format("'{}', {} frames: {:.1f}x less than LBS, {:.1f}x less than DQS\n", motion.motion, motion.frames,
                        motion.lbs / motion.corrected, motion.dqs / motion.corrected);
  }
  for (const CorrectiveRun& run : trained.runs) {
    text += fmt::format("{}, tolerance {:g}: error {:.5f}, {:.2f} MB, {:.0f} µs for all levels, trained in {:.0f} s\n",
                        run.hierarchical ? "multiresolution" : "single level", run.tolerance, run.levels[0].corrected,
                        static_cast<double>(run.corrective_bytes) / 1e6, run.microseconds, run.seconds);
  }
  return text + fmt::format("wrote {} ({:.2f} MB)", options.output, static_cast<double>(first.bytes.size()) / 1e6);
}

void run_train(TrainArguments& options, Session& session) {
  if (!options.curves.empty() && options.sweep.empty()) {
    throw Error(ErrorCode::option_missing, "--curves needs several tolerances",
                "use for example --sweep 0.0003,0.001,0.003");
  }
  options.train.seed = session.seed();
  options.train.isolate = true;
  options.train.tolerances = {options.tolerance};
  options.train.tolerances.insert(options.train.tolerances.end(), options.sweep.begin(), options.sweep.end());
  options.train.worst_frame = !options.worst.empty();
  const CorrectiveTraining trained =
      train_correctives_for(options.folder, options.train, session.progress(), [&](const CorrectiveTraining& started) {
        session.warn(started.warnings);
        session.say(fmt::format(
            "{} shapes to train, {} to test{}", started.train_frames, started.test_frames,
            started.test_motions.empty() ? "" : ": " + fmt::format("{}", fmt::join(started.test_motions, ", "))));
      });
  write_output(trained.runs.front().bytes, options.output);
  if (!options.curves.empty()) write_curves(trained.runs, options.curves);
  if (trained.worst) write_worst(*trained.worst, trained.character, options.worst);

  json result = report_json(trained);
  result["shapes"] = options.folder;
  result["output"] = options.output;
  if (!options.report.empty()) write_file_text(options.report, result.dump(1) + "\n");
  session.finish(result, summary(options, trained));
}

}  // namespace

void add_train_command(Session& session) {
  auto options = std::make_shared<TrainArguments>();
  Command* command = session.add_command("train", "train corrective networks from a folder of training shapes");
  command->add_option("DIR", options->folder, "folder of training shapes, as sinew simulate writes them")->required();
  session.add_output(command, "-o,--output", options->output, "file to write (.sinewc)", Session::Formats::one)
      ->required();
  auto* levels =
      command->add_option("--levels", options->train.lod.levels, "number of levels of detail, the finest included")
          ->in_range(1, 16)
          ->show_default();
  auto* ratio =
      command->add_option("--ratio", options->train.lod.ratio, "vertices of a level over those of the next finer one")
          ->in_range(0.01, 0.99)
          ->show_default();
  command
      ->add_option("--vertices", options->train.lod.vertex_counts,
                   "vertices of each coarser level, with commas, descending")
      ->delimiter(',')
      ->excludes(levels)
      ->excludes(ratio);
  command->add_option("--regions", options->train.regions, "regions of the skin, about")
      ->in_range(1, 4096)
      ->show_default();
  command
      ->add_option("--tolerance", options->tolerance,
                   "allowed error (RMS per vertex), as a share of the bounding diagonal")
      ->positive()
      ->show_default();
  command->add_option("--test-motion", options->train.test_motions, "motions kept out of training for testing")
      ->default_is("chosen automatically");
  command->add_option("--most-joints", options->train.most_joints, "joints that one network depends on, at most")
      ->in_range(1, 80)
      ->show_default();
  command->add_option("--hidden", options->train.hidden, "neurons per hidden layer, at most")
      ->in_range(8, 256)
      ->show_default();
  command->add_flag("--compare", options->train.compare, "train every level by itself as well, for comparison");
  command->add_option("--sweep", options->sweep, "more tolerances to train with, for the report and the curves")
      ->delimiter(',')
      ->positive();
  command->add_option("--report", options->report, "file for all numbers (JSON)");
  command->add_option("--curves", options->curves,
                      "charts of error over memory and over time: NAME.svg writes NAME_memory.svg and NAME_time.svg");
  command->add_option("--worst", options->worst, "folder for meshes of the test frame with the largest LBS error");
  session.on_run(command, [options, &session] { run_train(*options, session); });
}

}  // namespace sinew::cli
