// Weight tools of the C interface.
#include "sinew/weight_tools_c.h"

#include "bindings/c/call.h"
#include "sinew/pipeline/report_json.h"
#include "sinew/weight_tools.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_selection = SINEW_SIZE_UP_TO(sinew_weight_selection, locked);
constexpr std::size_t least_mirror = SINEW_SIZE_UP_TO(sinew_mirror_options, threads);
constexpr std::size_t least_smooth = SINEW_SIZE_UP_TO(sinew_smooth_options, threads);
constexpr std::size_t least_prune = SINEW_SIZE_UP_TO(sinew_prune_options, threads);
constexpr std::size_t least_limit = SINEW_SIZE_UP_TO(sinew_limit_options, threads);

std::vector<int> joints_of(const std::int32_t* joints, std::size_t count, const char* name) {
  const auto given = array_of(joints, count, name);
  return {given.begin(), given.end()};
}

WeightSelection selection_of(const sinew_weight_selection* given) {
  WeightSelection selection;
  if (given == nullptr) return selection;
  const auto taken = arrays_of(given, least_selection, "sinew_weight_selection");
  const auto vertices = array_of(taken.vertices, taken.vertex_count, "vertices");
  selection.vertices.assign(vertices.begin(), vertices.end());
  selection.locked = joints_of(taken.locked, taken.locked_count, "locked");
  return selection;
}

const WeightChange& change_of(const WeightChange& change) { return change; }
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

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

void sinew_mirror_options_defaults(sinew_mirror_options* options) {
  if (options == nullptr) return;
  const MirrorOptions defaults;
  *options = {sizeof(*options),
              nullptr,
              defaults.from == MirrorFrom::right,
              defaults.by_topology,
              defaults.vertex_tolerance,
              defaults.reach,
              defaults.threads};
}

sinew_status sinew_mirror_weights(sinew_character* character, const sinew_mirror_options* options,
                                  const sinew_progress* progress, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_mirror_options_defaults, least_mirror, "sinew_mirror_options");
    return mirror_weights(changed,
                          {.selection = selection_of(taken.selection),
                           .from = taken.from_right != 0 ? MirrorFrom::right : MirrorFrom::left,
                           .by_topology = taken.by_topology != 0,
                           .vertex_tolerance = taken.vertex_tolerance,
                           .reach = taken.reach,
                           .threads = taken.threads},
                          progress_of(progress));
  });
}

void sinew_smooth_options_defaults(sinew_smooth_options* options) {
  if (options == nullptr) return;
  const SmoothOptions defaults;
  *options = {sizeof(*options),        nullptr,         0, nullptr, defaults.strength, defaults.iterations,
              defaults.max_influences, defaults.threads};
}

sinew_status sinew_smooth_weights(sinew_character* character, const sinew_smooth_options* options,
                                  const sinew_progress* progress, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_smooth_options_defaults, least_smooth, "sinew_smooth_options");
    return smooth_weights(changed,
                          {.selection = selection_of(taken.selection),
                           .joints = joints_of(taken.joints, taken.joint_count, "joints"),
                           .strength = taken.strength,
                           .iterations = taken.iterations,
                           .max_influences = taken.max_influences,
                           .threads = taken.threads},
                          progress_of(progress));
  });
}

void sinew_prune_options_defaults(sinew_prune_options* options) {
  if (options == nullptr) return;
  const PruneOptions defaults;
  *options = {sizeof(*options), nullptr, 0, nullptr, defaults.threshold, defaults.threads};
}

sinew_status sinew_prune_weights(sinew_character* character, const sinew_prune_options* options,
                                 const sinew_progress* progress, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_prune_options_defaults, least_prune, "sinew_prune_options");
    return prune_weights(changed,
                         {.selection = selection_of(taken.selection),
                          .joints = joints_of(taken.joints, taken.joint_count, "joints"),
                          .threshold = taken.threshold,
                          .threads = taken.threads},
                         progress_of(progress));
  });
}

void sinew_limit_options_defaults(sinew_limit_options* options) {
  if (options == nullptr) return;
  const LimitOptions defaults;
  *options = {sizeof(*options), nullptr, defaults.max_influences, defaults.poses, defaults.seed, defaults.threads};
}

sinew_status sinew_limit_influences(sinew_character* character, const sinew_limit_options* options,
                                    const sinew_progress* progress, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_limit_options_defaults, least_limit, "sinew_limit_options");
    return limit_influences(changed,
                            {.selection = selection_of(taken.selection),
                             .max_influences = taken.max_influences,
                             .poses = taken.poses,
                             .seed = taken.seed,
                             .threads = taken.threads},
                            progress_of(progress));
  });
}

}  // extern "C"
