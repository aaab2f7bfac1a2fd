// Weight tools of the C interface: they give what the C++ functions give, and refuse what is not there.
#include "sinew/weight_tools.h"

#include <nlohmann/json.hpp>

#include "tests/bindings_c/c_interface.h"

namespace sinew::test {
namespace {

TEST(CWeightTools, GiveWhatTheLibraryGives) {
  const Twice made;
  const std::vector<std::uint32_t> vertices{0, 1, 2, 3, 4, 5, 600, 601};
  const std::vector<std::int32_t> joints{2, 3};
  const sinew_weight_selection some{sizeof(some), vertices.size(), vertices.data(), 1, joints.data(), nullptr, nullptr};
  const WeightSelection selection{vertices, {2}};
  {
    Character expected = made.character;
    const LimitReport limit = limit_influences(expected, {.selection = selection, .max_influences = 2, .poses = 8});
    sinew_limit_options options;
    sinew_limit_options_defaults(&options, sizeof options);
    options.selection = &some;
    options.max_influences = 2;
    options.poses = 8;
    const CharacterHandle handle = made.handle();
    const ResultHandle result = new_result();
    ASSERT_EQ(sinew_limit_influences(handle.get(), &options, nullptr, result.get()), SINEW_OK);
    double reduced = 0;
    ASSERT_EQ(sinew_result_number(result.get(), "reduced", &reduced), SINEW_OK);
    EXPECT_EQ(static_cast<std::size_t>(reduced), limit.reduced);
    expect_weights(handle, expected.weights);
  }
  {
    Character expected = made.character;
    smooth_weights(expected, {.selection = selection, .joints = {2, 3}, .iterations = 3});
    sinew_smooth_options options;
    sinew_smooth_options_defaults(&options, sizeof options);
    options.selection = &some;
    options.joints = joints.data();
    options.joint_count = joints.size();
    options.iterations = 3;
    const CharacterHandle handle = made.handle();
    ASSERT_EQ(sinew_smooth_weights(handle.get(), &options, nullptr, nullptr), SINEW_OK);
    expect_weights(handle, expected.weights);
  }
  {
    Character expected = made.character;
    prune_weights(expected, {.threshold = 0.2});
    sinew_prune_options options;
    sinew_prune_options_defaults(&options, sizeof options);
    options.threshold = 0.2;
    const CharacterHandle handle = made.handle();
    ASSERT_EQ(sinew_prune_weights(handle.get(), &options, nullptr, nullptr), SINEW_OK);
    expect_weights(handle, expected.weights);
  }
  {
    Character expected = made.character;
    mirror_weights(expected, {.from = MirrorFrom::right});
    sinew_mirror_options options;
    sinew_mirror_options_defaults(&options, sizeof options);
    options.from_right = 1;
    const CharacterHandle handle = made.handle();
    ASSERT_EQ(sinew_mirror_weights(handle.get(), &options, nullptr, nullptr), SINEW_OK);
    expect_weights(handle, expected.weights);
  }
}

TEST(CWeightTools, RefuseWhatIsNotThere) {
  const Twice made;
  const CharacterHandle handle = made.handle();
  const std::uint32_t far = 4'000'000;
  sinew_weight_selection selection{sizeof(selection), 1, &far, 0, nullptr, nullptr, nullptr};
  sinew_prune_options prune;
  sinew_prune_options_defaults(&prune, sizeof prune);
  prune.selection = &selection;
  EXPECT_EQ(sinew_prune_weights(handle.get(), &prune, nullptr, nullptr), SINEW_ARGUMENT_INVALID);
  selection.vertices = nullptr;
  EXPECT_EQ(sinew_prune_weights(handle.get(), &prune, nullptr, nullptr), SINEW_ARGUMENT_INVALID);
  selection = {};  // a struct of no version
  EXPECT_EQ(sinew_prune_weights(handle.get(), &prune, nullptr, nullptr), SINEW_ARGUMENT_INVALID);
  sinew_smooth_options smooth;
  sinew_smooth_options_defaults(&smooth, sizeof smooth);
  const std::int32_t none = -1;
  smooth.joints = &none;
  smooth.joint_count = 1;
  EXPECT_EQ(sinew_smooth_weights(handle.get(), &smooth, nullptr, nullptr), SINEW_JOINT_UNKNOWN);
  EXPECT_EQ(sinew_mirror_weights(nullptr, nullptr, nullptr, nullptr), SINEW_ARGUMENT_INVALID);
  expect_weights(handle, made.character.weights);
}

}  // namespace
}  // namespace sinew::test
