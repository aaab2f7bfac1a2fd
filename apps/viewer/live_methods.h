// Methods that answer while a slider moves: they keep what does not depend on the slider and solve again in
// milliseconds. This is the one place to say so; every other method is run from the registry as it is.
//
// To add one: an entry in live_methods.cpp with the options that may move, and a function that does the slow part once
// and returns the quick one.
#pragma once

#include <string>
#include <vector>

#include "sinew/weights/method.h"

namespace sinew::viewer {

struct LiveOption {
  std::string name;
  double minimum = 0, maximum = 1;  // of the slider: the range in which people look for their value
};

struct LiveMethod {
  using Solve = std::function<SkinWeights(const OptionValues& values, const Progress& progress)>;

  std::string method;
  std::vector<LiveOption> options;
  std::function<Solve(const BindInput& input, const OptionValues& values, const Progress& progress)> prepare;
};

// Null for a method that has none.
const LiveMethod* find_live_method(const std::string& method);

// Keeps the slow part of the last live method that was used.
class LiveCache {
 public:
  // `method` as bind_character takes it; when it is a live one, its solve goes through this cache, which must outlive
  // it. `situation` names everything else that the slow part depends on: the character and how it is bound.
  WeightMethod with_memory(const WeightMethod& method, const std::string& situation);

 private:
  std::string key_;
  LiveMethod::Solve solve_;
};

}  // namespace sinew::viewer
