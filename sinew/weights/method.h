// The list of weight methods: the one place where a method says its name, its options and how it is run.
//
// Everything else follows from it: bind_character, `sinew bind --method NAME` with its flags and help, the page, the
// benchmarks, and the tests that every method must pass.
//
// How to add a method
//   1. Write sinew/weights/NAME/NAME.{h,cpp}: an options struct and a function from BindInput and these options to
//      SkinWeights. Work in the input's normalised space, give every vertex weights, name only joints that take weight,
//      keep to input.max_influences (set_limited_influences does), and be the same at any thread count.
//   2. In NAME.cpp write `WeightMethod NAME_method()`: the options by name, default, range and help, the inputs that it
//      takes beside them, and a function that copies their values into the struct.
//   3. Add it to the list in method.cpp.
//   4. tests/weights/every_method_test.cpp now runs it too; write NAME_test.cpp for what is its own, and
//      docs/methods/NAME.md.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/bind.h"
#include "sinew/progress.h"
#include "sinew/weights/bind_input.h"
#include "sinew/weights/pins.h"

namespace sinew {

// What BindOptions holds beside numbers, for the welded input. Only what the method takes is filled.
struct MethodInputs {
  std::vector<WeldedPin> pins;
  const Character* body = nullptr;
  const Character* poses = nullptr;
  SkinWeights reference;  // per welded vertex; empty: none
  std::map<std::string, double> joint_softness;
  const WeightModel* weight_model = nullptr;
  std::span<const std::byte> resume;
  std::function<void(std::span<const std::byte>)> save_state;
};

struct MethodResult {
  SkinWeights weights;           // per welded vertex
  std::vector<std::byte> field;  // of a method that makes one
  Warnings warnings;
};

struct WeightMethod : MethodInfo {
  using Answer = std::function<MethodResult(const OptionValues& values, const Progress& progress)>;

  // `values` holds every option of the method, checked.
  std::function<MethodResult(const BindInput& input, const MethodInputs& inputs, const OptionValues& values,
                             const Progress& progress)>
      solve;
  // For methods with live options: does what no live option changes and returns what answers for their values. The
  // answer keeps what it needs; input and inputs may go.
  std::function<Answer(const BindInput& input, const MethodInputs& inputs, const OptionValues& values,
                       const Progress& progress)>
      prepare;
};

// In the order of weight_method_list().
const std::vector<WeightMethod>& weight_methods();

// Throws Error(usage) that lists the names there are.
const WeightMethod& find_weight_method(std::string_view name);

// Value of a checked option: option<double>(values, "power").
template <typename T>
const T& option(const OptionValues& values, const std::string& name) {
  return std::get<T>(values.at(name));
}

}  // namespace sinew
