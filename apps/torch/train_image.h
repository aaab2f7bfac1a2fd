// Teaching the image network to see dense body coordinates in pictures of characters.
#pragma once

#include <functional>

#include "apps/torch/training_data/training_body.h"
#include "sinew/learn/network_file.h"

namespace sinew::torch_program {

struct LossPoint {
  std::int64_t step;
  double training, validation;
};

// The curve is kept in the checkpoint as an array of rows step, training, validation.
std::vector<LossPoint> read_curve(const NetworkFile& checkpoint, const std::string& name);
void write_curve(const std::vector<LossPoint>& curve, NetworkFile& checkpoint, const std::string& name);

struct ImageTraining {
  int steps = 1500, batch = 6;
  double rate = 2e-3;
  std::uint64_t seed = 1;
};

// `save` is called with the network so far now and then, and at the end. Validation: mean distance between seen and
// true coordinates, in heights, on bodies that are not trained on.
std::vector<LossPoint> train_image_network(const std::vector<TrainingBody>& bodies,
                                           const std::vector<TrainingBody>& held_out, const ImageTraining& options,
                                           NetworkFile& checkpoint, const std::function<void()>& save);

}  // namespace sinew::torch_program
