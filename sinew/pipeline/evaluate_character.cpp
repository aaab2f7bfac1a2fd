#include <nlohmann/json.hpp>
#include <utility>

#include "sinew/asset/joint_limits_file.h"
#include "sinew/base/parallel.h"
#include "sinew/evaluate.h"
#include "sinew/evaluate/evaluation.h"
#include "sinew/pipeline/report_json.h"

namespace sinew {

EvaluationReport evaluate_character(const Character& candidate, const Character* truth, const EvaluateOptions& options,
                                    const Progress& progress) {
  check_character(candidate);
  if (truth) check_character(*truth);
  EvaluationOptions chosen;
  chosen.max_influences = options.max_influences;
  chosen.poses_per_motion = options.poses_per_motion;
  chosen.random_poses = options.random_poses;
  chosen.normal_degrees = options.normal_degrees;
  chosen.intersection_poses = options.intersection_poses;
  chosen.seed = options.seed;
  if (!options.joint_limits.empty()) {
    chosen.limits = parse_joint_limits(options.joint_limits, candidate.skeleton);
    if (truth) chosen.truth_limits = parse_joint_limits(options.joint_limits, truth->skeleton);
  }
  EvaluationReport report;
  nlohmann::json json = nlohmann::json::object();
  const bool moves = !truth && !candidate.motions.empty();
  if (truth || candidate.has_skin() || !moves) {
    const Evaluation evaluation = with_threads(options.threads, progress, [&] {
      return evaluate(candidate, truth, chosen, progress.part(0.0, moves ? 0.9 : 1.0));
    });
    report = {metrics_of(evaluation), {}, evaluation.vertex_errors, {}, evaluation.warnings};
    json = to_json(evaluation);
  }
  if (moves) {
    report.motions = evaluate_motions(candidate, progress.part(0.9, 1.0), options.threads);
    for (Metric& metric : metrics_of_motions(report.motions)) report.metrics.push_back(std::move(metric));
    json["motions"] = report_json(report.motions);
  }
  report.json = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  return report;
}

}  // namespace sinew
