// Weights from other characters and from text, and twist joints, of the C interface.
#include "sinew/weight_transfer_c.h"

#include <deque>

#include "bindings/c/weight_selection.h"
#include "sinew/twist_joints.h"
#include "sinew/weight_files.h"
#include "sinew/weight_transfer.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_transfer = SINEW_SIZE_UP_TO(sinew_transfer_options, threads);
constexpr std::size_t least_copy = SINEW_SIZE_UP_TO(sinew_copy_options, threads);
constexpr std::size_t least_combine = SINEW_SIZE_UP_TO(sinew_combine_options, threads);
constexpr std::size_t least_twist = SINEW_SIZE_UP_TO(sinew_twist_options, max_influences);

// Layers whose sources nobody changes as long as this object lives.
class Layers {
 public:
  Layers(const sinew_weight_layer* given, std::size_t count) {
    for (const sinew_weight_layer& layer : array_of(given, count, "layers")) {
      const Character& source = *sources_.emplace_back(layer.source, "source of a layer");
      const auto mask = array_of(layer.mask, layer.mask_count, "mask");
      layers.push_back({&source, text_or(layer.parts, ""), {mask.begin(), mask.end()}});
    }
  }
  std::vector<WeightLayer> layers;

 private:
  std::deque<Reading> sources_;
};

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

void sinew_transfer_options_defaults(sinew_transfer_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_transfer_options* options) {
    const TransferOptions defaults;
    *options = {
        sizeof(*options),        nullptr,         defaults.max_distance, defaults.max_angle, defaults.both_sides,
        defaults.max_influences, defaults.threads};
  });
}

sinew_status sinew_transfer_weights(sinew_character* character, const sinew_character* source,
                                    const sinew_transfer_options* options, const sinew_progress* progress,
                                    sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_transfer_options_defaults, least_transfer, "sinew_transfer_options");
    const Reading from(source, "source");
    return transfer_weights(*from, changed,
                            {.selection = selection_of(taken.selection, changed),
                             .max_distance = taken.max_distance,
                             .max_angle = taken.max_angle,
                             .both_sides = taken.both_sides != 0,
                             .max_influences = taken.max_influences,
                             .threads = taken.threads},
                            progress_of(progress));
  });
}

void sinew_copy_options_defaults(sinew_copy_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_copy_options* options) {
    const CopyOptions defaults;
    *options = {sizeof(*options), nullptr, defaults.tolerance, defaults.threads};
  });
}

sinew_status sinew_copy_weights(sinew_character* character, const sinew_character* source,
                                const sinew_copy_options* options, const sinew_progress* progress,
                                sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_copy_options_defaults, least_copy, "sinew_copy_options");
    const Reading from(source, "source");
    return copy_weights(
        *from, changed,
        {.selection = selection_of(taken.selection, changed), .tolerance = taken.tolerance, .threads = taken.threads},
        progress_of(progress));
  });
}

void sinew_combine_options_defaults(sinew_combine_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_combine_options* options) {
    const CombineOptions defaults;
    *options = {sizeof(*options), nullptr, defaults.tolerance, defaults.max_influences, defaults.threads};
  });
}

sinew_status sinew_combine_weights(sinew_character* character, const sinew_weight_layer* layers, size_t layer_count,
                                   const sinew_combine_options* options, const sinew_progress* progress,
                                   sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto taken = options_of(options, sinew_combine_options_defaults, least_combine, "sinew_combine_options");
    const Layers given(layers, layer_count);
    return combine_weights(changed, given.layers,
                           {.selection = selection_of(taken.selection, changed),
                            .max_influences = taken.max_influences,
                            .tolerance = taken.tolerance,
                            .threads = taken.threads},
                           progress_of(progress));
  });
}

sinew_status sinew_mask_from_colors(const sinew_character* character, const char* channel, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    require(channel, "channel");
    const Reading read(character, "character");
    report.values = mask_from_colors(read->mesh, channel);
  });
}

sinew_status sinew_export_weights(const sinew_character* character, const char* form, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    require(form, "form");
    const Reading read(character, "character");
    const std::string name = form;
    if (name == "json") {
      add_file(report, "weights.json", write_weights_json(*read));
    } else if (name == "csv") {
      add_file(report, "weights.csv", write_weights_csv(*read));
    } else {
      throw Error(ErrorCode::choice_unknown, "weights cannot be written as '" + name + "'", "there are: json, csv")
          .about("form");
    }
  });
}

sinew_status sinew_import_weights(sinew_character* character, const char* text, size_t size,
                                  const sinew_weight_selection* selection, sinew_result* result) {
  return use_tool(character, result, [&](Character& changed) {
    const auto given = array_of(text, size, "text");
    return read_weights({given.data(), given.size()}, changed, selection_of(selection, changed));
  });
}

void sinew_twist_options_defaults(sinew_twist_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_twist_options* options) {
    const TwistOptions defaults;
    *options = {sizeof(*options), defaults.per_limb, defaults.upper_arms,    defaults.forearms,
                defaults.thighs,  defaults.shins,    defaults.max_influences};
  });
}

sinew_status sinew_add_twist_joints(sinew_character* character, const sinew_twist_options* options,
                                    sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const auto taken = options_of(options, sinew_twist_options_defaults, least_twist, "sinew_twist_options");
    const Writing written(character, "character");
    const TwistReport twist = add_twist_joints(*written, {.per_limb = taken.per_limb,
                                                          .upper_arms = taken.upper_arms != 0,
                                                          .forearms = taken.forearms != 0,
                                                          .thighs = taken.thighs != 0,
                                                          .shins = taken.shins != 0,
                                                          .max_influences = taken.max_influences});
    written.done();
    add_warnings(report, twist.warnings);
    set_report(report, report_json(twist));
  });
}

}  // extern "C"
