// What a mesh shows, of the C interface.
#include <algorithm>

#include "bindings/c/call.h"
#include "sinew/pipeline/report_json.h"
#include "sinew/pipeline_c.h"
#include "sinew/recognise.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_recognise = SINEW_SIZE_UP_TO(sinew_recognise_options, forward);
constexpr std::size_t least_body = SINEW_SIZE_UP_TO(sinew_body, pose_probability);

RecogniseOptions recognise_options_of(const sinew_recognise_options* given) {
  const auto taken = options_of(given, sinew_recognise_options_defaults, least_recognise, "sinew_recognise_options");
  return {.cells = taken.cells, .up = Vec3d(taken.up), .forward = Vec3d(taken.forward), .threads = taken.threads};
}

void give_body(const RecognisedBody& seen, sinew_body* to) {
  sinew_body full{};
  full.kind = kind_name(seen.kind).data();
  full.probability = seen.probability_of(seen.kind);
  std::copy_n(seen.frame.up.data(), 3, full.up);
  full.up_probability = seen.up_probability;
  std::copy_n(seen.frame.forward.data(), 3, full.forward);
  full.forward_probability = seen.forward_probability;
  std::copy_n(seen.mirror_point.data(), 3, full.mirror_point);
  full.symmetry = seen.symmetry;
  full.pose = seen.pose ? pose_name(*seen.pose).data() : nullptr;
  full.pose_probability = seen.pose_probability;
  give_arrays(full, to, least_body, "sinew_body");
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

void sinew_recognise_options_defaults(sinew_recognise_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_recognise_options* options) {
    const RecogniseOptions defaults;
    options->cells = defaults.cells;
    options->threads = defaults.threads;
  });
}

sinew_status sinew_recognise(const sinew_character* character, const sinew_recognise_options* options,
                             const sinew_progress* progress, sinew_body* body, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const RecogniseOptions choice = recognise_options_of(options);
    const Reading read(character, "character");
    const RecognisedBody seen = recognise_body(*read, choice, progress_of(progress));
    if (body != nullptr) give_body(seen, body);
    set_report(report, report_json(seen));
  });
}

}  // extern "C"
