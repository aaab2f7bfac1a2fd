// Weights from other characters and from text, and twist joints, through the C interface: what the C++ functions give.
#include "sinew/weight_transfer.h"

#include "sinew/twist_joints.h"
#include "sinew/weight_files.h"
#include "tests/bindings_c/c_interface.h"

namespace sinew::test {
namespace {

const Twice& person_to_transfer() {
  static const Twice made;
  return made;
}

TEST(CWeightTransfer, TransfersCopiesAndCombines) {
  const Twice& made = person_to_transfer();
  const ResultHandle result = new_result();
  Character bare = made.character;
  bare.weights = {};
  const Twice target(bare);
  {
    Character expected = target.character;
    const TransferReport transfer = transfer_weights(made.character, expected, {.max_angle = 60, .max_influences = 3});
    sinew_transfer_options options;
    sinew_transfer_options_defaults(&options, sizeof options);
    options.max_angle = 60;
    options.max_influences = 3;
    const CharacterHandle handle = target.handle(), source = made.handle();
    ASSERT_EQ(sinew_transfer_weights(handle.get(), source.get(), &options, nullptr, result.get()), SINEW_OK)
        << message_of(result);
    expect_weights(handle, expected.weights);
    EXPECT_EQ(report_of(result)["matched"], transfer.matched);
    EXPECT_EQ(report_of(result)["joints"]["by_name"], transfer.joints.by_name);
  }
  {
    Character expected = target.character;
    const CopyReport copy = copy_weights(made.character, expected);
    const CharacterHandle handle = target.handle(), source = made.handle();
    ASSERT_EQ(sinew_copy_weights(handle.get(), source.get(), nullptr, nullptr, result.get()), SINEW_OK)
        << message_of(result);
    expect_weights(handle, expected.weights);
    EXPECT_EQ(report_of(result)["by_order"], copy.by_order);
  }
  {
    Character expected = made.character, other = made.character;
    smooth_weights(other, {.iterations = 20});
    const Twice smooth(other);
    const std::vector<float> mask(made.character.mesh.vertex_count(), 0.3f);
    combine_weights(expected, {{&smooth.character, {}, mask}});
    const CharacterHandle handle = made.handle(), source = smooth.handle();
    sinew_weight_layer layer{source.get(), nullptr, mask.size(), mask.data()};
    ASSERT_EQ(sinew_combine_weights(handle.get(), &layer, 1, nullptr, nullptr, result.get()), SINEW_OK)
        << message_of(result);
    expect_weights(handle, expected.weights);
    layer.parts = "NoSuchPart";
    EXPECT_NE(sinew_combine_weights(handle.get(), &layer, 1, nullptr, nullptr, result.get()), SINEW_OK);
    layer = {handle.get(), nullptr, 0, nullptr};  // the character itself
    EXPECT_EQ(sinew_combine_weights(handle.get(), &layer, 1, nullptr, nullptr, result.get()), SINEW_NOT_NOW);
    layer = {nullptr, nullptr, 0, nullptr};
    EXPECT_EQ(sinew_combine_weights(handle.get(), &layer, 1, nullptr, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
    EXPECT_EQ(sinew_combine_weights(handle.get(), nullptr, 1, nullptr, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
    expect_weights(handle, expected.weights);
  }
}

TEST(CWeightTransfer, TextComesBack) {
  const Twice& made = person_to_transfer();
  const ResultHandle result = new_result(), other = new_result();
  const CharacterHandle handle = made.handle();
  for (const char* form : {"json", "csv"}) {
    ASSERT_EQ(sinew_export_weights(handle.get(), form, result.get()), SINEW_OK) << message_of(result);
    std::string name;
    const std::string text = file_of(result, 0, &name);
    EXPECT_EQ(name, std::string("weights.") + form);
    EXPECT_EQ(text,
              std::string(form) == "csv" ? write_weights_csv(made.character) : write_weights_json(made.character));
    const CharacterHandle again = made.handle();
    ASSERT_EQ(sinew_set_weights(again.get(), nullptr, nullptr), SINEW_OK);
    ASSERT_EQ(sinew_import_weights(again.get(), text.data(), text.size(), nullptr, other.get()), SINEW_OK)
        << message_of(other);
    Character expected = made.character;
    expected.weights = {};
    read_weights(text, expected);
    expect_weights(again, expected.weights);
  }
  EXPECT_EQ(sinew_export_weights(handle.get(), "xml", result.get()), SINEW_CHOICE_UNKNOWN);
  EXPECT_EQ(sinew_export_weights(handle.get(), nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_NE(sinew_import_weights(handle.get(), "rubbish", 7, nullptr, result.get()), SINEW_OK);
  EXPECT_EQ(sinew_import_weights(handle.get(), nullptr, 7, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  expect_weights(handle, made.character.weights);
}

TEST(CWeightTransfer, MasksComeFromColours) {
  const ResultHandle result = new_result();
  Character coloured = bar(4, 0.25, 21, 8, 2);
  const CharacterHandle plain = through_arrays(coloured);
  EXPECT_NE(sinew_mask_from_colors(plain.get(), "red", result.get()), SINEW_OK);
  std::vector<float> colors(4 * coloured.mesh.vertex_count(), 0.25f);
  sinew_mesh_arrays mesh = mesh_of(plain);
  mesh.colors = colors.data();
  const std::vector<float> positions(mesh.positions, mesh.positions + 3 * mesh.vertex_count);
  const std::vector<std::uint32_t> corners(mesh.triangles, mesh.triangles + 3 * mesh.triangle_count);
  mesh.positions = positions.data(), mesh.triangles = corners.data(), mesh.normals = nullptr;
  ASSERT_EQ(sinew_set_mesh(plain.get(), &mesh, result.get()), SINEW_OK) << message_of(result);
  ASSERT_EQ(sinew_mask_from_colors(plain.get(), "red", result.get()), SINEW_OK) << message_of(result);
  std::size_t count = 0;
  const float* mask = sinew_result_values(result.get(), &count);
  ASSERT_EQ(count, coloured.mesh.vertex_count());
  EXPECT_FLOAT_EQ(mask[0], 0.25f);
  EXPECT_NE(sinew_mask_from_colors(plain.get(), "pink", result.get()), SINEW_OK);
}

TEST(CWeightTransfer, TwistJointsAreAdded) {
  const Twice& made = person_to_transfer();
  const ResultHandle result = new_result();
  Character expected = made.character;
  const TwistReport twist = add_twist_joints(expected, {.per_limb = 2, .thighs = false});
  sinew_twist_options options;
  sinew_twist_options_defaults(&options, sizeof options);
  options.per_limb = 2;
  options.thighs = 0;
  const CharacterHandle handle = made.handle();
  ASSERT_EQ(sinew_add_twist_joints(handle.get(), &options, result.get()), SINEW_OK) << message_of(result);
  sinew_character_info info{};
  info.struct_size = sizeof info;
  ASSERT_EQ(sinew_get_info(handle.get(), &info, nullptr), SINEW_OK);
  EXPECT_EQ(info.joint_count, expected.skeleton.names.size());
  EXPECT_EQ(report_of(result)["added"].size(), twist.added.size());
  expect_weights(handle, expected.weights);
  options.per_limb = 9;
  EXPECT_EQ(sinew_add_twist_joints(handle.get(), &options, result.get()), SINEW_OPTION_OUT_OF_RANGE);
}

TEST(CWeightTransfer, SelectionsByName) {
  const Twice& made = person_to_transfer();
  const ResultHandle result = new_result();
  ASSERT_FALSE(made.character.parts.empty());
  const std::string part = made.character.parts.front().name;
  Character expected = made.character;
  smooth_weights(expected,
                 {.selection = {vertices_of_parts(expected, part), joints_matching(expected.skeleton, "Left*")}});
  sinew_weight_selection selection{};
  selection.struct_size = sizeof selection;
  selection.parts = part.c_str();
  selection.locked_joints = "Left*";
  sinew_smooth_options options;
  sinew_smooth_options_defaults(&options, sizeof options);
  options.selection = &selection;
  const CharacterHandle handle = made.handle();
  ASSERT_EQ(sinew_smooth_weights(handle.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  expect_weights(handle, expected.weights);
  const std::uint32_t vertex = 0;
  selection.vertices = &vertex, selection.vertex_count = 1;
  EXPECT_EQ(sinew_smooth_weights(handle.get(), &options, nullptr, result.get()), SINEW_OPTIONS_CONFLICT);
}

}  // namespace
}  // namespace sinew::test
