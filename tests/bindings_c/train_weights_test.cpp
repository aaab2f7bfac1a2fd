// Teaching the method auto through the C interface: it gives what WeightTrainer gives, and refuses what it refuses.
#include "sinew/train_weights.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/bind.h"
#include "tests/bindings_c/c_interface.h"

namespace sinew::test {
namespace {

Character bound_bar(int joints, double radius) {
  Character bar = test::bar(4, radius, 24, 8, joints);
  bar.name = "bar " + std::to_string(joints);
  bind_character(bar, {.method = "atlas"});
  return bar;
}

struct Bars {
  std::vector<Character> bars;
  std::vector<CharacterHandle> handles;
  std::vector<const sinew_character*> pointers;

  Bars() {
    for (int i = 0; i < 4; ++i) {
      bars.push_back(bound_bar(2 + i, 0.2 + 0.05 * i));
      handles.push_back(through_arrays(bars.back()));
      sinew_weight_arrays weights{};
      weights.struct_size = sizeof weights;
      weights.vertex_count = bars.back().mesh.vertex_count();
      weights.influences = bars.back().weights.influences;
      weights.joints = bars.back().weights.joints.data();
      weights.weights = bars.back().weights.weights.data();
      EXPECT_EQ(sinew_set_weights(handles.back().get(), &weights, nullptr), SINEW_OK);
      pointers.push_back(handles.back().get());
    }
  }
};

sinew_train_weights_options quick() {
  sinew_train_weights_options options;
  sinew_train_weights_options_defaults(&options, sizeof options);
  options.vertices = 50;
  options.epochs = 2;
  options.hidden = 8;
  options.members = 2;
  return options;
}

TEST(CTrainWeights, GivesTheBytesOfTheLibraryAndBindTakesThem) {
  const ResultHandle result = new_result();
  const Bars made;
  const sinew_train_weights_options options = quick();
  const char* groups[] = {"a", "a", "b", "c"};
  ASSERT_EQ(sinew_train_weights(made.pointers.data(), groups, 4, &options, nullptr, result.get()), SINEW_OK)
      << message_of(result);
  const char* name = nullptr;
  const void* bytes = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(sinew_result_file(result.get(), 0, &name, &bytes, &size), SINEW_OK);
  EXPECT_STREQ(name, "trained.sinewweights");

  WeightTrainer trainer({.vertices = 50, .epochs = 2, .hidden = 8, .members = 2});
  Warnings warnings;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(trainer.add(made.bars[i], groups[i], warnings));
  const TrainedWeights same = trainer.train();
  ASSERT_EQ(size, same.model.size());
  EXPECT_EQ(std::memcmp(bytes, same.model.data(), size), 0);
  const nlohmann::json report = nlohmann::json::parse(sinew_result_json(result.get()));
  EXPECT_EQ(report.at("characters"), 4);
  EXPECT_EQ(report.at("unseen_ratio"), same.unseen_ratio);
  double seen = 0;
  EXPECT_EQ(sinew_result_number(result.get(), "seen_ratio", &seen), SINEW_OK);
  EXPECT_EQ(seen, same.seen_ratio);

  const CharacterHandle bar = c_bar();
  sinew_bind_options bind;
  sinew_bind_options_defaults(&bind, sizeof bind);
  bind.networks = same.model.data();
  bind.networks_size = same.model.size();
  EXPECT_EQ(sinew_bind(bar.get(), &bind, nullptr, result.get()), SINEW_OK) << message_of(result);
}

TEST(CTrainWeights, WarnsOfWhatItLeavesOut) {
  const ResultHandle result = new_result();
  const Bars made;
  const CharacterHandle bare = c_bar();
  std::vector<const sinew_character*> all = made.pointers;
  all.push_back(bare.get());
  sinew_train_weights_options options = quick();
  options.apart = &made.pointers.front();
  options.apart_count = 1;
  ASSERT_EQ(sinew_train_weights(all.data(), nullptr, all.size(), &options, nullptr, result.get()), SINEW_OK)
      << message_of(result);
  EXPECT_EQ(nlohmann::json::parse(sinew_result_json(result.get())).at("characters"), 3);
  ASSERT_EQ(sinew_result_warning_count(result.get()), 2u);
  const char *first = nullptr, *second = nullptr, *message = nullptr;
  EXPECT_EQ(sinew_result_warning(result.get(), 0, &first, &message), SINEW_OK);
  EXPECT_EQ(sinew_result_warning(result.get(), 1, &second, &message), SINEW_OK);
  EXPECT_STREQ(first, "kept-apart");
  EXPECT_STREQ(second, "not-learned-from");
}

TEST(CTrainWeights, RefusesWhatItCannotUse) {
  const ResultHandle result = new_result();
  const Bars made;
  sinew_train_weights_options options = quick();
  const auto train = [&](const sinew_character* const* characters, std::size_t count) {
    return sinew_train_weights(characters, nullptr, count, &options, nullptr, result.get());
  };
  EXPECT_EQ(train(nullptr, 4), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(train(nullptr, 0), SINEW_TRAINING_DATA_INVALID);
  EXPECT_EQ(train(made.pointers.data(), 1), SINEW_TRAINING_DATA_INVALID);
  const sinew_character* const with_null[] = {made.pointers[0], nullptr};
  EXPECT_EQ(train(with_null, 2), SINEW_ARGUMENT_INVALID);
  options.members = 17;
  EXPECT_EQ(train(made.pointers.data(), 4), SINEW_OPTION_OUT_OF_RANGE);
  EXPECT_STREQ(sinew_result_option(result.get()), "members");
  options = quick();
  options.apart_count = 1;
  EXPECT_EQ(train(made.pointers.data(), 4), SINEW_ARGUMENT_INVALID);
  options = quick();
  options.struct_size = 8;
  EXPECT_EQ(train(made.pointers.data(), 4), SINEW_ARGUMENT_INVALID);
}

TEST(CTrainWeights, TellsHowFarItIsAndCanBeCancelled) {
  const ResultHandle result = new_result();
  const Bars made;
  const sinew_train_weights_options options = quick();
  double furthest = -1;
  sinew_progress progress{[](void* user, double fraction, const char*) {
                            double& last = *static_cast<double*>(user);
                            EXPECT_GE(fraction, last);
                            last = fraction;
                            return 0;
                          },
                          &furthest};
  EXPECT_EQ(sinew_train_weights(made.pointers.data(), nullptr, 4, &options, &progress, result.get()), SINEW_OK);
  EXPECT_GT(furthest, 0.5);
  progress.tell = [](void*, double fraction, const char*) { return fraction > 0.3 ? 1 : 0; };
  EXPECT_EQ(sinew_train_weights(made.pointers.data(), nullptr, 4, &options, &progress, result.get()), SINEW_CANCELLED);
  EXPECT_EQ(sinew_result_file_count(result.get()), 0u);
}

}  // namespace
}  // namespace sinew::test
