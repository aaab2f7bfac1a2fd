// The whole evaluation of a character, as `sinew evaluate` reports it: every figure of this room in one object.
//
//   Character candidate = load_character("mine.glb"), truth = load_character("artist.glb");
//   Evaluation evaluation = evaluate(candidate, &truth);
//   double ade = evaluation.headline_deformation()->scores.ade;
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sinew/evaluate/deformation_comparison.h"
#include "sinew/evaluate/pose_quality.h"
#include "sinew/evaluate/pose_set.h"
#include "sinew/evaluate/skeleton_comparison.h"
#include "sinew/evaluate/skin_quality.h"
#include "sinew/evaluate/weight_comparison.h"
#include "sinew/gates.h"

namespace sinew {

struct EvaluationOptions {
  int max_influences = 0;       // reduce the candidate's weights to this many first; 0: as they are
  int poses_per_motion = 24;    // evenly in time
  int random_poses = 48;        // of each kind; 0: none
  double normal_degrees = 20;   // standard deviation of the random poses without limits
  int intersection_poses = 24;  // of each pose set, at most, in which self-intersections are counted; 0: none
  std::uint64_t seed = 1;
  JointLimits limits, truth_limits;  // of the candidate's and the truth's joints; empty: by joint role
  double threshold = 1e-4;           // weights up to this are no influence
};

struct Evaluation {
  struct Deformation {
    std::string poses;  // "motions", "limits", "normal"
    DeformationComparison scores;
    std::string worst_pose;  // label of the pose where MDE is reached
  };
  struct Movement {
    std::string poses;
    PoseQuality scores;
    std::string worst_stretch_pose;
  };

  // Against the truth; absent without one, or when one of the two has no weights.
  std::optional<VertexMatch> vertices;
  std::optional<JointMatch> joints;
  std::optional<WeightComparison> weights;
  std::vector<Deformation> deformations;
  std::vector<float> vertex_errors;  // per vertex of the truth's mesh: ADE in the headline's poses; 0 where not skinned
  std::optional<SkeletonComparison> skeleton;

  // Of the candidate alone; absent when it has no weights.
  std::optional<SkinQuality> skin;
  std::vector<Movement> movements;

  Warnings warnings;

  // The pose set a single figure stands for: the file's own motions, or where it has none the random poses without
  // limits (deformation) and within limits (movement). Null when nothing was measured.
  const Deformation* headline_deformation() const;
  const Movement* headline_movement() const;
};

// `truth` may be null. Both must be valid (check_character). Throws Error(bad_input) when there is nothing to evaluate:
// no weights and no truth, no joint name in common, meshes that are not at the same place.
Evaluation evaluate(const Character& candidate, const Character* truth, const EvaluationOptions& options = {},
                    const Progress& progress = {});

// Figures by name, for gates. "ade" is the headline figure, "normal-ade" that of one pose set.
std::vector<Metric> metrics_of(const Evaluation& evaluation);
std::vector<Metric> metrics_of(const SkinQuality& skin);

// Every name that metrics_of can give, so that a mistyped gate is found before the work (check_gate_names).
std::vector<std::string> evaluation_metric_names();

nlohmann::json to_json(const Evaluation& evaluation);
nlohmann::json to_json(const SkinQuality& skin);
nlohmann::json to_json(const std::vector<GateResult>& results);

}  // namespace sinew
