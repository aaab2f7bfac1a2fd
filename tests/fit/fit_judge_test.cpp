#include "sinew/fit/fit_judge.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/fit.h"
#include "sinew/fit/fit_readings.h"
#include "tests/fit/creature_shapes.h"
#include "tests/fit/flesh.h"

namespace sinew {
namespace {

TEST(FitJudge, EveryFeatureHasANameAndAValue) {
  const FitReadings found = find_readings(test::person(), shipped_reading_options());
  ASSERT_FALSE(found.readings.empty());
  for (const FitReading& reading : found.readings) {
    ASSERT_EQ(reading.features.size(), reading_feature_infos().size());
    for (const float value : reading.features) EXPECT_TRUE(std::isfinite(value));
    EXPECT_GE(reading.probability, 0);
    EXPECT_LE(reading.probability, 1);
  }
  for (std::size_t i = 1; i < found.readings.size(); ++i) {
    EXPECT_GE(found.readings[i - 1].probability, found.readings[i].probability);
  }
}

// Features do not depend on the size of the file or on where the mesh stands.
TEST(FitJudge, SizeAndPlaceDoNotMatter) {
  TriangleMesh mesh = test::person();
  const FitReadings one = find_readings(mesh, shipped_reading_options());
  for (Vec3f& p : mesh.positions) p = 8 * p + Vec3f(16, -4, 32);
  const FitReadings other = find_readings(mesh, shipped_reading_options());
  ASSERT_EQ(one.readings.size(), other.readings.size());
  EXPECT_NEAR(one.readings[0].probability, other.readings[0].probability, 0.05);
}

TEST(FitJudge, AFileOfAnotherKindIsRefused) {
  EXPECT_THROW(FitJudge(NetworkFile{}), Error);
  const auto count = static_cast<std::uint32_t>(reading_feature_infos().size());
  NetworkFile file;
  FeatureTable table{2, {0, 1, 1, 0}};
  const BoostedTrees trees =
      train_boosted_trees(table, std::vector<int>{0, 1}, std::vector<double>{1, 1}, {.rounds = 1});
  for (const char* name : {"people", "four_legs"}) {
    trees.write(file, name);
    file.arrays[std::string(name) + ".typical"] = {{count}, std::vector<float>(count)};
  }
  EXPECT_THROW(FitJudge{file}, Error);  // trees of two features
}

TEST(FitJudge, DirectionsAreObeyed) {
  const TriangleMesh mesh = test::person();
  const Skeleton skeleton = test::standing_figure();
  FitOptions options;
  options.least_confidence = 0;
  for (const Vec3d& forward : {Vec3d(0, 0, 1), Vec3d(0, 0, -1)}) {
    options.forward = 3 * forward;
    EXPECT_GT(fit_skeleton(mesh, skeleton, options).frame.forward.dot(forward), 0.99);
  }
  options.up = Vec3d(0, 2, 0);
  EXPECT_GT(fit_skeleton(mesh, skeleton, options).frame.up.y(), 0.99);
  options.forward = Vec3d(0, 1, 0);
  EXPECT_THROW(fit_skeleton(mesh, skeleton, options), Error);  // nobody faces up
  options.forward = Vec3d::Zero();
  options.least_confidence = 1.5;
  EXPECT_THROW(fit_skeleton(mesh, skeleton, options), Error);
}

TEST(FitJudge, AKindThatIsToldIsBelieved) {
  FitOptions options;
  options.kind = BodyKind::four_legs;
  try {
    fit_skeleton(test::person(), test::standing_figure(), options);
    FAIL();
  } catch (const Error& problem) {
    EXPECT_EQ(problem.code(), ErrorCode::kinds_differ);
  }
  options.kind = BodyKind::person;
  options.least_confidence = 1;  // no fit is that sure: a warning instead of a refusal
  const FitResult fit = fit_skeleton(test::person(), test::standing_figure(), options);
  EXPECT_LT(fit.probability, 1);
  EXPECT_TRUE(std::any_of(fit.warnings.begin(), fit.warnings.end(),
                          [](const Warning& warning) { return warning.code == "fit-unsure"; }));
}

TEST(FitJudge, RefusalsSayWhyAndTheReadingsAreTold) {
  FitOptions options;
  std::vector<FitReadingSummary> readings;
  options.readings = &readings;
  options.least_confidence = 1;
  try {
    fit_skeleton(test::person(), test::standing_figure(), options);
    FAIL();
  } catch (const Error& refusal) {
    EXPECT_EQ(refusal.code(), ErrorCode::body_not_recognised);
    EXPECT_EQ(refusal.option(), "least_confidence");
    EXPECT_FALSE(refusal.advice().empty());
  }
  ASSERT_FALSE(readings.empty());
  for (const FitReadingSummary& reading : readings) {
    EXPECT_FALSE(reading.what.empty());
    EXPECT_FALSE(reading.objection.empty());
    EXPECT_GE(reading.bones.size(), 14u);
  }
}

// Where the whole mesh is not a person, no reading of its limbs is one.
TEST(FitJudge, AnotherKindOfBodyIsNeverProbable) {
  FitReadings readings;
  EXPECT_FALSE(shows_another_kind(readings, false));  // nobody looked
  readings.recognised.emplace();
  readings.recognised->probabilities[static_cast<std::size_t>(CreatureKind::person)] = 0.2;
  readings.recognised->probabilities[static_cast<std::size_t>(CreatureKind::bird)] = 0.8;
  EXPECT_FALSE(shows_another_kind(readings, false));
  EXPECT_TRUE(shows_another_kind(readings, true));

  const FitReadings found = find_readings(test::spider(), shipped_reading_options());
  ASSERT_TRUE(found.recognised.has_value());
  const double person = found.recognised->probability_of(CreatureKind::person);
  ASSERT_TRUE(shows_another_kind(found, false)) << person;
  for (const FitReading& reading : found.readings) EXPECT_LE(reading.probability, person);
  try {
    fit_skeleton(test::spider(), test::standing_figure(), {});
    FAIL();
  } catch (const Error& refusal) {
    EXPECT_EQ(refusal.code(), ErrorCode::body_not_recognised);
  }
}

}  // namespace
}  // namespace sinew
