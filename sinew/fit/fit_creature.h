// Fitting by matching trees: for skeletons and meshes that are neither people nor four-legged animals.
#pragma once

#include "sinew/fit.h"

namespace sinew {

struct CreatureFit {
  FitResult fit;
  // What a judge can go by; match_skeleton.h explains them.
  double misfit = 0;
  double covered = 0;
};

// How well a skeleton must match before it is believed.
struct CreatureGate {
  double misfit = 0.5;   // at most
  double covered = 0.5;  // at least
};

// Matches the skeleton's tree with the curve skeleton of the mesh (match_skeleton.h), whatever its joints are called,
// and brings the joints inside. Throws Error(kinds_differ) saying what does not match when the gate is not passed.
CreatureFit fit_creature(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options,
                         const Progress& progress, const CreatureGate& gate = {});

}  // namespace sinew
