// Teaching the weight method auto through the C interface.
#include <deque>

#include "bindings/c/call.h"
#include "sinew/base/parallel.h"
#include "sinew/pipeline_c.h"
#include "sinew/train_weights.h"

namespace sinew::binding {
namespace {

constexpr std::size_t least_train_weights = SINEW_SIZE_UP_TO(sinew_train_weights_options, threads);
// Of the progress, for making examples of the characters; training is the rest.
constexpr double share_of_examples = 0.5;

WeightTrainingOptions weight_training_options_of(const sinew_train_weights_options& taken) {
  WeightTrainingOptions options;
  options.vertices = taken.vertices;
  options.epochs = taken.epochs;
  options.hidden = taken.hidden;
  options.members = taken.members;
  options.seed = taken.seed;
  options.threads = taken.threads;
  return options;
}

// Nobody changes the characters as long as the returned objects live.
std::deque<Reading> reading_all(const sinew_character* const* handles, std::size_t count, const char* name) {
  std::deque<Reading> all;
  for (const sinew_character* handle : array_of(handles, count, name)) all.emplace_back(handle, name);
  return all;
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

void sinew_train_weights_options_defaults(sinew_train_weights_options* given, size_t struct_size) {
  give_defaults(given, struct_size, [](sinew_train_weights_options* options) {
    const WeightTrainingOptions defaults;
    options->vertices = defaults.vertices;
    options->epochs = defaults.epochs;
    options->hidden = defaults.hidden;
    options->members = defaults.members;
    options->seed = defaults.seed;
    options->threads = defaults.threads;
  });
}

sinew_status sinew_train_weights(const sinew_character* const* characters, const char* const* groups,
                                 size_t character_count, const sinew_train_weights_options* options,
                                 const sinew_progress* progress, sinew_result* result) {
  return run_call(result, [&](ResultObject& report) {
    const auto taken =
        options_of(options, sinew_train_weights_options_defaults, least_train_weights, "sinew_train_weights_options");
    const std::deque<Reading> given = reading_all(characters, character_count, "characters");
    const std::deque<Reading> apart = reading_all(taken.apart, taken.apart_count, "apart");
    const Progress told = progress_of(progress);
    TrainedWeights trained = with_threads(taken.threads, told, [&] {
      WeightTrainer trainer(weight_training_options_of(taken));
      for (const Reading& character : apart) trainer.keep_apart(*character);
      Warnings warnings;
      for (std::size_t i = 0; i < given.size(); ++i) {
        told(share_of_examples * static_cast<double>(i) / static_cast<double>(given.size()), "reading characters");
        trainer.add(*given[i], groups == nullptr ? "" : text_or(groups[i], ""), warnings);
      }
      add_warnings(report, warnings);
      return trainer.train(told.part(share_of_examples, 1));
    });
    set_report(report, {{"characters", trained.characters},
                        {"unseen_ratio", trained.unseen_ratio},
                        {"seen_ratio", trained.seen_ratio}});
    add_file(report, "trained.sinewweights", std::move(trained.model));
  });
}

}  // extern "C"
