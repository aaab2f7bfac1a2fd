// The optimiser of SkinCells: Adam in two stages, which can stop at any step and go on later with the same result.
//
// Stage `fit` makes the field reproduce the weights of another method; stage `poses` lowers the loss over sampled poses
// (section 3.6 of the source) without leaving those weights further than the prior allows. All that a stage draws at
// random follows from the seed and the step alone, so a state and the inputs say everything that is to come.
// Internal to the skincells method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sinew/base/adam.h"
#include "sinew/progress.h"
#include "sinew/weights/skincells/skincells_field.h"
#include "sinew/weights/skincells/skincells_loss.h"
#include "sinew/weights/skincells/skincells_target.h"

namespace sinew::skincells {

enum class Stage : std::uint8_t { fit, poses, done };

struct OptimiserState {
  SkinCellField field;
  Stage stage = Stage::fit;
  int step = 0;               // done in this stage
  std::vector<double> rates;  // per parameter: its natural size
  Adam<double> adam;
  double window = 0, window_before = 0;  // mean loss of the present and the last window of steps; 0 = none
  double first_loss = 0, last_loss = 0;  // over poses
  bool converged = false;
  int last_step = 0;  // of the stage over poses: brought forward when converged
};

struct OptimiserPlan {
  int fit_steps = 0;
  double fit_rate = 5e-2;
  int pose_steps = 0;
  double pose_rate = 1e-2;
  int batch = 16;               // poses per step
  std::size_t fit_batch = 192;  // blocks of points per step
  std::uint64_t seed = 1;
  LossWeights weights;
  double prior = 0;              // weight of the distance to the target while optimising over poses
  double pins = 0;               // weight of the distance to painted weights, in both stages
  bool only_falloffs = false;    // nothing else moves
  bool keep_relaxation = false;  // instead of letting it go to zero
  // Called after every step that may be saved.
  std::function<void(const OptimiserState&)> save = [](const OptimiserState&) {};
};

struct OptimiserInput {
  const TargetLoss& target;  // may be empty
  const TargetLoss& pins;    // may be empty
  const Problem& problem;
};

// Runs the state to its end. A cancelled `progress` throws after `plan.save` was given the last state.
void optimise(OptimiserState& state, const OptimiserInput& input, const OptimiserPlan& plan, const Progress& progress);

// A state as bytes, to go on from later. `fingerprint` says what it belongs to; reading a state of something else, or
// bytes that are no state, throws Error(bad_input). The state read into must already hold a field of the right shape.
std::vector<std::byte> write_checkpoint(const OptimiserState& state, std::uint64_t fingerprint);
void read_checkpoint(std::span<const std::byte> bytes, std::uint64_t fingerprint, OptimiserState& state);

}  // namespace sinew::skincells
