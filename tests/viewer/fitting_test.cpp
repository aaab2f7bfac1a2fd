// A bare mesh, a clip, a fitted skeleton, a joint put right by hand: as the page asks for it.
#include "apps/viewer/fitting.h"

#include <gtest/gtest.h>

#include "sinew/builtin/builtin_character.h"
#include "sinew/io.h"
#include "tests/support/test_files.h"
#include "tests/viewer/client.h"

namespace sinew {
namespace {

using nlohmann::json;

const Character& person() {
  static const Character made = [] {
    BuiltinOptions options;
    options.vertex_budget = 2000;
    return make_builtin_character(options);
  }();
  return made;
}

Character bare() {
  Character character;
  character.name = "person";
  character.mesh = person().mesh;
  return character;
}

std::string clip_bytes() {
  Character clip = person();
  clip.mesh = {};
  clip.parts.clear();
  clip.weights = {};
  clip.source = nullptr;
  clip.motions.resize(1);
  const test::TemporaryFolder folder;
  save_character(clip, folder / "walk.bvh");
  return test::read_file(folder / "walk.bvh");
}

Vec3d position(const test::ReadPacket& character, int joint) {
  // The rest transform is the inverse of what the packet holds.
  const std::vector<float> inverse = character.array<float>("inverse_bind");
  const Eigen::Map<const Eigen::Matrix4f> matrix(inverse.data() + 16 * joint);
  return Affine3d(matrix.cast<double>()).inverse().translation();
}

class Fitting : public testing::Test {
 protected:
  json fit(const json& request) const { return client_.finish(client_.post("fit", request.dump())); }
  static int joint(const test::ReadPacket& character, const std::string& name) {
    for (std::size_t j = 0; j < character.header["joints"].size(); ++j) {
      if (character.header["joints"][j]["name"] == name) return static_cast<int>(j);
    }
    return -1;
  }

  viewer::Server server_{bare(), "person.obj"};
  test::Client client_{server_};
};

TEST_F(Fitting, ADroppedClipIsFittedRetargetedBoundAndUndone) {
  EXPECT_EQ(client_.drop("walk.bvh", clip_bytes())["state"], "done");
  ASSERT_EQ(fit({{"skeleton", "present"}})["state"], "done");
  const test::ReadPacket fitted = client_.character();
  EXPECT_EQ(fitted.array<float>("before").size(), 3 * fitted.header["joints"].size());
  EXPECT_EQ(fitted.header["fitted"]["confidence"].size(), fitted.header["joints"].size());
  EXPECT_EQ(fitted.header["motions"].size(), 1u);
  EXPECT_EQ(client_.entry()["label"], "fitted skeleton");
  EXPECT_EQ(client_.bind({{"method", "proximity"}})["state"], "done");
  EXPECT_EQ(client_.entry()["empty"], false);
  client_.post("undo");
  client_.post("undo");
  EXPECT_FALSE(client_.character().header.contains("fitted"));
  client_.post("undo");
  EXPECT_EQ(client_.character().header["joints"].size(), 0u);
  client_.post("redo");
  client_.post("redo");
  EXPECT_EQ(client_.character().header["generation"], fitted.header["generation"]);
}

TEST_F(Fitting, AHeldJointStaysAndItsMirrorImageFollows) {
  ASSERT_EQ(fit({{"skeleton", "adult"}})["state"], "done");
  const test::ReadPacket first = client_.character();
  const int left = joint(first, "LeftForeArm"), right = joint(first, "RightForeArm"), head = joint(first, "Head");
  ASSERT_GE(left, 0);
  const Vec3d moved = position(first, left) + Vec3d(0.02, 0.03, 0.01);
  const json held = {{"joint", left}, {"position", {moved.x(), moved.y(), moved.z()}}};
  ASSERT_EQ(fit({{"skeleton", "present"}, {"held", {held}}})["state"], "done");
  const test::ReadPacket second = client_.character();
  EXPECT_LT((position(second, left) - moved).norm(), 1e-5);
  EXPECT_LT((position(second, right) - Vec3d(-moved.x(), moved.y(), moved.z())).norm(), 0.02);
  EXPECT_LT((position(second, head) - position(first, head)).norm(), 1e-5) << "the rest is found as before";
  EXPECT_EQ(second.header["fitted"]["held"].size(), 1u);
  EXPECT_EQ(second.array<float>("before"), first.array<float>("before")) << "always from the same skeleton";
  // Weights stay when a joint moves.
  client_.bind({{"method", "proximity"}});
  ASSERT_EQ(fit({{"skeleton", "present"}})["state"], "done");
  EXPECT_EQ(client_.entry()["empty"], false);
}

TEST_F(Fitting, WhatCannotBeFittedSaysWhy) {
  const json nothing = fit({{"skeleton", "present"}});
  EXPECT_EQ(nothing["state"], "failed");
  EXPECT_NE(nothing["error"]["message"].get<std::string>().find("no skeleton"), std::string::npos);
  EXPECT_EQ(fit({{"skeleton", "adult"}, {"held", {{{"joint", 999}, {"position", {0, 0, 0}}}}}})["state"], "failed");
  for (const char* body :
       {"", "[]", R"({"skeleton": "dragon"})", R"({"skeleton": 3})", R"({"symmetric": "yes"})", R"({"held": {}})",
        R"({"held": [1]})", R"({"held": [{"joint": 1}]})", R"({"held": [{"joint": -1, "position": [0, 0, 0]}]})",
        R"({"held": [{"joint": 1, "position": [0, 0]}]})", R"({"held": [{"joint": 1, "position": [0, "a", 0]}]})",
        R"({"held": [{"joint": 1, "position": [0, 1e300, 0]}]})", R"({"cells": 9})"}) {
    EXPECT_EQ(client_.post("fit", body).status, 400) << body;
  }
}

TEST_F(Fitting, ADroppedSkeletonTakesThePlaceOfThePresentOneByWish) {
  ASSERT_EQ(fit({{"skeleton", "adult"}})["state"], "done");
  EXPECT_EQ(client_.finish(client_.post("open?name=walk.bvh&take=skeleton", clip_bytes()))["state"], "done");
  EXPECT_EQ(client_.entry()["label"], "skeleton of a file");
  EXPECT_FALSE(client_.character().header.contains("fitted"));
}

}  // namespace
}  // namespace sinew
