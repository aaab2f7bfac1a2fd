// Bone heat: every bone warms the skin it is nearest to, the heat spreads over the surface, and the temperatures in
// equilibrium are the weights.
//
// Baran and Popović, "Automatic Rigging and Animation of 3D Characters" (2007), section 4: (−Δ + H) w = H p, with
// p = 1 at the vertices that a bone warms and H = c / d² there. The robust Laplacian (mesh/laplacian.h) makes it
// work on open and non-manifold meshes; pieces that see no bone take their weights from the nearest surface that does,
// and small ones that touch a larger piece follow it (attached_pieces.h).
// Point clouds exchange heat between nearest neighbours, and every point sees every bone.
#pragma once

#include "sinew/base/sparse_cholesky.h"
#include "sinew/mesh/laplacian.h"
#include "sinew/weights/heat/heat_sources.h"
#include "sinew/weights/method.h"

namespace sinew {

struct HeatOptions {
  double strength = 5.0;  // c: larger is more rigid, smaller spreads further; > 0. 1 in the paper; artists are firmer
};

SkinWeights heat_weights(const BindInput& input, const HeatOptions& options, const Progress& progress,
                         Warnings& warnings);

// What does not change with the options, for solving more than once.
struct HeatSystem {
  HeatSources sources;
  std::vector<int> joints;                       // that are a source of any vertex, in rising order
  Laplacian laplacian;                           // with small pieces joined to what lies beside them
  std::shared_ptr<const SparsePattern> pattern;  // of the system that is solved
};
HeatSystem make_heat_system(const BindInput& input, const Progress& progress = {});
// With so many slots per vertex instead of the input's.
SkinWeights heat_weights(const BindInput& input, const HeatSystem& system, const HeatOptions& options, int slots,
                         const Progress& progress, Warnings& warnings);

WeightMethod heat_method();

}  // namespace sinew
