// From a bare mesh to a moving character in one call, and what must hold on the way.
#include <gtest/gtest.h>

#include <thread>

#include "sinew/rig.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

TEST(RigCharacter, DoesWhatItsStepsDo) {
  const Character whole = test::person(2000), clip = test::clip_of(whole);
  Character rigged = test::bare(whole), stepwise = test::bare(whole);
  const RigResult result = rig_character(rigged, clip);
  const FitResult fit = fit_character(stepwise, clip);
  bind_character(stepwise);
  const RetargetResult retargeted = retarget_motions(clip, stepwise);
  EXPECT_NO_THROW(check_character(rigged));
  EXPECT_EQ(result.fit.confidence, fit.confidence);
  EXPECT_EQ(rigged.weights.weights, stepwise.weights.weights);
  ASSERT_EQ(rigged.motions.size(), 1u);
  EXPECT_EQ(result.retarget.worst().worst_slide, retargeted.worst().worst_slide);
  for (std::size_t i = 0; i < rigged.motions[0].transforms.size(); ++i) {
    ASSERT_EQ(rigged.motions[0].transforms[i].translation, stepwise.motions[0].transforms[i].translation);
  }
  EXPECT_GT(result.fit.mean_confidence(), 0.3);
  EXPECT_EQ(result.retarget.map.linked_joints, clip.skeleton.joint_count());
}

TEST(RigCharacter, AClipWithoutMotionsGivesACharacterAtRest) {
  const Character whole = test::person(2000);
  Character clip = test::clip_of(whole), rigged = test::bare(whole);
  clip.motions.clear();
  rig_character(rigged, clip);
  EXPECT_TRUE(rigged.has_skin());
  EXPECT_TRUE(rigged.motions.empty());
}

TEST(RigCharacter, StandsABodyUprightUnlessItsFormatSaysWhichWayIsUp) {
  const Character whole = test::person(2000);
  Character lying = test::bare(whole);
  for (Vec3f& p : lying.mesh.positions) p = Vec3f(p.x(), -p.z(), p.y());  // z is up
  Character turned = lying, kept = lying, known = lying;
  known.format = FileFormat::glb;
  RigOptions keep;
  keep.fit.keep_axes = true;
  const RigResult result = rig_character(turned, test::clip_of(whole));
  rig_character(kept, test::clip_of(whole), keep);
  rig_character(known, test::clip_of(whole));
  EXPECT_NEAR((turned.mesh.positions[7] - whole.mesh.positions[7]).norm(), 0, 1e-6);
  EXPECT_EQ(kept.mesh.positions, lying.mesh.positions);
  EXPECT_EQ(known.mesh.positions, lying.mesh.positions);
  const auto told = [](const Warning& warning) { return warning.code == "turned-upright"; };
  EXPECT_TRUE(std::any_of(result.warnings.begin(), result.warnings.end(), told));
}

TEST(RigCharacter, CancelledAnywhereLeavesTheCharacterAsItWas) {
  const Character whole = test::person(2000), clip = test::clip_of(whole), before = test::bare(whole);
  for (const double stop_at : {0.0, 0.1, 0.35, 0.6, 0.79}) {
    Character character = before;
    std::atomic<bool> stop = false;
    double last = 0;
    const std::thread::id caller = std::this_thread::get_id();
    const Progress progress(
        [&](double fraction, std::string_view) {
          EXPECT_EQ(std::this_thread::get_id(), caller);
          EXPECT_GE(fraction, last - 1e-12);
          EXPECT_LE(fraction, 1.0 + 1e-12);
          last = fraction;
          stop = fraction >= stop_at;
        },
        &stop);
    try {
      rig_character(character, clip, {}, progress);
      FAIL() << "not cancelled at " << stop_at;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
    EXPECT_TRUE(character.skeleton.empty());
    EXPECT_TRUE(character.weights.empty());
    EXPECT_EQ(character.mesh.positions, before.mesh.positions);
  }
}

TEST(RigCharacter, TheSameAtAnyThreadCount) {
  const Character whole = test::person(2000);
  Character one = test::bare(whole), two = test::bare(whole);
  RigOptions options;
  options.threads = 1;
  rig_character(one, test::clip_of(whole), options);
  options.threads = 2;
  rig_character(two, test::clip_of(whole), options);
  EXPECT_EQ(one.weights.weights, two.weights.weights);
  EXPECT_EQ(one.weights.joints, two.weights.joints);
}

TEST(FitCharacter, RefusesWhatCannotBe) {
  Character nothing, mesh = test::bare(test::person(2000));
  EXPECT_THROW(fit_character(nothing, test::clip_of(test::person(2000))), Error);
  EXPECT_THROW(fit_character(mesh, nothing), Error);
  EXPECT_TRUE(mesh.skeleton.empty());
  EXPECT_THROW(builtin_skeleton("octopus"), Error);
  for (const char* name : {"adult", "mitten", "quadruped"}) EXPECT_FALSE(builtin_skeleton(name).skeleton.empty());
}

TEST(RetargetMotions, ChoosesResamplesKeepsAndMaps) {
  const Character clip = test::person(2000);
  ASSERT_GE(clip.motions.size(), 2u);
  Character target = test::person(2000);
  target.motions.resize(1);
  RetargetOptions options;
  options.motions = {1};
  options.keep_motions = true;
  options.frames_per_second = 10;
  const RetargetResult result = retarget_motions(clip, target, options);
  ASSERT_EQ(target.motions.size(), 2u);
  EXPECT_EQ(target.motions[1].frames_per_second, 10);
  EXPECT_EQ(result.motions[0].motion, clip.motions[1].name);
  const RetargetMap map = map_retargeting(clip, target);
  EXPECT_EQ(map.linked_joints, result.map.linked_joints);
  EXPECT_NE(map.json.find("\"joints\""), std::string::npos);
  options.joint_map = map.json;
  EXPECT_NO_THROW(retarget_motions(clip, target, options));

  const std::size_t motions = target.motions.size();
  options.motions = {99};
  EXPECT_THROW(retarget_motions(clip, target, options), Error);
  options.motions = {};
  options.joint_map = "not a map";
  EXPECT_THROW(retarget_motions(clip, target, options), Error);
  EXPECT_THROW(retarget_motions({}, target), Error);
  EXPECT_EQ(target.motions.size(), motions) << "a refusal changes nothing";
}

}  // namespace
}  // namespace sinew
