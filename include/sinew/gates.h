// Quality gates: `--require ade=0.003,coverage=1` makes a pipeline stop (exit code 4) when a result is not good enough.
//
//   const std::vector<Gate> gates = parse_gates("coverage=1,max-influences=4");   // before the work: usage errors
//   require_gates(check_gates(gates, metrics));                                   // after it: Error(gate)
//
// A metric knows which way is better, so a gate is just a name and a limit: at most 0.003, at least 1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/export.h"

namespace sinew {

enum class Better { lower, higher };

struct Metric {
  std::string name;  // kebab-case, as users type it
  double value = 0;
  Better better = Better::lower;
};

struct Gate {
  std::string name;
  double limit = 0;
};

// "name=number" separated by commas. Throws Error(usage) naming what cannot be read; names are checked by check_gates,
// or before the work by check_gate_names.
SINEW_API std::vector<Gate> parse_gates(std::string_view text);

// Throws Error(usage) that lists the known names when a gate's name is none of them.
SINEW_API void check_gate_names(const std::vector<Gate>& gates, const std::vector<std::string>& known);

struct GateResult {
  Gate gate;
  double value = 0;
  Better better = Better::lower;
  bool met = false;
};

// One result per gate. Throws Error(usage) when a gate names a metric that was not measured. A value that is not a
// number never meets a gate.
SINEW_API std::vector<GateResult> check_gates(const std::vector<Gate>& gates, const std::vector<Metric>& metrics);

// Throws Error(gate) that says which gates were not met and by how much; does nothing when all were.
SINEW_API void require_gates(const std::vector<GateResult>& results);

}  // namespace sinew
