// The list of weight methods: the one place where a method says its name, its options and how it is run.
//
// Everything else follows from it: `sinew bind --method NAME`, its flags and help, `make bench-characters`, the tests
// that every method must pass.
//
// How to add a method
//   1. Write sinew/weights/NAME.{h,cpp}: an options struct and `SkinWeights NAME_weights(const BindInput&, const
//      NAMEOptions&, const Progress&, Warnings&)`. Work in the input's normalised space, give every vertex weights,
//      name only joints that take weight, keep to input.max_influences (set_limited_influences does), and be the same
//      at any thread count.
//   2. In NAME.cpp write `WeightMethod NAME_method()`: the options by name, default, range and help, and a function
//      that copies their values into the struct.
//   3. Add it to the list in method.cpp. A method in another library calls add_weight_method at start instead.
//   4. tests/weights/every_method_test.cpp now runs it too; write NAME_test.cpp for what is its own, and
//      docs/methods/NAME.md.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/progress.h"
#include "sinew/weights/bind_input.h"

namespace sinew {

using OptionValue = std::variant<bool, int, double, std::string>;

struct MethodOption {
  std::string name;  // kebab-case: the flag is --name
  OptionValue default_value;
  std::string help;                        // one line, with the unit
  double minimum = -1e30, maximum = 1e30;  // for numbers, both allowed
  std::vector<std::string> choices;        // for strings; empty = anything
};

// Values by option name. Missing ones mean the default.
using OptionValues = std::map<std::string, OptionValue>;

struct WeightMethod {
  std::string name;
  std::string summary;  // one line for --help
  std::vector<MethodOption> options;
  // `values` holds every option of the method, checked.
  std::function<SkinWeights(const BindInput& input, const OptionValues& values, const Progress& progress,
                            Warnings& warnings)>
      solve;
};

// In order of registration, the built-in ones first.
const std::vector<WeightMethod>& weight_methods();

// Not thread-safe; call at start. Throws Error(usage) for a name that is taken.
void add_weight_method(WeightMethod method);

// Throws Error(usage) that lists the names there are.
const WeightMethod& find_weight_method(std::string_view name);

// `given` completed by defaults. Throws Error(usage) for an unknown option, a wrong type, a value out of range.
OptionValues checked_options(const WeightMethod& method, const OptionValues& given);

// Value of a checked option: option<double>(values, "power").
template <typename T>
const T& option(const OptionValues& values, const std::string& name) {
  return std::get<T>(values.at(name));
}

// Text ("0.5", "true", "geodesic") to a value of the option's type. Throws Error(usage).
OptionValue parse_option(const MethodOption& option, const std::string& text);
std::string format_option(const OptionValue& value);

}  // namespace sinew
