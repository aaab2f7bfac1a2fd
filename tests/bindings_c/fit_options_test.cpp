// What the C interface says about a body and its parts: how a fit read the mesh, generated skeletons, rules for parts.
#include <algorithm>
#include <cmath>

#include "sinew/bind.h"
#include "sinew/fit.h"
#include "sinew/generate_skeleton.h"
#include "sinew/recognise.h"
#include "tests/bindings_c/c_interface.h"

namespace sinew::test {
namespace {

// The mesh of a person alone, as both languages have it.
const Twice& person_to_fit() {
  static const Twice made(test::bare(test::person(1500)));
  return made;
}

CharacterHandle skeleton_handle(const char* name) {
  sinew_character* made = nullptr;
  EXPECT_EQ(sinew_builtin_skeleton(name, &made, nullptr), SINEW_OK);
  return CharacterHandle(made);
}

TEST(CRecognise, SeesWhatTheLibrarySees) {
  const ResultHandle result = new_result();
  const CharacterHandle hero = person_to_fit().handle();
  const RecognisedBody there = recognise_body(person_to_fit().character);
  sinew_body body = {};
  body.struct_size = sizeof(body);
  ASSERT_EQ(sinew_recognise(hero.get(), nullptr, nullptr, &body, result.get()), SINEW_OK) << message_of(result);
  EXPECT_STREQ(body.kind, "person");
  EXPECT_EQ(body.probability, there.probability_of(CreatureKind::person));
  EXPECT_EQ(Vec3d(body.up), there.frame.up);
  EXPECT_EQ(Vec3d(body.forward), there.frame.forward);
  EXPECT_EQ(Vec3d(body.mirror_point), there.mirror_point);
  EXPECT_EQ(body.symmetry, there.symmetry);
  ASSERT_TRUE(there.pose);
  EXPECT_EQ(body.pose, pose_name(*there.pose));
  EXPECT_EQ(report_of(result)["probabilities"].size(), static_cast<std::size_t>(creature_kind_count));

  sinew_recognise_options options;
  sinew_recognise_options_defaults(&options, sizeof options);
  options.up[1] = 3;
  options.forward[2] = 1;
  ASSERT_EQ(sinew_recognise(hero.get(), &options, nullptr, nullptr, nullptr), SINEW_OK);
  ASSERT_EQ(sinew_recognise(hero.get(), &options, nullptr, &body, result.get()), SINEW_OK);
  EXPECT_EQ(body.up_probability, 1);
  EXPECT_EQ(body.forward_probability, 1);
}

TEST(CRecognise, RefusesWhatItCannotUse) {
  const ResultHandle result = new_result();
  const CharacterHandle hero = person_to_fit().handle(), adult = skeleton_handle("adult");
  sinew_body body = {};
  EXPECT_NE(sinew_recognise(hero.get(), nullptr, nullptr, &body, result.get()), SINEW_OK);  // no struct_size
  EXPECT_EQ(sinew_recognise(adult.get(), nullptr, nullptr, nullptr, result.get()), SINEW_MESH_MISSING);
  EXPECT_EQ(sinew_recognise(nullptr, nullptr, nullptr, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  sinew_recognise_options options;
  sinew_recognise_options_defaults(&options, sizeof options);
  options.cells = 3;
  EXPECT_EQ(sinew_recognise(hero.get(), &options, nullptr, nullptr, result.get()), SINEW_OPTION_OUT_OF_RANGE);
}

TEST(CFit, ExplainsHowItReadTheMesh) {
  const ResultHandle result = new_result();
  const CharacterHandle hero = person_to_fit().handle(), adult = skeleton_handle("adult");
  sinew_fit_options options;
  sinew_fit_options_defaults(&options, sizeof options);
  EXPECT_EQ(options.least_confidence, default_least_confidence);
  options.explain = 1;
  ASSERT_EQ(sinew_fit(hero.get(), adult.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  const nlohmann::json report = report_of(result);
  ASSERT_FALSE(report["readings"].empty());
  EXPECT_EQ(report["readings"][0]["probability"], report["confidence"]);
  EXPECT_EQ(file_of(result, 0).substr(1, 3), "PNG");

  // Refused: the report still says why.
  options.least_confidence = 1;
  const CharacterHandle again = person_to_fit().handle();
  EXPECT_EQ(sinew_fit(again.get(), adult.get(), &options, nullptr, result.get()), SINEW_BODY_NOT_RECOGNISED);
  EXPECT_STREQ(sinew_result_option(result.get()), "least_confidence");
  EXPECT_FALSE(report_of(result)["readings"].empty());
  EXPECT_EQ(sinew_result_file_count(result.get()), 1u);
  EXPECT_EQ(sinew_fit(nullptr, adult.get(), &options, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_STREQ(sinew_result_json(result.get()), "");
}

TEST(CFit, TakesWhatThePersonKnows) {
  const ResultHandle result = new_result();
  const CharacterHandle adult = skeleton_handle("adult");
  FitOptions there;
  there.up = Vec3d(0, 2, 0);
  there.forward = Vec3d(0, 0, 1);
  there.kind = BodyKind::person;
  Character expected = person_to_fit().character;
  const FitResult fit = fit_character(expected, builtin_skeleton("adult"), there);
  sinew_fit_options options;
  sinew_fit_options_defaults(&options, sizeof options);
  options.up[1] = 2;
  options.forward[2] = 1;
  options.kind = "person";
  const CharacterHandle hero = person_to_fit().handle();
  ASSERT_EQ(sinew_fit(hero.get(), adult.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  EXPECT_EQ(report_of(result)["confidence"], fit.probability);
  const Vec3d hips = expected.skeleton.position(0);
  EXPECT_EQ(report_of(result)["joints"][0]["position"], nlohmann::json({hips.x(), hips.y(), hips.z()}));
  options.kind = "fish";
  EXPECT_EQ(sinew_fit(hero.get(), adult.get(), &options, nullptr, result.get()), SINEW_CHOICE_UNKNOWN);
  options.kind = "four-legs";
  EXPECT_EQ(sinew_fit(hero.get(), adult.get(), &options, nullptr, result.get()), SINEW_KINDS_DIFFER);
}

TEST(CFit, MarkersAreObeyed) {
  const ResultHandle result = new_result();
  const CharacterHandle clip = skeleton_handle("adult"), mesh = person_to_fit().handle();
  sinew_fit_options options;
  sinew_fit_options_defaults(&options, sizeof options);
  ASSERT_EQ(sinew_fit(mesh.get(), clip.get(), nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
  const nlohmann::json joints = report_of(result)["joints"];
  const auto place_of = [](const nlohmann::json& all, const std::string& name) {
    for (const nlohmann::json& joint : all) {
      if (joint["name"] == name) return joint["position"];
    }
    return nlohmann::json();
  };
  const nlohmann::json hand = place_of(joints, "LeftHand");
  const char* names[] = {"wrist.L"};
  const double place[] = {hand[0].get<double>() + 0.01, hand[1].get<double>() + 0.01, hand[2].get<double>()};
  options.marker_count = 1;
  options.marker_names = names;
  options.marker_positions = place;
  ASSERT_EQ(sinew_fit(mesh.get(), clip.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  const nlohmann::json moved = place_of(report_of(result)["joints"], "LeftHand");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(moved[i].get<double>(), place[i], 1e-9);
  const char* ignored[] = {"#900"};
  options.ignore_count = 1;
  options.ignore = ignored;
  EXPECT_NE(sinew_fit(mesh.get(), clip.get(), &options, nullptr, result.get()), SINEW_OK);
  names[0] = "nose";
  options.ignore_count = 0;
  EXPECT_NE(sinew_fit(mesh.get(), clip.get(), &options, nullptr, result.get()), SINEW_OK);
  double middle[3] = {};
  EXPECT_EQ(sinew_middle_of_limb(mesh.get(), place, middle, result.get()), SINEW_OK) << message_of(result);
  EXPECT_NE(sinew_middle_of_limb(mesh.get(), nullptr, middle, result.get()), SINEW_OK);
}

TEST(CFit, EveryMarkerThatIsListedIsTaken) {
  const ResultHandle result = new_result();
  ASSERT_EQ(sinew_list_markers(result.get()), SINEW_OK);
  const nlohmann::json markers = report_of(result)["markers"];
  EXPECT_EQ(std::count(markers.begin(), markers.end(), "chin"), 1);
  EXPECT_EQ(std::count(markers.begin(), markers.end(), "wrist.R"), 1);
  const CharacterHandle clip = skeleton_handle("adult"), mesh = person_to_fit().handle();
  sinew_fit_options options;
  sinew_fit_options_defaults(&options, sizeof options);
  const double far[] = {100, 100, 100}, nowhere[] = {0, std::nan(""), 0};
  options.marker_count = 1;
  for (const nlohmann::json& marker : markers) {
    const std::string name = marker;
    const char* names[] = {name.c_str()};
    options.marker_names = names;
    for (const double* place : {far, nowhere}) {
      options.marker_positions = place;
      EXPECT_NE(sinew_fit(mesh.get(), clip.get(), &options, nullptr, result.get()), SINEW_OK);
      EXPECT_NE(sinew_result_status(result.get()), SINEW_CHOICE_UNKNOWN) << name << ": " << message_of(result);
      EXPECT_NE(message_of(result).find(name), std::string::npos) << message_of(result);
    }
  }
  options.marker_positions = nullptr;
  EXPECT_EQ(sinew_fit(mesh.get(), clip.get(), &options, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  options.marker_positions = far;
  options.marker_names = nullptr;
  EXPECT_EQ(sinew_fit(mesh.get(), clip.get(), &options, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
}

TEST(CGenerate, MakesTheSkeletonThatTheLibraryMakes) {
  const ResultHandle result = new_result();
  Character expected = person_to_fit().character;
  generate_character_skeleton(expected, {.density = 0.5, .small_parts = false});
  sinew_generate_options options;
  sinew_generate_options_defaults(&options, sizeof options);
  EXPECT_EQ(options.up[1], 1);
  options.density = 0.5;
  options.small_parts = 0;
  const CharacterHandle hero = person_to_fit().handle();
  ASSERT_EQ(sinew_generate_skeleton(hero.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  sinew_skeleton_arrays skeleton{};
  skeleton.struct_size = sizeof skeleton;
  ASSERT_EQ(sinew_get_skeleton(hero.get(), &skeleton, nullptr), SINEW_OK);
  ASSERT_EQ(skeleton.joint_count, expected.skeleton.names.size());
  for (std::size_t j = 0; j < skeleton.joint_count; ++j) EXPECT_EQ(skeleton.names[j], expected.skeleton.names[j]);
  options.density = 100;
  EXPECT_EQ(sinew_generate_skeleton(hero.get(), &options, nullptr, result.get()), SINEW_OPTION_OUT_OF_RANGE);

  const CharacterHandle rigged = person_to_fit().handle();
  options.density = 0.5;
  sinew_rig_options rig;
  sinew_rig_options_defaults(&rig, sizeof rig);
  rig.generate = &options;
  ASSERT_EQ(sinew_rig(rigged.get(), nullptr, &rig, nullptr, result.get()), SINEW_OK) << message_of(result);
  ASSERT_EQ(sinew_get_skeleton(rigged.get(), &skeleton, nullptr), SINEW_OK);
  EXPECT_EQ(skeleton.names[0], expected.skeleton.names[0]);
}

TEST(CBind, RulesForParts) {
  const ResultHandle result = new_result();
  const Twice made;
  ASSERT_GT(made.character.parts.size(), 1u);
  const std::string name = made.character.parts.back().name;
  Character expected = made.character;
  bind_character(expected, {.method = "heat", .parts = {{PartRuleKind::rigid, name, "Head"}}});
  const sinew_part_rule rule{name.c_str(), "Head", SINEW_PART_RIGID};
  sinew_bind_options options;
  sinew_bind_options_defaults(&options, sizeof options);
  options.method = "heat";
  options.parts = &rule;
  options.part_count = 1;
  const CharacterHandle hero = made.handle();
  ASSERT_EQ(sinew_bind(hero.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  expect_weights(hero, expected.weights);

  const auto refused = [&](const sinew_part_rule& wrong) {
    options.parts = &wrong;
    const sinew_status status = sinew_bind(hero.get(), &options, nullptr, result.get());
    expect_weights(hero, expected.weights);
    return status;
  };
  EXPECT_NE(refused({"NoSuchPart", nullptr, SINEW_PART_KEEP}), SINEW_OK);
  EXPECT_EQ(refused({name.c_str(), "NoSuchJoint", SINEW_PART_RIGID}), SINEW_JOINT_UNKNOWN);
  EXPECT_EQ(refused({name.c_str(), nullptr, 7}), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(refused({nullptr, nullptr, SINEW_PART_KEEP}), SINEW_ARGUMENT_INVALID);
  options.parts = nullptr;
  EXPECT_EQ(sinew_bind(hero.get(), &options, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
}

}  // namespace
}  // namespace sinew::test
