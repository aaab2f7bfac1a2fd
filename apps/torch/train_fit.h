// Teaching the fitting networks (sinew/learn/fit_network.h) from rigged characters.
#pragma once

#include "train_image.h"

namespace sinew::torch_program {

struct FitTraining {
  int steps = 6000, batch = 4;
  double rate = 1e-3;
  std::uint64_t seed = 1;
};

// Bodies must have their picture features. Validation: mean distance of joints to where they belong, in heights, on
// lessons from bodies that are not trained on.
std::vector<LossPoint> train_fit_network(const std::vector<TrainingBody>& bodies,
                                         const std::vector<TrainingBody>& held_out, const FitTraining& options,
                                         NetworkFile& checkpoint, const std::function<void()>& save);

}  // namespace sinew::torch_program
