// Options of retargeting in C: each reaches the library, and what cannot be is refused before anything changes.
#include <cstddef>
#include <functional>
#include <limits>

#include "sinew/retarget.h"
#include "tests/bindings_c/c_interface.h"

namespace sinew::test {
namespace {

const Twice& moving_person() {
  static const Twice both;
  return both;
}

sinew_retarget_options retarget_defaults() {
  sinew_retarget_options options;
  sinew_retarget_options_defaults(&options, sizeof options);
  return options;
}

void expect_motion(const CharacterHandle& handle, const Motion& expected) {
  sinew_motion_arrays motion{};
  motion.struct_size = sizeof motion;
  ASSERT_EQ(sinew_get_motion(handle.get(), 0, &motion, nullptr), SINEW_OK);
  ASSERT_EQ(motion.frame_count, static_cast<std::size_t>(expected.frame_count()));
  EXPECT_EQ(motion.frames_per_second, expected.frames_per_second);
  for (std::size_t i = 0; i < expected.transforms.size(); ++i) {
    const Transform& wanted = expected.transforms[i];
    for (int axis = 0; axis < 3; ++axis) ASSERT_EQ(motion.transforms[i].translation[axis], wanted.translation[axis]);
    for (int axis = 0; axis < 4; ++axis) ASSERT_EQ(motion.transforms[i].rotation[axis], wanted.rotation.coeffs()[axis]);
  }
}

TEST(CRetarget, EveryOptionReachesTheLibrary) {
  const Character& clip = moving_person().character;
  struct Case {
    const char* what;
    std::function<void(sinew_retarget_options&)> in_c;
    RetargetOptions in_cpp;
  };
  static const std::int32_t second[] = {1};
  const std::vector<Case> cases = {
      {"trim", [](auto& c) { c.begin = 0.2, c.end = 0.5; }, {.begin = 0.2, .end = 0.5}},
      {"speed", [](auto& c) { c.speed = 2; }, {.speed = 2}},
      {"mirror", [](auto& c) { c.mirror = 1; }, {.mirror = true}},
      {"loop", [](auto& c) { c.loop = 1; }, {.loop = true}},
      {"rate", [](auto& c) { c.frames_per_second = 12; }, {.frames_per_second = 12}},
      {"place", [](auto& c) { c.in_place = 1; }, {.in_place = true}},
      {"scale", [](auto& c) { c.scale = 0.5; }, {.scale = 0.5}},
      {"contacts", [](auto& c) { c.keep_contacts = 0; }, {.keep_contacts = false}},
      {"one", [](auto& c) { c.motions = second, c.motion_count = 1; }, {.motions = {1}}},
      {"stored", [](auto& c) { c.rest_pose = "none"; }, {.rest_choice = RestChoice::stored}},
      {"frame",
       [](auto& c) { c.rest_pose = "frame", c.rest_frame = 3; },
       {.rest_choice = RestChoice::frame, .rest_frame = 3}},
      {"all of it", [](auto& c) { c.rest_pose = nullptr; }, {}},
  };
  const ResultHandle result = new_result();
  const CharacterHandle source = moving_person().handle();
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    Character expected = clip;
    retarget_motions(clip, expected, one.in_cpp);
    const CharacterHandle moved = moving_person().handle();
    sinew_retarget_options options = retarget_defaults();
    one.in_c(options);
    ASSERT_EQ(sinew_retarget(moved.get(), source.get(), &options, nullptr, result.get()), SINEW_OK)
        << message_of(result);
    expect_motion(moved, expected.motions.at(0));
  }
}

TEST(CRetarget, WhatCannotBeIsRefusedAndNamed) {
  const ResultHandle result = new_result();
  const CharacterHandle source = moving_person().handle(), moved = moving_person().handle();
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  const auto refused = [&](auto member, auto value) {
    sinew_retarget_options options = retarget_defaults();
    options.*member = value;
    const sinew_status status = sinew_retarget(moved.get(), source.get(), &options, nullptr, result.get());
    expect_motion(moved, moving_person().character.motions.at(0));
    return status;
  };
  using Options = sinew_retarget_options;
  for (double Options::*member : {&Options::begin, &Options::end, &Options::speed, &Options::scale,
                                  &Options::frames_per_second, &Options::contact_speed, &Options::contact_height,
                                  &Options::contact_shortest, &Options::contact_ground_share}) {
    EXPECT_EQ(refused(member, nan), SINEW_OPTION_OUT_OF_RANGE);
    EXPECT_EQ(refused(member, infinite), SINEW_OPTION_OUT_OF_RANGE);
    EXPECT_STRNE(sinew_result_option(result.get()), "");
  }
  EXPECT_EQ(refused(&Options::speed, 0.0), SINEW_OPTION_OUT_OF_RANGE);
  EXPECT_EQ(refused(&Options::frames_per_second, 1e300), SINEW_OPTION_OUT_OF_RANGE);
  EXPECT_STREQ(sinew_result_option(result.get()), "frames_per_second");
  EXPECT_EQ(refused(&Options::speed, 1e-300), SINEW_OPTION_OUT_OF_RANGE);
  EXPECT_EQ(refused(&Options::begin, 1e9), SINEW_SETTINGS_INVALID);
  EXPECT_EQ(refused(&Options::rest_pose, "no such"), SINEW_CHOICE_UNKNOWN);
  EXPECT_STREQ(sinew_result_option(result.get()), "rest_pose");

  sinew_retarget_options options = retarget_defaults();
  options.rest_pose = "frame";
  for (const int frame : {-1, 1'000'000}) {
    options.rest_frame = frame;
    EXPECT_EQ(sinew_retarget(moved.get(), source.get(), &options, nullptr, result.get()), SINEW_SETTINGS_INVALID);
    EXPECT_STREQ(sinew_result_option(result.get()), "rest_frame");
  }
}

TEST(CRetarget, ProgramsOfTheFirstHeaderRun) {
  const ResultHandle result = new_result();
  const CharacterHandle source = moving_person().handle(), moved = moving_person().handle();
  sinew_retarget_options options = retarget_defaults();
  options.struct_size = offsetof(sinew_retarget_options, unused);
  options.unused = 7;  // behind what such a program knows: any bytes
  options.speed = std::numeric_limits<double>::quiet_NaN();
  options.rest_pose = "no such";
  EXPECT_EQ(sinew_retarget(moved.get(), source.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
}

TEST(CRetarget, TheMapSaysWhatFollowsWhatAndWhy) {
  const ResultHandle result = new_result();
  const CharacterHandle source = moving_person().handle(), target = moving_person().handle();
  ASSERT_EQ(sinew_map_retargeting(target.get(), source.get(), nullptr, result.get()), SINEW_OK) << message_of(result);
  const nlohmann::json report = report_of(result);
  EXPECT_EQ(report["mapped_share"], 1.0);
  EXPECT_TRUE(report["unlinked"].is_array());
  ASSERT_GE(report["parts"].size(), 8u);
  for (const nlohmann::json& part : report["parts"]) {
    EXPECT_EQ(part["joint"], part["source"]);  // the same skeleton
    EXPECT_EQ(part["reason"], "name");
    EXPECT_NE(part["name"], "");
  }
  EXPECT_TRUE(nlohmann::json::accept(file_of(result, 0)));
}

TEST(CGenerate, KeepsTheAxesOnRequest) {
  const ResultHandle result = new_result();
  Character lying = moving_person().character;
  for (Vec3f& place : lying.mesh.positions) place = {place.x(), -place.z(), place.y()};
  for (Vec3f& normal : lying.mesh.normals) normal = {normal.x(), -normal.z(), normal.y()};
  sinew_generate_options options;
  sinew_generate_options_defaults(&options, sizeof options);
  options.up[0] = options.up[1] = 0;
  options.up[2] = 1;
  for (const int keep : {0, 1}) {
    const CharacterHandle mesh = through_arrays(lying);
    options.keep_axes = keep;
    ASSERT_EQ(sinew_generate_skeleton(mesh.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
    EXPECT_EQ(std::equal(mesh_of(mesh).positions, mesh_of(mesh).positions + 3 * mesh_of(mesh).vertex_count,
                         lying.mesh.positions.front().data()),
              keep == 1);
  }
}

TEST(CFiles, AreReadWithSoManyThreads) {
  const ResultHandle result = new_result();
  const std::vector<std::byte>& bytes = moving_person().bytes;
  sinew_load_options load;
  sinew_load_options_defaults(&load, sizeof load);
  EXPECT_EQ(load.threads, 0);
  load.threads = 1;
  sinew_character* read = nullptr;
  ASSERT_EQ(sinew_read(bytes.data(), bytes.size(), &load, &read, result.get()), SINEW_OK) << message_of(result);
  const CharacterHandle owner(read);
  ASSERT_EQ(sinew_write(read, "glb", nullptr, result.get()), SINEW_OK) << message_of(result);
  EXPECT_EQ(file_of(result, 0), std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace
}  // namespace sinew::test
