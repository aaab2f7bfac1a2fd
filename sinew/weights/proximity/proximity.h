// Proximity weights: each vertex follows its nearest bones by a power of the inverse distance.
//
// The simplest baseline. No surface is looked at, so a hand beside the hip follows the leg; but it works on anything
// that has points, and is continuous wherever the set of nearest bones does not change.
#pragma once

#include "sinew/weights/method.h"

namespace sinew {

struct ProximityOptions {
  int neighbours = 0;  // joints per vertex; 0 = as many as the input's max_influences
  double power = 4.0;  // weight = 1 / distance^power; larger is more rigid
};

SkinWeights proximity_weights(const BindInput& input, const ProximityOptions& options = {},
                              const Progress& progress = {});

WeightMethod proximity_method();

}  // namespace sinew
