// The default method: bone heat, corrected by what small networks learned from artists' weights.
//
// Heat and the nearest bones give every vertex a few candidate joints (candidate_features.h); the networks weigh them
// (weight_model.h). What comes out has as few influences as an artist would use, and pieces that an artist would keep
// rigid stay rigid (piece_rigidity.h). A character unlike those that were learned from keeps most of bone heat's answer,
// and the warnings say so.
#pragma once

#include "sinew/weights/auto/weight_model.h"
#include "sinew/weights/method.h"

namespace sinew {

struct AutoOptions {
  double least = 0.03;  // weights below it are left out, 0 … 0.3
};

SkinWeights auto_weights(const BindInput& input, const WeightModel& model, const AutoOptions& options,
                         const Progress& progress, Warnings& warnings);

WeightMethod auto_method();

}  // namespace sinew
