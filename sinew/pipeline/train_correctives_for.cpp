#include "sinew/base/parallel.h"
#include "sinew/correctives.h"
#include "sinew/correctives/train_correctives.h"
#include "sinew/io.h"

namespace sinew {
namespace {

CorrectiveRun to_run(TrainedCorrectives trained, bool hierarchical) {
  CorrectiveRun run;
  run.hierarchical = hierarchical;
  run.tolerance = trained.tolerance;
  run.bytes = std::move(trained.bytes);
  run.levels = std::move(trained.levels);
  run.motions = std::move(trained.motions);
  run.microseconds = trained.microseconds;
  run.corrective_bytes = trained.corrective_bytes;
  run.seconds = trained.seconds;
  return run;
}

TrainOptions train_options(const CorrectiveTrainingOptions& options) {
  TrainOptions train;
  train.lod = options.lod;
  train.regions = options.regions;
  train.test_motions = options.test_motions;
  train.most_joints = options.most_joints;
  train.network.hidden = options.hidden;
  train.seed = options.seed;
  return train;
}

CorrectiveTraining train_all(const std::filesystem::path& folder, const CorrectiveTrainingOptions& options,
                             const Progress& progress, const std::function<void(const CorrectiveTraining&)>& started) {
  if (options.tolerances.empty()) throw Error(ErrorCode::option_missing, "there is no tolerance to train with");
  LoadOptions load;
  load.isolate = options.isolate;
  const TrainingShapes shapes(folder, load);
  const CorrectiveTrainer trainer(shapes, train_options(options), progress.part(0, 0.1));
  CorrectiveTraining result;
  result.character = shapes.character();
  result.train_frames = trainer.train_frames();
  result.test_frames = trainer.test_frames();
  result.failed_frames = shapes.failed_count();
  result.test_motions = trainer.test_motions();
  result.warnings = shapes.warnings();
  result.warnings.insert(result.warnings.end(), trainer.warnings().begin(), trainer.warnings().end());
  if (started) started(result);

  const double each = 0.9 / static_cast<double>(options.tolerances.size() * (options.compare ? 2 : 1));
  double done = 0.1;
  for (const double tolerance : options.tolerances) {
    for (const bool hierarchical : {true, false}) {
      if (!hierarchical && !options.compare) continue;
      TrainedCorrectives trained = trainer.train(tolerance, hierarchical, progress.part(done, done + each));
      if (options.worst_frame && !result.worst) result.worst = trainer.worst_frame(trained);
      result.runs.push_back(to_run(std::move(trained), hierarchical));
      done += each;
    }
  }
  progress(1.0, "done");
  return result;
}

}  // namespace

CorrectiveTraining train_correctives_for(const std::filesystem::path& folder, const CorrectiveTrainingOptions& options,
                                         const Progress& progress,
                                         const std::function<void(const CorrectiveTraining&)>& started) {
  return with_threads(options.threads, progress, [&] { return train_all(folder, options, progress, started); });
}

}  // namespace sinew
