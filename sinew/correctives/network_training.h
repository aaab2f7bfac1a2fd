// Fitting one small tanh network to samples: Adam on mini-batches, then L-BFGS on all of them.
//
// Networks here have a few hundred to a few thousand weights and about a thousand samples. Adam finds the valley in a
// few hundred cheap passes; L-BFGS then goes down it, which first-order steps take thousands of passes for. A part of
// the samples is held back to tell when to stop.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "sinew/correctives/corrective_model.h"

namespace sinew {

struct NetworkTraining {
  int hidden = 24;             // of both hidden layers
  int adam_epochs = 60;        // passes over the samples
  int batch = 32;              // samples per Adam step
  int lbfgs_iterations = 60;   // each one pass, sometimes two
  double rate = 0.01;          // Adam's, annealed to a hundredth of it by a cosine
  double weight_decay = 1e-5;  // of the mean squared output, per squared weight
  double held_back = 0.1;      // share of the samples that only decides which state is kept; in runs of neighbours
  std::uint64_t seed = 1;
};

// `inputs` and `outputs`: one column per sample, in units of the caller. Input and output scales are found here and
// folded into the first and last layer. `network.joints` is left alone.
void train_network(const Eigen::MatrixXf& inputs, const Eigen::MatrixXf& outputs, const NetworkTraining& options,
                   CorrectiveNetwork& network);

// Mean squared error per sample and half its gradient with respect to all parameters (W₁ b₁ W₂ b₂ W₃ b₃, by column):
// for the optimiser, and for tests against finite differences.
struct NetworkShape {
  int inputs = 0, hidden = 0, outputs = 0;
  Eigen::Index parameters() const {
    return Eigen::Index{hidden} * (inputs + 1) + Eigen::Index{hidden} * (hidden + 1) +
           Eigen::Index{outputs} * (hidden + 1);
  }
};
double network_loss(const NetworkShape& shape, const Eigen::VectorXf& parameters, const Eigen::MatrixXf& inputs,
                    const Eigen::MatrixXf& outputs, double weight_decay, Eigen::VectorXf* gradient);

}  // namespace sinew
