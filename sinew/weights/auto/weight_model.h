// What the learned method knows: a few networks that learned from different characters, and how far to trust them.
//
// Every member learned without one group of characters (a studio, usually). Where the members agree, what they say does
// not depend on who made a character; where they differ, it is a matter of style or something none has seen, and bone
// heat gets the upper hand: its share is `caution` times the mean difference of the members.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/weights/auto/weight_refiner.h"

namespace sinew {

class WeightModel {
 public:
  // The one that comes with the library. Made on first use; safe from any thread.
  static const WeightModel& shipped();

  std::vector<RefinerNetwork> members;  // at least one
  float caution = 1;
  std::string description;  // JSON: how it was trained
};

// Weights per candidate, and per vertex which share of them is heat's: 0 … 1.
struct WeighedCandidates {
  std::vector<float> weights, doubt;
};
WeighedCandidates weigh(const WeightModel& model, const CandidateBatch& batch);

// A .sinewweights file (learn/network_file.h). Throws Error(bad_input) for anything else.
WeightModel parse_weight_model(std::span<const std::byte> bytes);
std::vector<std::byte> to_bytes(const WeightModel& model);

}  // namespace sinew
