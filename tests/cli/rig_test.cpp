// sinew rig, end to end: a bare mesh and a clip become a moving character.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sinew/asset/file.h"
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

TEST_F(RigCommand, RefusesWhatCannotWork) {
  EXPECT_EQ(test::run_sinew({"rig", file("bare.obj"), "-o", file("out.glb")}).exit_code, 2);
  EXPECT_EQ(test::run_sinew({"rig", file("bare.obj"), "--motion", file("bare.obj"), "-o", file("out.glb")}).exit_code,
            3);
  EXPECT_EQ(
      test::run_sinew({"rig", file("bare.obj"), "--motion", file("hero.glb"), "-m", "magic", "-o", file("out.glb")})
          .exit_code,
      2);
}

}  // namespace
}  // namespace sinew
