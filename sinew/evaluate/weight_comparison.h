// How far the candidate's weights are from the truth's, without moving anything.
//
// A joint of the one and its match in the other share a column; a joint without a match has a column of its own, so its
// weight counts as wrong. Definitions: docs/metrics.md, "Weights".
#pragma once

#include "sinew/evaluate/skin_pair.h"

namespace sinew {

struct InfluenceCounts {
  double mean = 0;             // influences above the threshold per vertex
  int maximum = 0;             // of any vertex
  std::size_t unweighted = 0;  // vertices without any weight
};

InfluenceCounts count_influences(const SkinWeights& weights, double threshold);

struct WeightComparison {
  std::size_t vertices = 0;
  int joints = 0;           // joints of the truth that may deform the skin (JointKind::joint)
  double l1 = 0;            // mean over vertices of the sum over joints of |candidate - truth|; 0 … 2
  double l1_per_entry = 0;  // l1 / joints
  double l1_max = 0;        // of the worst vertex
  double precision = 0;     // share of the candidate's influences that the truth has, mean over weighted vertices
  double recall = 0;        // share of the truth's influences that the candidate has, likewise
  double dominant = 0;      // share of vertices whose strongest joint is the same
  InfluenceCounts candidate;
  InfluenceCounts truth;
};

// `threshold`: weights up to this do not count as influence (precision, recall, influences per vertex).
WeightComparison compare_weights(const SkinPair& pair, double threshold = 1e-4);

}  // namespace sinew
