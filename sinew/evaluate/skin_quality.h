// What can be said about skin weights without a truth and without moving them: coverage, sparsity, smoothness.
//
// Measured on the skinned parts, welded (weld.h), so that UV seams do not look like borders. Definitions:
// docs/metrics.md, "Without a truth".
#pragma once

#include "sinew/evaluate/skin_pair.h"
#include "sinew/evaluate/weight_comparison.h"

namespace sinew {

struct SkinQuality {
  std::size_t vertices = 0;
  std::size_t left_out = 0;  // vertices of parts that are not skinned
  double coverage = 0;       // share of vertices with weight, 0 … 1
  InfluenceCounts influences;
  int joints = 0;       // that may deform the skin (JointKind::joint)
  int used_joints = 0;  // of any kind, with an influence on some vertex

  std::size_t islands = 0;             // connected components of the welded surface
  std::size_t unweighted_islands = 0;  // without any weight: they stay behind when the character moves
  std::size_t partial_islands = 0;     // with weight on some vertices only: they tear
  std::size_t rigid_islands = 0;       // all vertices have the same weights: they move as one piece
  std::size_t split_seams = 0;  // places where coinciding vertices have different weights: cracks open when it moves

  double dirichlet = 0;  // Σ_j ∫ |∇w_j|² over the surface, divided by used_joints; no unit, the same at any scale
  double roughness = 0;  // mean over vertices of half the L1 distance to the mean weights of the neighbours, 0 … 1
  double largest_step = 0;  // over all edges: half the L1 distance between the weights at its ends, 0 … 1
};

// `threshold`: weights up to this do not count as influence. Throws Error(bad_input) when nothing is skinned.
SkinQuality assess_skin(const Character& character, double threshold = 1e-4);

}  // namespace sinew
