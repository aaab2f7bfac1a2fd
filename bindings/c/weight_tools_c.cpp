// Weight tools of the C interface.
#include "sinew/weight_tools_c.h"

#include "bindings/c/weight_selection.h"
#include "sinew/weight_tools.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_mirror = SINEW_SIZE_UP_TO(sinew_mirror_options, threads);
constexpr std::size_t least_smooth = SINEW_SIZE_UP_TO(sinew_smooth_options, threads);
constexpr std::size_t least_prune = SINEW_SIZE_UP_TO(sinew_prune_options, threads);
constexpr std::size_t least_limit = SINEW_SIZE_UP_TO(sinew_limit_options, threads);

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

void sinew_mirror_options_defaults(sinew_mirror_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_mirror_options* options) {
    const MirrorOptions defaults;
    *options = {sizeof(*options),
                nullptr,
                defaults.from == MirrorFrom::right,
                defaults.by_topology,
                defaults.vertex_tolerance,
                defaults.reach,
                defaults.threads};
  });
}

sinew_status sinew_mirror_weights(sinew_character* character, const sinew_mirror_options* options,
                                  const sinew_progress* progress, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_mirror_options_defaults, least_mirror, "sinew_mirror_options");
    return mirror_weights(changed,
                          {.selection = selection_of(taken.selection, changed),
                           .from = taken.from_right != 0 ? MirrorFrom::right : MirrorFrom::left,
                           .by_topology = taken.by_topology != 0,
                           .vertex_tolerance = taken.vertex_tolerance,
                           .reach = taken.reach,
                           .threads = taken.threads},
                          progress_of(progress));
  });
}

void sinew_smooth_options_defaults(sinew_smooth_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_smooth_options* options) {
    const SmoothOptions defaults;
    *options = {sizeof(*options),        nullptr,         0, nullptr, defaults.strength, defaults.iterations,
                defaults.max_influences, defaults.threads};
  });
}

sinew_status sinew_smooth_weights(sinew_character* character, const sinew_smooth_options* options,
                                  const sinew_progress* progress, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_smooth_options_defaults, least_smooth, "sinew_smooth_options");
    return smooth_weights(changed,
                          {.selection = selection_of(taken.selection, changed),
                           .joints = joints_of(taken.joints, taken.joint_count, "joints"),
                           .strength = taken.strength,
                           .iterations = taken.iterations,
                           .max_influences = taken.max_influences,
                           .threads = taken.threads},
                          progress_of(progress));
  });
}

void sinew_prune_options_defaults(sinew_prune_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_prune_options* options) {
    const PruneOptions defaults;
    *options = {sizeof(*options), nullptr, 0, nullptr, defaults.threshold, defaults.threads};
  });
}

sinew_status sinew_prune_weights(sinew_character* character, const sinew_prune_options* options,
                                 const sinew_progress* progress, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_prune_options_defaults, least_prune, "sinew_prune_options");
    return prune_weights(changed,
                         {.selection = selection_of(taken.selection, changed),
                          .joints = joints_of(taken.joints, taken.joint_count, "joints"),
                          .threshold = taken.threshold,
                          .threads = taken.threads},
                         progress_of(progress));
  });
}

void sinew_limit_options_defaults(sinew_limit_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_limit_options* options) {
    const LimitOptions defaults;
    *options = {sizeof(*options), nullptr, defaults.max_influences, defaults.poses, defaults.seed, defaults.threads};
  });
}

sinew_status sinew_limit_influences(sinew_character* character, const sinew_limit_options* options,
                                    const sinew_progress* progress, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_limit_options_defaults, least_limit, "sinew_limit_options");
    return limit_influences(changed,
                            {.selection = selection_of(taken.selection, changed),
                             .max_influences = taken.max_influences,
                             .poses = taken.poses,
                             .seed = taken.seed,
                             .threads = taken.threads},
                            progress_of(progress));
  });
}

}  // extern "C"
