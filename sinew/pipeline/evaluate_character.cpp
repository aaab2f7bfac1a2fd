#include <nlohmann/json.hpp>

#include "sinew/asset/joint_limits_file.h"
#include "sinew/base/parallel.h"
#include "sinew/evaluate.h"
#include "sinew/evaluate/evaluation.h"

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
  const Evaluation evaluation =
      with_threads(options.threads, progress, [&] { return evaluate(candidate, truth, chosen, progress); });
  return {metrics_of(evaluation), evaluation.vertex_errors,
          to_json(evaluation).dump(2, ' ', false, nlohmann::json::error_handler_t::replace), evaluation.warnings};
}

}  // namespace sinew
