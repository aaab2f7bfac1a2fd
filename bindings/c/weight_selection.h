// What the tools for weights of the C interface have in common: which vertices and joints they may touch, and their report.
#pragma once

#include "bindings/c/call.h"
#include "sinew/pipeline/report_json.h"
#include "sinew/weight_tools.h"

namespace sinew::binding {

// An array of joints of the caller.
std::vector<int> joints_of(const std::int32_t* joints, std::size_t count, const char* name);

// NULL: everything. `character`: whose parts and joints a selection by name means.
WeightSelection selection_of(const sinew_weight_selection* given, const Character& character);

inline const WeightChange& change_of(const WeightChange& change) { return change; }
template <typename Report>
const WeightChange& change_of(const Report& report) {
  return report.change;
}

// Runs tool(character) and gives its report.
template <typename Tool>
sinew_status use_tool(sinew_character* character, sinew_result* result, const Tool& tool) {
  return run_call(result, [&](ResultObject& report) {
    const Writing written(character, "character");
    const auto done = tool(*written);
    written.done();
    add_warnings(report, change_of(done).warnings);
    set_report(report, report_json(done, written->skeleton));
  });
}

}  // namespace sinew::binding
