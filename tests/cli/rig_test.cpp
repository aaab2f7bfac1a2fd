// sinew rig, end to end: a bare mesh and a clip become a moving character.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/io.h"
#include "tests/support/run_program.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

using nlohmann::json;

class RigCommand : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(test::run_sinew({"make-character", file("hero.glb"), "--vertices", "1500"}, 180).exit_code, 0);
    // What a modeller hands over: the surface alone.
    Character hero = load_character(file("hero.glb"));
    truth_ = hero.skeleton;
    hero.skeleton = {};
    hero.weights = {};
    hero.motions.clear();
    hero.source.reset();
    for (Part& part : hero.parts) part.binding = PartBinding::fixed;
    save_character(hero, file("bare.obj"));
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  test::TemporaryFolder folder_;
  Skeleton truth_;
};

TEST_F(RigCommand, BareMeshWalks) {
  const auto run = test::run_sinew(
      {"rig", file("bare.obj"), "--motion", file("hero.glb"), "--clip", "walk", "-o", file("out.glb"), "--json"}, 120);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json result = json::parse(run.out);
  EXPECT_LT(result["worst_slide"].get<double>(), 0.01);
  EXPECT_GT(result["confidence"].get<double>(), 0.2);
  const Character rigged = load_character(file("out.glb"));
  ASSERT_EQ(rigged.motions.size(), 1u);
  EXPECT_TRUE(rigged.has_skin());
  EXPECT_EQ(count_unweighted(rigged.weights), 0u);
  const double diagonal = bounding_diagonal(rigged.mesh);
  for (const char* name : {"LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightArm",
                           "RightForeArm", "RightHand", "RightUpLeg", "RightLeg", "RightFoot"}) {
    const int own = find_joint(rigged.skeleton, name), wanted = find_joint(truth_, name);
    ASSERT_GE(own, 0) << name;
    ASSERT_GE(wanted, 0) << name;
    EXPECT_LT((rigged.skeleton.position(own) - truth_.position(wanted)).norm() / diagonal, 0.06) << name;
  }
}

TEST_F(RigCommand, BodyThatLiesInItsFileStandsUp) {
  Character lying = load_character(file("bare.obj"));
  for (Vec3f& position : lying.mesh.positions) position = Vec3f(position.x(), -position.z(), position.y());
  lying.mesh.normals.clear();
  save_character(lying, file("z_up.obj"));
  const std::vector<std::string> command = {"rig",    file("z_up.obj"), "--motion", file("hero.glb"),
                                            "--clip", "walk",           "-o",       file("out.glb")};
  const auto run = test::run_sinew(command, 120);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("z is up"), std::string::npos) << run.err;
  const AABBf upright = bounding_box(load_character(file("bare.obj")).mesh);
  const Character stood = load_character(file("out.glb"));
  EXPECT_LT((bounding_box(stood.mesh).min() - upright.min()).norm(), 1e-4);
  EXPECT_LT((bounding_box(stood.mesh).max() - upright.max()).norm(), 1e-4);
  // The walk keeps the head above the feet.
  const int head = find_joint(stood.skeleton, "Head"), foot = find_joint(stood.skeleton, "LeftFoot");
  for (int frame = 0; frame < stood.motions[0].frame_count(); ++frame) {
    const std::vector<Affine3d> joints = global_transforms(stood.skeleton, frame_pose(stood.motions[0], frame));
    EXPECT_GT(joints[head].translation().y(), joints[foot].translation().y() + 0.5 * upright.sizes().y());
  }

  std::vector<std::string> as_it_lies = command;
  as_it_lies.push_back("--keep-axes");
  ASSERT_EQ(test::run_sinew(as_it_lies, 120).exit_code, 0);
  EXPECT_GT(bounding_box(load_character(file("out.glb")).mesh).sizes().z(), 0.99 * upright.sizes().y());
}

TEST_F(RigCommand, WithoutAMotionTheCharacterStaysAtRest) {
  const auto run = test::run_sinew({"rig", file("bare.obj"), "-o", file("out.glb"), "--json"}, 120);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["skeleton"], "adult");
  EXPECT_EQ(result["motions"], 0);
  EXPECT_FALSE(result.contains("worst_slide"));
  const Character rigged = load_character(file("out.glb"));
  EXPECT_TRUE(rigged.has_skin());
  EXPECT_TRUE(rigged.motions.empty());
}

TEST_F(RigCommand, RefusesWhatCannotWork) {
  EXPECT_EQ(test::run_sinew({"rig", file("bare.obj"), "--all", "-o", file("out.glb")}).exit_code, 2);
  EXPECT_EQ(test::run_sinew({"rig", file("bare.obj"), "--motion", file("bare.obj"), "-o", file("out.glb")}).exit_code,
            3);
  EXPECT_EQ(
      test::run_sinew({"rig", file("bare.obj"), "--motion", file("hero.glb"), "-m", "magic", "-o", file("out.glb")})
          .exit_code,
      2);
}

}  // namespace
}  // namespace sinew
