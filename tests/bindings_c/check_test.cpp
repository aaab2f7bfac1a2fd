// Check and fix of the C interface: they give what the C++ functions give, keep what they show, and refuse what is not there.
#include "sinew/check_page.h"
#include "sinew/fix.h"
#include "tests/bindings_c/c_interface.h"

namespace sinew::test {
namespace {

// A person whose belly follows a hand in a few places.
const Twice& person_with_bleed() {
  static const Twice made = [] {
    Character character = Twice().character;
    const Skeleton& skeleton = character.skeleton;
    const Vec3d belly = skeleton.position(find_joint(skeleton, "Spine"));
    const auto hand = static_cast<std::uint16_t>(find_joint(skeleton, "LeftHand"));
    for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
      if ((character.mesh.positions[v].cast<double>() - belly).norm() > 0.2) continue;
      set_influences(character.weights, v, {{hand, 1.0f}});
    }
    return Twice(character);
  }();
  return made;
}

CheckHandle checked(const CharacterHandle& character, const ResultHandle& result,
                    const sinew_check_options* options = nullptr) {
  sinew_check_report* report = nullptr;
  EXPECT_EQ(sinew_check(character.get(), options, nullptr, &report, result.get()), SINEW_OK) << message_of(result);
  return CheckHandle(report);
}

template <typename Struct>
Struct sized() {
  Struct empty{};
  empty.struct_size = sizeof empty;
  return empty;
}

TEST(CCheck, FindsWhatTheLibraryFinds) {
  const Twice& made = person_with_bleed();
  const CheckReport expected = check_skin(made.character);
  ASSERT_FALSE(expected.findings.empty());
  const ResultHandle result = new_result();
  const CheckHandle report = checked(made.handle(), result);
  EXPECT_EQ(report_of(result), nlohmann::json::parse(check_json(made.character, expected)));
  double number = 0;
  EXPECT_EQ(sinew_result_number(result.get(), "findings", &number), SINEW_OK);
  EXPECT_EQ(static_cast<std::size_t>(number), expected.findings.size());

  auto info = sized<sinew_check_info>();
  ASSERT_EQ(sinew_get_check_info(report.get(), &info, nullptr), SINEW_OK);
  EXPECT_EQ(info.finding_count, expected.findings.size());
  EXPECT_EQ(info.pose_count, expected.poses.size());
  EXPECT_EQ(info.vertex_count, expected.vertices);
  for (std::size_t i = 0; i < info.finding_count; ++i) {
    auto finding = sized<sinew_finding>();
    ASSERT_EQ(sinew_get_finding(report.get(), i, &finding, nullptr), SINEW_OK);
    const Finding& same = expected.findings[i];
    EXPECT_EQ(finding.kind, finding_kind_name(same.kind));
    EXPECT_EQ(finding.joint, same.joint);
    EXPECT_EQ(finding.part, same.part);
    EXPECT_EQ(finding.pose, same.pose);
    EXPECT_EQ(finding.severity, same.severity);
    EXPECT_EQ(finding.what, same.what);
    EXPECT_EQ(finding.remedy, same.remedy);
    ASSERT_EQ(finding.vertex_count, same.vertices.size());
    EXPECT_TRUE(std::equal(same.vertices.begin(), same.vertices.end(), finding.vertices));
  }
  auto beyond = sized<sinew_finding>();
  EXPECT_EQ(sinew_get_finding(report.get(), info.finding_count, &beyond, result.get()), SINEW_ARGUMENT_INVALID);
}

TEST(CCheck, ReportsOutliveChangesOfTheCharacter) {
  const ResultHandle result = new_result();
  CharacterHandle hero = person_with_bleed().handle();
  const CheckHandle report = checked(hero, result);
  auto finding = sized<sinew_finding>();
  ASSERT_EQ(sinew_get_finding(report.get(), 0, &finding, nullptr), SINEW_OK);
  const std::string what = finding.what;
  ASSERT_EQ(sinew_set_weights(hero.get(), nullptr, result.get()), SINEW_OK);
  hero.reset();
  EXPECT_EQ(finding.what, what);

  std::vector<sinew_joint_transform> pose(person_with_bleed().character.skeleton.names.size());
  ASSERT_GE(finding.pose, 0);
  const auto index = static_cast<std::size_t>(finding.pose);
  ASSERT_EQ(sinew_take_check_pose(report.get(), index, pose.data(), pose.size(), result.get()), SINEW_OK);
  auto turned = sized<sinew_check_pose>();
  ASSERT_EQ(sinew_get_check_pose(report.get(), index, &turned, nullptr), SINEW_OK);
  const double cosine = std::cos(turned.degrees * M_PI / 360);
  const Character& character = person_with_bleed().character;
  const Pose rest = rest_pose(character.skeleton);
  const Quatd there(pose[static_cast<std::size_t>(turned.joint)].rotation);
  EXPECT_NEAR(std::abs(there.dot(rest[static_cast<std::size_t>(turned.joint)].rotation)), std::abs(cosine), 1e-6);
  EXPECT_EQ(sinew_take_check_pose(report.get(), index, pose.data(), pose.size() - 1, result.get()),
            SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(sinew_take_check_pose(report.get(), 10'000, pose.data(), pose.size(), result.get()),
            SINEW_ARGUMENT_INVALID);
}

TEST(CCheck, DrawsPicturesAndAPage) {
  const ResultHandle result = new_result();
  const Twice& made = person_with_bleed();
  const CheckHandle report = checked(made.handle(), result);
  sinew_finding_picture_options options;
  sinew_finding_picture_options_defaults(&options, sizeof options);
  options.width = 64, options.height = 32, options.samples = 1;
  ASSERT_EQ(sinew_picture_finding(report.get(), 0, &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  EXPECT_EQ(file_of(result, 0).substr(1, 3), "PNG");
  EXPECT_EQ(sinew_picture_finding(report.get(), 1000, &options, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  ASSERT_EQ(sinew_make_check_page(report.get(), &options, nullptr, result.get()), SINEW_OK) << message_of(result);
  std::string name;
  const std::string page = file_of(result, 0, &name);
  EXPECT_EQ(name, "check.html");
  EXPECT_EQ(page, check_page(made.character, check_skin(made.character), {.width = 64, .height = 32, .samples = 1}));
}

TEST(CCheck, LooksForSomeKindsOnly) {
  const ResultHandle result = new_result();
  const CharacterHandle hero = person_with_bleed().handle();
  ASSERT_EQ(sinew_list_finding_kinds(result.get()), SINEW_OK);
  const nlohmann::json kinds = report_of(result)["kinds"];
  EXPECT_EQ(kinds.size(), all_finding_kinds().size());
  const char* only[] = {"influences"};
  sinew_check_options options;
  sinew_check_options_defaults(&options, sizeof options);
  options.kinds = only, options.kind_count = 1;
  const CheckHandle report = checked(hero, result, &options);
  EXPECT_TRUE(report_of(result)["findings"].empty());
  only[0] = "no such";
  sinew_check_report* none = nullptr;
  EXPECT_EQ(sinew_check(hero.get(), &options, nullptr, &none, result.get()), SINEW_CHOICE_UNKNOWN);
  only[0] = nullptr;
  EXPECT_EQ(sinew_check(hero.get(), &options, nullptr, &none, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(none, nullptr);
}

TEST(CCheck, ARangeOfMotionNeedsASkeletonAlone) {
  const ResultHandle result = new_result();
  const CharacterHandle bar = c_bar();
  sinew_check_report* poses = nullptr;
  ASSERT_EQ(sinew_range_of_motion(bar.get(), &poses, result.get()), SINEW_OK) << message_of(result);
  const CheckHandle owner(poses);
  auto info = sized<sinew_check_info>();
  ASSERT_EQ(sinew_get_check_info(poses, &info, nullptr), SINEW_OK);
  EXPECT_GT(info.pose_count, 0u);
  EXPECT_EQ(info.finding_count, 0u);
  sinew_character* empty = nullptr;
  ASSERT_EQ(sinew_character_create("empty", &empty, nullptr), SINEW_OK);
  const CharacterHandle destroyed(empty);
  EXPECT_EQ(sinew_range_of_motion(empty, &poses, result.get()), SINEW_SKELETON_MISSING);
  EXPECT_EQ(poses, nullptr);
}

TEST(CCheck, RefusesWhatCannotBe) {
  const ResultHandle result = new_result();
  const CharacterHandle bare = c_bar();
  sinew_check_report* report = nullptr;
  EXPECT_EQ(sinew_check(bare.get(), nullptr, nullptr, &report, result.get()), SINEW_WEIGHTS_MISSING);
  EXPECT_EQ(sinew_check(bare.get(), nullptr, nullptr, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(sinew_check(nullptr, nullptr, nullptr, &report, result.get()), SINEW_ARGUMENT_INVALID);
  sinew_check_options options;
  sinew_check_options_defaults(&options, sizeof options);
  options.tolerance = 2;
  const CharacterHandle hero = person_with_bleed().handle();
  EXPECT_EQ(sinew_check(hero.get(), &options, nullptr, &report, result.get()), SINEW_OPTION_OUT_OF_RANGE);
  sinew_check_report* destroyed = checked(hero, result).release();
  sinew_check_report_destroy(destroyed);
  sinew_check_report_destroy(destroyed);
  auto info = sized<sinew_check_info>();
  EXPECT_EQ(sinew_get_check_info(destroyed, &info, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_NE(message_of(result).find("check report"), std::string::npos);
  EXPECT_EQ(sinew_make_check_page(reinterpret_cast<sinew_check_report*>(hero.get()), nullptr, nullptr, result.get()),
            SINEW_ARGUMENT_INVALID);
}

TEST(CFix, RepairsWhatTheLibraryRepairs) {
  const Twice& made = person_with_bleed();
  Character expected = made.character;
  const FixReport fixed = fix_skin(expected);
  const ResultHandle result = new_result();
  const CharacterHandle hero = made.handle();
  sinew_fix_report* report = nullptr;
  ASSERT_EQ(sinew_fix(hero.get(), nullptr, nullptr, &report, result.get()), SINEW_OK) << message_of(result);
  const FixHandle owner(report);
  expect_weights(hero, expected.weights);
  EXPECT_EQ(report_of(result), nlohmann::json::parse(fix_json(expected, fixed)));

  auto info = sized<sinew_fix_info>();
  ASSERT_EQ(sinew_get_fix_info(report, &info, nullptr), SINEW_OK);
  ASSERT_EQ(info.repair_count, fixed.repairs.size());
  EXPECT_EQ(info.findings_before, fixed.before.findings.size());
  EXPECT_EQ(info.findings_after, fixed.after.findings.size());
  EXPECT_LT(info.findings_after, info.findings_before);
  ASSERT_EQ(info.beyond_count, fixed.beyond_weights.size());
  for (std::size_t i = 0; i < info.beyond_count; ++i) EXPECT_EQ(info.beyond[i], fixed.beyond_weights[i]);
  for (std::size_t i = 0; i < info.repair_count; ++i) {
    auto finding = sized<sinew_finding>();
    auto repair = sized<sinew_repair>();
    ASSERT_EQ(sinew_get_repair(report, i, &finding, &repair, nullptr), SINEW_OK);
    EXPECT_EQ(finding.what, fixed.repairs[i].finding.what);
    EXPECT_EQ(repair.outcome, repair_outcome_name(fixed.repairs[i].outcome));
    EXPECT_EQ(repair.how, fixed.repairs[i].how);
    EXPECT_EQ(repair.vertex_count, fixed.repairs[i].vertices.size());
  }
  EXPECT_EQ(sinew_get_repair(report, info.repair_count, nullptr, nullptr, result.get()), SINEW_ARGUMENT_INVALID);

  sinew_check_report *before = nullptr, *after = nullptr;
  ASSERT_EQ(sinew_get_fix_checks(report, &before, &after, nullptr), SINEW_OK);
  const CheckHandle first(before), second(after);
  auto then = sized<sinew_check_info>(), now = then;
  ASSERT_EQ(sinew_get_check_info(before, &then, nullptr), SINEW_OK);
  ASSERT_EQ(sinew_get_check_info(after, &now, nullptr), SINEW_OK);
  EXPECT_EQ(then.finding_count, info.findings_before);
  EXPECT_EQ(now.finding_count, info.findings_after);
}

TEST(CFix, RefusalsAndCancellingChangeNothing) {
  const Twice& made = person_with_bleed();
  const ResultHandle result = new_result();
  const CharacterHandle hero = made.handle();
  sinew_fix_options options;
  sinew_fix_options_defaults(&options, sizeof options);
  options.max_repairs = 0;
  sinew_fix_report* report = nullptr;
  EXPECT_EQ(sinew_fix(hero.get(), &options, nullptr, &report, result.get()), SINEW_OPTION_OUT_OF_RANGE);
  EXPECT_STREQ(sinew_result_option(result.get()), "max_repairs");
  const sinew_progress stop{[](void*, double, const char*) { return 1; }, nullptr};
  EXPECT_EQ(sinew_fix(hero.get(), nullptr, &stop, &report, result.get()), SINEW_CANCELLED);
  EXPECT_EQ(report, nullptr);
  expect_weights(hero, made.character.weights);
  EXPECT_EQ(sinew_get_fix_info(nullptr, nullptr, result.get()), SINEW_ARGUMENT_INVALID);
  EXPECT_EQ(sinew_fix(hero.get(), nullptr, nullptr, nullptr, result.get()), SINEW_OK) << message_of(result);
}

}  // namespace
}  // namespace sinew::test
