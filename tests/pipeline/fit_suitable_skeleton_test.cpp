// No skeleton given: the mesh gets one that suits it, or a reason why not.
#include <gtest/gtest.h>

#include "sinew/builtin/builtin_character.h"
#include "sinew/rig.h"
#include "tests/fit/creature_shapes.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

Character holding(TriangleMesh mesh) {
  Character character;
  character.mesh = std::move(mesh);
  return character;
}

TEST(FitSuitableSkeleton, APersonGetsTheBuiltInAdult) {
  Character chosen = test::bare(test::person(2000)), named = chosen;
  const FitResult fit = fit_suitable_skeleton(chosen);
  const FitResult same = fit_character(named, builtin_skeleton("adult"));
  EXPECT_EQ(fit.chosen, "adult");
  EXPECT_TRUE(same.chosen.empty());
  EXPECT_EQ(fit.probability, same.probability);
  EXPECT_EQ(chosen.skeleton.names, named.skeleton.names);
  for (int j = 0; j < fit.skeleton.joint_count(); ++j) {
    EXPECT_EQ(chosen.skeleton.position(j), named.skeleton.position(j)) << chosen.skeleton.names[j];
  }
}

TEST(FitSuitableSkeleton, AnAnimalGetsTheBuiltInQuadruped) {
  BuiltinOptions quadruped;
  quadruped.kind = BuiltinKind::quadruped;
  quadruped.vertex_budget = 2000;
  Character animal = test::bare(make_builtin_character(quadruped));
  const FitResult fit = fit_suitable_skeleton(animal);
  EXPECT_EQ(fit.chosen, "quadruped");
  EXPECT_TRUE(fit.on_all_fours);
  EXPECT_GE(fit.probability, default_least_confidence);
}

TEST(FitSuitableSkeleton, AnotherCreatureGetsItsOwnAndAWarning) {
  Character spider = holding(test::spider());
  FitOptions options;
  std::vector<FitReadingSummary> readings;
  options.readings = &readings;
  const FitResult fit = fit_suitable_skeleton(spider, options);
  EXPECT_EQ(fit.chosen, "generated");
  ASSERT_TRUE(fit.recognised.has_value());
  EXPECT_EQ(fit.recognised->kind, CreatureKind::many_legs);
  EXPECT_TRUE(test::codes(fit.warnings).contains("skeleton-generated"));
  EXPECT_GT(spider.skeleton.joint_count(), 16);
  EXPECT_GT(fit.share_inside(), 0.99);
}

TEST(FitSuitableSkeleton, FlatShapesAreNoCreatures) {
  TriangleMesh triangle;
  triangle.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  triangle.triangles = {{0, 1, 2}};
  TriangleMesh sheet = test::spider();
  for (Vec3f& p : sheet.positions) p = Vec3f(p.x(), p.z(), 0.5f * p.x());  // aslant
  for (const TriangleMesh& mesh : {triangle, sheet}) {
    Character flat = holding(mesh);
    try {
      fit_suitable_skeleton(flat);
      ADD_FAILURE() << "a skeleton of " << flat.skeleton.joint_count() << " joints";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::body_not_recognised) << error.what();
      EXPECT_TRUE(flat.skeleton.empty());
    }
  }
}

TEST(FitSuitableSkeleton, ACreatureThatLiesStandsUpWithItsSkeleton) {
  const Character spider = holding(test::spider());
  Character lying = spider, kept = spider;
  for (Character* character : {&lying, &kept}) {
    for (Vec3f& p : character->mesh.positions) p = Vec3f(p.x(), -p.z(), p.y());  // z is up
  }
  FitOptions options;
  options.up = Vec3d::UnitZ();
  const FitResult fit = fit_suitable_skeleton(lying, options);
  EXPECT_TRUE(test::codes(fit.warnings).contains("turned-upright"));
  EXPECT_LT((lying.mesh.positions[9] - spider.mesh.positions[9]).norm(), 1e-6);
  EXPECT_GT(fit.share_inside(), 0.99);
  const AABBf box = bounding_box(lying.mesh);
  for (int j = 0; j < lying.skeleton.joint_count(); ++j) {
    EXPECT_TRUE(box.contains(lying.skeleton.position(j).cast<float>())) << lying.skeleton.names[j];
  }
  options.keep_axes = true;
  fit_suitable_skeleton(kept, options);
  EXPECT_GT((kept.mesh.positions[9] - spider.mesh.positions[9]).norm(), 1e-3);
}

TEST(FitSuitableSkeleton, AThingIsRefusedAndStaysAsItWas) {
  Character tube = holding(test::tube(1, 0.5, 12, 16));
  const Character before = tube;
  try {
    const FitResult fit = fit_suitable_skeleton(tube);
    FAIL() << "a piece of pipe got the skeleton '" << fit.chosen << "'";
  } catch (const Error& refusal) {
    EXPECT_EQ(refusal.kind(), ErrorKind::bad_input);
    EXPECT_NE(std::string(refusal.what()).find("looks like"), std::string::npos) << refusal.what();
  }
  EXPECT_TRUE(tube.skeleton.empty());
  EXPECT_EQ(tube.mesh.positions, before.mesh.positions);
}

TEST(FitSuitableSkeleton, AKindThatIsToldIsTheOnlyOneTried) {
  FitOptions animal, person;
  animal.kind = BodyKind::four_legs;
  person.kind = BodyKind::person;
  for (const FitOptions& options : {animal, person}) {
    Character spider = holding(test::spider());
    const FitResult fit = fit_suitable_skeleton(spider, options);
    EXPECT_EQ(fit.chosen, options.kind == BodyKind::person ? "adult" : "quadruped");
    EXPECT_TRUE(test::codes(fit.warnings).contains("fit-unsure"));
  }
}

TEST(FitSuitableSkeleton, JointsOfASkeletonThatIsNotKnownYetCannotBeHeld) {
  Character person = test::bare(test::person(2000));
  FitOptions options;
  options.held.push_back({3, Vec3d::Zero()});
  EXPECT_THROW(fit_suitable_skeleton(person, options), Error);
}

TEST(FitSuitableSkeleton, RiggingWithoutAClipBindsWhatItChose) {
  Character person = test::bare(test::person(2000)), spider = holding(test::spider());
  EXPECT_EQ(rig_character(person, {}).fit.chosen, "adult");
  const RigResult rigged = rig_character(spider, {});
  EXPECT_EQ(rigged.fit.chosen, "generated");
  for (const Character* character : {&person, &spider}) {
    EXPECT_NO_THROW(check_character(*character));
    EXPECT_TRUE(character->has_skin());
    EXPECT_EQ(count_unweighted(character->weights), 0u);
    EXPECT_TRUE(character->motions.empty());
  }
}

}  // namespace
}  // namespace sinew
