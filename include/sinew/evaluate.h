// How good a skin is, alone or against an artist's, and how good motions are.
//
//   EvaluationReport report = evaluate_character(mine, &artists);
//   for (const Metric& metric : report.metrics) …            // "ade", "coverage", …: docs/metrics.md says what they are
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/gates.h"
#include "sinew/progress.h"
#include "sinew/retarget.h"

namespace sinew {

struct EvaluateOptions {
  int max_influences = 0;       // reduce the candidate's weights to this many first; 0: as they are
  int poses_per_motion = 24;    // evenly in time
  int random_poses = 48;        // of each kind; 0: none
  double normal_degrees = 20;   // standard deviation of the random poses without limits
  int intersection_poses = 24;  // of each pose set, at most, in which self-intersections are counted; 0: none
  std::uint64_t seed = 1;
  std::string joint_limits{};  // JSON (docs/metrics.md); empty: by joint role
  int threads = 0;             // 0: all cores
};

struct EvaluationReport {
  std::vector<Metric> metrics;
  std::vector<MotionQuality> motions;  // of the candidate, when there is no truth
  std::vector<float> vertex_errors;  // per vertex of the truth's mesh: mean distance over the poses; empty without one
  std::string json;                  // everything that was measured
  Warnings warnings;
};

// `truth` may be null: then the candidate's motions are measured as well, and are enough where there are no weights.
// Throws Error(bad_input) when there is nothing to evaluate: neither weights nor motions and no truth, no joint name in
// common, meshes that are not at the same place.
SINEW_API EvaluationReport evaluate_character(const Character& candidate, const Character* truth = nullptr,
                                              const EvaluateOptions& options = {}, const Progress& progress = {});

// The worst of all motions in every respect, by name: "worst-slide", "floor-deepest", … Empty without motions.
SINEW_API std::vector<Metric> metrics_of_motions(const std::vector<MotionQuality>& motions);

}  // namespace sinew
