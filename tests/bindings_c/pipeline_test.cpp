// The work of the C interface: it gives what the C++ functions give, and refuses what they refuse.
#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/bind.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/fit.h"
#include "sinew/io.h"
#include "tests/bindings_c/c_interface.h"
#include "tests/support/test_files.h"

namespace sinew::test {
namespace {

using nlohmann::json;

// Making one takes seconds, a copy nothing.
CharacterHandle c_person() {
  static const CharacterHandle made = [] {
    sinew_builtin_options options;
    sinew_builtin_options_defaults(&options, sizeof options);
    options.vertices = 2000;
    sinew_character* person = nullptr;
    EXPECT_EQ(sinew_make_character(&options, nullptr, &person, nullptr), SINEW_OK);
    return CharacterHandle(person);
  }();
  sinew_character* copy = nullptr;
  EXPECT_EQ(sinew_character_copy(made.get(), &copy, nullptr), SINEW_OK);
  return CharacterHandle(copy);
}

const Character& person() {
  static const Character made = [] {
    BuiltinOptions options;
    options.vertex_budget = 2000;
    return make_builtin_character(options);
  }();
  return made;
}

CharacterHandle bare_person() {
  Character bare = person();
  bare.skeleton = {};
  return through_arrays(bare);
}

TEST(CFiles, WritesAndReadsWhatTheLibraryDoes) {
  const ResultHandle result = new_result();
  const CharacterHandle made = c_person();
  ASSERT_EQ(sinew_write(made.get(), "glb", nullptr, result.get()), SINEW_OK) << message_of(result);
  std::string name;
  const std::string bytes = file_of(result, 0, &name);
  EXPECT_EQ(name, "character.glb");
  const WrittenCharacter same = write_character(person(), FileFormat::glb);
  ASSERT_EQ(bytes.size(), same.bytes.size());
  EXPECT_EQ(std::memcmp(bytes.data(), same.bytes.data(), bytes.size()), 0);

  sinew_character* read = nullptr;
  ASSERT_EQ(sinew_read(bytes.data(), bytes.size(), nullptr, &read, result.get()), SINEW_OK) << message_of(result);
  const CharacterHandle owner(read);
  sinew_character_info info{};
  info.struct_size = sizeof info;
  ASSERT_EQ(sinew_get_info(read, &info, nullptr), SINEW_OK);
  EXPECT_STREQ(info.format, "glb");
  EXPECT_GT(info.motion_count, 0u);
  EXPECT_EQ(info.influences, 4);

  const TemporaryFolder folder;
  const std::string path = (folder / "person.glb").string();
  ASSERT_EQ(sinew_save(read, path.c_str(), nullptr, result.get()), SINEW_OK) << message_of(result);
  sinew_character* again = nullptr;
  ASSERT_EQ(sinew_load(path.c_str(), nullptr, &again, result.get()), SINEW_OK) << message_of(result);
  sinew_character_destroy(again);
  EXPECT_EQ(sinew_save(read, (folder / "person.abc").c_str(), nullptr, result.get()), SINEW_OUTPUT_FORMAT_UNKNOWN);
  EXPECT_EQ(sinew_write(read, "abc", nullptr, result.get()), SINEW_CHOICE_UNKNOWN);
  EXPECT_EQ(sinew_write(read, "dae", nullptr, result.get()), SINEW_OUTPUT_FORMAT_UNFIT);
  EXPECT_EQ(sinew_write(read, nullptr, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(sinew_read(nullptr, 10, nullptr, &again, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(sinew_read("rubbish", 7, nullptr, &again, result.get()), SINEW_FORMAT_UNKNOWN);
  EXPECT_EQ(sinew_read(nullptr, 0, nullptr, &again, result.get()), SINEW_FILE_EMPTY);
  EXPECT_EQ(sinew_load(nullptr, nullptr, &again, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(sinew_load(path.c_str(), nullptr, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
}

TEST(CFiles, WhatAFormatCannotHoldIsAWarning) {
  const ResultHandle result = new_result();
  const CharacterHandle made = c_person();
  ASSERT_EQ(sinew_write(made.get(), "obj", nullptr, result.get()), SINEW_OK) << message_of(result);
  ASSERT_GT(sinew_result_warning_count(result.get()), 0u);
  const char *code = nullptr, *message = nullptr;
  ASSERT_EQ(sinew_result_warning(result.get(), 0, &code, &message), SINEW_OK);
  EXPECT_STRNE(code, "");
  EXPECT_STRNE(message, "");
}

TEST(CBind, EveryMethodGivesWhatTheLibraryGives) {
  const ResultHandle result = new_result();
  const Character from = bar(4, 0.25, 21, 8, 2);
  for (const MethodInfo& method : weight_method_list()) {
    Character expected = from;
    BindOptions there{.method = method.name};
    std::vector<const char*> values;
    if (method.name == "skincells") {
      there.values = {{"steps", 0}, {"fit-steps", 20}};
      values = {"steps=0", "fit-steps=20"};
    }
    bind_character(expected, there);
    const CharacterHandle bound = through_arrays(from);
    sinew_bind_options options;
    sinew_bind_options_defaults(&options, sizeof options);
    options.method = method.name.c_str();
    options.values = values.data();
    options.value_count = values.size();
    ASSERT_EQ(sinew_bind(bound.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
    EXPECT_EQ(weights_copied(bound), expected.weights.weights) << method.name;
    EXPECT_EQ(report_of(result)["method"], method.name);
    double mean = 0;
    EXPECT_EQ(sinew_result_number(result.get(), "mean_influences", &mean), SINEW_OK);
    EXPECT_GE(mean, 1.0);
    EXPECT_EQ(sinew_result_file_count(result.get()), method.makes_field ? 1u : 0u);
    if (!method.makes_field) continue;
    const std::string field = file_of(result, 0);
    const CharacterHandle other = through_arrays(from);
    ASSERT_EQ(sinew_apply_field(other.get(), field.data(), field.size(), result.get()), SINEW_OK) << message_of(result);
    EXPECT_EQ(weights_of(other).vertex_count, from.mesh.vertex_count());
    EXPECT_EQ(sinew_apply_field(other.get(), "rubbish", 7, result.get()), SINEW_FORMAT_UNKNOWN);
  }
}

TEST(CBind, RefusesWhatDoesNotExist) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  sinew_bind_options options;
  const auto refused = [&](auto&& change) {
    sinew_bind_options_defaults(&options, sizeof options);
    change();
    const sinew_status status = sinew_bind(bar.get(), &options, nullptr, result.get());
    EXPECT_EQ(weights_of(bar).vertex_count, 0u);
    return status;
  };
  EXPECT_EQ(refused([&] { options.method = "no such"; }), SINEW_METHOD_UNKNOWN);
  EXPECT_EQ(refused([&] { options.max_influences = 40; }), SINEW_OPTION_OUT_OF_RANGE);
  EXPECT_STREQ(sinew_result_option(result.get()), "max_influences");
  EXPECT_EQ(refused([&] { options.joints = "NoSuchJoint"; }), SINEW_JOINT_UNKNOWN);
  EXPECT_EQ(refused([&] { options.pins = "{"; }), SINEW_SETTINGS_INVALID);
  EXPECT_EQ(refused([&] { options.joint_softness = R"({"default": 1})"; }), SINEW_OPTIONS_CONFLICT);
  EXPECT_EQ(refused([&] { options.reference = bar.get(); }), SINEW_NOT_NOW);
  EXPECT_EQ(refused([&] { options.networks = "rubbish", options.networks_size = 7; }), SINEW_FORMAT_UNKNOWN);
  const char* no_equals[] = {"steps"};
  EXPECT_EQ(refused([&] { options.values = no_equals, options.value_count = 1; }), SINEW_OPTION_INVALID);
  const char* unknown[] = {"no-such=1"};
  EXPECT_EQ(refused([&] { options.values = unknown, options.value_count = 1; }), SINEW_OPTION_UNKNOWN);
  const char* null_entry[] = {nullptr};
  EXPECT_EQ(refused([&] { options.values = null_entry, options.value_count = 1; }), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(refused([&] { options.values = nullptr, options.value_count = 1; }), SINEW_ARGUMENT_INVALID);
}

TEST(CRig, FitsBindsAndRetargetsAPerson) {
  const ResultHandle result = new_result();
  const CharacterHandle clip = c_person(), rigged = bare_person(), stepwise = bare_person();
  ASSERT_EQ(sinew_rig(rigged.get(), clip.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  const json report = report_of(result);
  EXPECT_GT(report["confidence"], 0.3);
  EXPECT_TRUE(report["bind"].contains("joints"));

  ASSERT_EQ(sinew_fit(stepwise.get(), clip.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  EXPECT_EQ(report_of(result)["up"], json::array({0.0, 1.0, 0.0}));
  ASSERT_EQ(sinew_bind(stepwise.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  ASSERT_EQ(sinew_map_retargeting(stepwise.get(), clip.get(), nullptr, result.get()), SINEW_OK) << message_of(result);
  const std::string map = file_of(result, 0);
  EXPECT_TRUE(json::accept(map));
  sinew_retarget_options options;
  sinew_retarget_options_defaults(&options, sizeof options);
  options.joint_map = map.c_str();
  ASSERT_EQ(sinew_retarget(stepwise.get(), clip.get(), &options, nullptr, result.get()), SINEW_OK)
      << message_of(result);
  EXPECT_EQ(weights_copied(rigged), weights_copied(stepwise));
  sinew_motion_arrays motion{};
  motion.struct_size = sizeof motion;
  ASSERT_EQ(sinew_get_motion(rigged.get(), 0, &motion, nullptr), SINEW_OK);
  EXPECT_GT(motion.frame_count, 10u);

  const std::int32_t none[] = {99};
  options.motions = none;
  options.motion_count = 1;
  EXPECT_NE(sinew_retarget(stepwise.get(), clip.get(), &options, nullptr, result.get()), SINEW_OK);
  const CharacterHandle bar = c_bar();
  EXPECT_NE(sinew_fit(bar.get(), clip.get(), nullptr, nullptr, result.get()), SINEW_OK);
  EXPECT_NE(message_of(result), "");
}

TEST(CRig, HeldJointsStayAndNetworksCanBeAsked) {
  const ResultHandle result = new_result();
  const CharacterHandle clip = c_person(), mesh = bare_person();
  sinew_fit_options options;
  sinew_fit_options_defaults(&options, sizeof options);
  const std::int32_t held[] = {0};
  const double place[] = {0.01, 0.9, 0.02};
  options.held_count = 1;
  options.held_joints = held;
  options.held_positions = place;
  options.use_networks = 1;
  ASSERT_EQ(sinew_fit(mesh.get(), clip.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  const json position = report_of(result)["joints"][0]["position"];
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(position[i].get<double>(), place[i], 1e-9);
  const std::int32_t wrong[] = {4000};
  options.held_joints = wrong;
  EXPECT_NE(sinew_fit(mesh.get(), clip.get(), &options, nullptr, result.get()), SINEW_OK);
}

TEST(CLevels, AreCharactersOfTheirOwn) {
  const ResultHandle result = new_result();
  const CharacterHandle made = c_person();
  sinew_lod_options options;
  sinew_lod_options_defaults(&options, sizeof options);
  options.levels = 3;
  sinew_character* levels[3];
  std::size_t count = 0;
  ASSERT_EQ(sinew_make_lods(made.get(), &options, nullptr, levels, 3, &count, result.get()), SINEW_OK)
      << message_of(result);
  ASSERT_EQ(count, 3u);
  std::size_t before = SIZE_MAX;
  for (sinew_character* level : levels) {
    const CharacterHandle owner(level);
    EXPECT_LT(mesh_of(owner).vertex_count, before);
    before = mesh_of(owner).vertex_count;
    EXPECT_EQ(weights_of(owner).vertex_count, before);
  }
  EXPECT_EQ(sinew_make_lods(made.get(), &options, nullptr, levels, 2, &count, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(levels[0], nullptr);
  const std::uint64_t counts[] = {900, 300};
  options.coarse_count = 2;
  options.coarse_vertex_counts = counts;
  ASSERT_EQ(sinew_make_lods(made.get(), &options, nullptr, levels, 3, &count, result.get()), SINEW_OK);
  const CharacterHandle first(levels[0]), second(levels[1]), third(levels[2]);
  EXPECT_LE(mesh_of(second).vertex_count, 900u);
}

TEST(CPaint, AStrokeBecomesPinsAndWeightsFollow) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  ASSERT_EQ(sinew_bind(bar.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  sinew_painter* made = nullptr;
  ASSERT_EQ(sinew_painter_create(bar.get(), nullptr, nullptr, &made, result.get()), SINEW_OK) << message_of(result);
  const PainterHandle painter(made);
  const std::uint32_t vertices[] = {80, 81};
  const float amounts[] = {1, 1};
  sinew_stroke stroke{sizeof stroke, 0, 1.0, 2, vertices, amounts};
  ASSERT_EQ(sinew_painter_brush(made, bar.get(), &stroke, result.get()), SINEW_OK) << message_of(result);
  ASSERT_EQ(sinew_painter_get_pins(made, result.get()), SINEW_OK);
  const std::string pins = file_of(result, 0);
  double count = 0;
  ASSERT_EQ(sinew_result_number(result.get(), "pins", &count), SINEW_OK);
  EXPECT_EQ(count, 2);
  ASSERT_EQ(sinew_painter_solve(made, bar.get(), 1, nullptr, result.get()), SINEW_OK) << message_of(result);
  const sinew_weight_arrays weights = weights_of(bar);
  EXPECT_EQ(weights.joints[80 * static_cast<std::size_t>(weights.influences)], 0);
  EXPECT_NEAR(weights.weights[80 * static_cast<std::size_t>(weights.influences)], 1.0f, 1e-6f);
  ASSERT_EQ(sinew_painter_free(made, nullptr, 0, result.get()), SINEW_OK) << message_of(result);
  ASSERT_EQ(sinew_painter_set_pins(made, pins.c_str(), result.get()), SINEW_OK) << message_of(result);
  ASSERT_EQ(sinew_painter_solve(made, bar.get(), 0, nullptr, result.get()), SINEW_OK) << message_of(result);

  stroke.joint = 50;
  EXPECT_EQ(sinew_painter_brush(made, bar.get(), &stroke, result.get()), SINEW_ARGUMENT_INVALID);
  stroke.joint = 0;
  const std::uint32_t far[] = {80, 4'000'000};
  stroke.vertices = far;
  EXPECT_EQ(sinew_painter_brush(made, bar.get(), &stroke, result.get()), SINEW_ARGUMENT_INVALID);
  const CharacterHandle other = c_person();
  EXPECT_EQ(sinew_painter_solve(made, other.get(), 0, nullptr, result.get()), SINEW_CHARACTERS_DIFFER);
  sinew_painter_destroy(made);
  EXPECT_EQ(sinew_painter_get_pins(made, result.get()), SINEW_ARGUMENT_INVALID);
}

TEST(CEvaluate, GivesMetricsReportAndErrorsPerVertex) {
  const ResultHandle result = new_result();
  const CharacterHandle truth = c_person(), candidate = c_person();
  ASSERT_EQ(sinew_bind(candidate.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  sinew_evaluate_options options;
  sinew_evaluate_options_defaults(&options, sizeof options);
  options.random_poses = 4;
  options.poses_per_motion = 2;
  options.intersection_poses = 0;
  ASSERT_EQ(sinew_evaluate(candidate.get(), truth.get(), &options, nullptr, result.get()), SINEW_OK)
      << message_of(result);
  double ade = 0;
  ASSERT_EQ(sinew_result_number(result.get(), "ade", &ade), SINEW_OK);
  EXPECT_GT(ade, 0);
  std::size_t count = 0;
  EXPECT_NE(sinew_result_values(result.get(), &count), nullptr);
  EXPECT_EQ(count, mesh_of(truth).vertex_count);
  EXPECT_TRUE(report_of(result).is_object());
  const CharacterHandle bare = bare_person();
  EXPECT_NE(sinew_evaluate(bare.get(), nullptr, &options, nullptr, result.get()), SINEW_OK);
}

TEST(CRender, DrawsPngAndRgba) {
  const ResultHandle result = new_result();
  const CharacterHandle made = c_person();
  sinew_render_options options;
  sinew_render_options_defaults(&options, sizeof options);
  options.width = 48;
  options.height = 32;
  options.samples = 1;
  ASSERT_EQ(sinew_render(made.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  EXPECT_EQ(file_of(result, 0).substr(1, 3), "PNG");
  options.format = "rgba";
  options.motion = 0;
  ASSERT_EQ(sinew_render(made.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  const std::string pixels = file_of(result, 0);
  EXPECT_EQ(pixels.size(), 4u * 48 * 32);
  EXPECT_NE(std::count(pixels.begin(), pixels.end(), pixels[0]), static_cast<std::ptrdiff_t>(pixels.size()));
  options.format = "tiff";
  EXPECT_EQ(sinew_render(made.get(), &options, nullptr, result.get()), SINEW_CHOICE_UNKNOWN);
  options.format = "png";
  options.mode = "no such";
  EXPECT_EQ(sinew_render(made.get(), &options, nullptr, result.get()), SINEW_CHOICE_UNKNOWN);
  options.mode = "shaded";
  options.motion = 77;
  EXPECT_EQ(sinew_render(made.get(), &options, nullptr, result.get()), SINEW_MOTION_UNKNOWN);
}

TEST(CCorrectives, SimulateAndTrainGiveAFileForTheRuntime) {
  const ResultHandle result = new_result();
  const TemporaryFolder folder;
  const CharacterHandle bar = through_arrays(test::bar(4, 0.4, 41, 12, 2));
  ASSERT_EQ(sinew_bind(bar.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  sinew_simulate_options simulate;
  sinew_simulate_options_defaults(&simulate, sizeof simulate);
  simulate.poses = 24;
  simulate.cells = 300;
  simulate.run_length = 4;
  const std::string shapes = (folder / "shapes").string();
  ASSERT_EQ(sinew_simulate(bar.get(), shapes.c_str(), &simulate, nullptr, result.get()), SINEW_OK)
      << message_of(result);
  EXPECT_GT(report_of(result)["made"], 10);
  sinew_lod_options lod;
  sinew_lod_options_defaults(&lod, sizeof lod);
  lod.levels = 1;
  sinew_train_options train;
  sinew_train_options_defaults(&train, sizeof train);
  train.lod = &lod;
  train.regions = 4;
  ASSERT_EQ(sinew_train_correctives(shapes.c_str(), &train, nullptr, result.get()), SINEW_OK) << message_of(result);
  std::string name;
  EXPECT_GT(file_of(result, 0, &name).size(), 100u);
  EXPECT_EQ(name, "correctives.sinewc");
  EXPECT_EQ(sinew_train_correctives("no such folder", &train, nullptr, result.get()), SINEW_FILE_NOT_FOUND);
  EXPECT_EQ(sinew_simulate(bar.get(), nullptr, &simulate, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
}

TEST(CMakeCharacter, RefusesWhatThereIsNot) {
  const ResultHandle result = new_result();
  sinew_builtin_options options;
  sinew_character* made = nullptr;
  const auto refused = [&](auto&& change) {
    sinew_builtin_options_defaults(&options, sizeof options);
    change();
    return sinew_make_character(&options, nullptr, &made, result.get());
  };
  EXPECT_EQ(refused([&] { options.kind = "dragon"; }), SINEW_CHOICE_UNKNOWN);
  EXPECT_STREQ(sinew_result_option(result.get()), "kind");
  EXPECT_EQ(refused([&] { options.garment = nullptr; }), SINEW_CHOICE_UNKNOWN);
  EXPECT_EQ(refused([&] { options.vertices = 10; }), SINEW_OPTION_OUT_OF_RANGE);
}

}  // namespace
}  // namespace sinew::test
