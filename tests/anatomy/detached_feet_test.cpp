// Feet at the root of a rig are attached on their legs and everything comes back as it was.
#include "sinew/anatomy/detached_feet.h"

#include <gtest/gtest.h>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/anatomy/legs.h"
#include "sinew/base/random.h"

namespace sinew {
namespace {

Affine3d at_place(double x, double y, double z) { return Affine3d(Eigen::Translation3d(x, y, z)); }

// A robot whose feet are children of the root, before the legs they belong to.
Skeleton robot_with_loose_feet() {
  Skeleton skeleton;
  const int root = add_joint(skeleton, "Root", -1, at_place(0, 0, 0));
  add_joint(skeleton, "Foot.L", root, at_place(0.1, 0.05, 0));
  add_joint(skeleton, "Foot.R", root, at_place(-0.1, 0.05, 0));
  const int hips = add_joint(skeleton, "Hips", root, at_place(0, 1, 0));
  const int torso = add_joint(skeleton, "Torso", hips, at_place(0, 1.3, 0));
  add_joint(skeleton, "Head", torso, at_place(0, 1.6, 0));
  for (const auto& [side, x] : {std::pair{"L", 1.0}, std::pair{"R", -1.0}}) {
    const int thigh = add_joint(skeleton, std::string("UpperLeg.") + side, hips, at_place(0.1 * x, 0.95, 0));
    add_joint(skeleton, std::string("LowerLeg.") + side, thigh, at_place(0.1 * x, 0.5, 0.02));
    const int arm = add_joint(skeleton, std::string("UpperArm.") + side, torso, at_place(0.2 * x, 1.4, 0));
    add_joint(skeleton, std::string("LowerArm.") + side, arm, at_place(0.5 * x, 1.4, 0));
  }
  return skeleton;
}

TEST(AttachedFeet, LooseFeetHangOnTheirShins) {
  const Skeleton loose = robot_with_loose_feet();
  EXPECT_TRUE(legs_of(loose, identify_joints_anyhow(loose)).empty());
  const AttachedFeet attached = attach_detached_feet(loose);
  ASSERT_TRUE(attached.changed);
  EXPECT_NO_THROW(check_skeleton(attached.skeleton));
  for (const char* side : {"L", "R"}) {
    const int foot = find_joint(attached.skeleton, std::string("Foot.") + side);
    EXPECT_EQ(attached.skeleton.names[attached.skeleton.parents[foot]], std::string("LowerLeg.") + side);
  }
  EXPECT_EQ(legs_of(attached.skeleton, identify_joints_anyhow(attached.skeleton)).size(), 2u);
  for (int joint = 0; joint < loose.joint_count(); ++joint) {
    EXPECT_EQ(attached.original[attached.index_of[joint]], joint);
    EXPECT_EQ(attached.skeleton.names[attached.index_of[joint]], loose.names[joint]);
    EXPECT_EQ(attached.skeleton.position(attached.index_of[joint]), loose.position(joint));
  }
}

TEST(AttachedFeet, MotionsGoThereAndBack) {
  const Skeleton loose = robot_with_loose_feet();
  const AttachedFeet attached = attach_detached_feet(loose);
  Motion motion{"random", 30, loose.joint_count(), {}};
  Random random(3);
  for (int f = 0; f < 5; ++f) {
    for (Transform local : rest_pose(loose)) {
      local.rotation = Quatd(Eigen::AngleAxisd(random.uniform(-1, 1), Vec3d(1, 2, 3).normalized())) * local.rotation;
      local.translation.x() += random.uniform(-0.1, 0.1);
      motion.transforms.push_back(local);
    }
  }
  const Motion there = reparent_motion(motion, loose, attached.skeleton, attached.original);
  const Motion back = reparent_motion(there, attached.skeleton, loose, attached.index_of);
  for (int f = 0; f < motion.frame_count(); ++f) {
    const std::vector<Affine3d> own = global_transforms(loose, frame_pose(motion, f)),
                                other = global_transforms(attached.skeleton, frame_pose(there, f)),
                                again = global_transforms(loose, frame_pose(back, f));
    for (int joint = 0; joint < loose.joint_count(); ++joint) {
      EXPECT_LT((own[joint].matrix() - other[attached.index_of[joint]].matrix()).norm(), 1e-9);
      EXPECT_LT((own[joint].matrix() - again[joint].matrix()).norm(), 1e-9);
    }
  }
}

// Paws below an animator's handle at the root.
TEST(AttachedFeet, PawsOfAnimatorsHandles) {
  Skeleton wolf;
  const int root = add_joint(wolf, "Armature", -1, at_place(0, 0, 0));
  const int body = add_joint(wolf, "Body", root, at_place(0, 0.8, -0.5));
  const int torso = add_joint(wolf, "Torso", body, at_place(0, 0.8, 0.4));
  add_joint(wolf, "Head", torso, at_place(0, 1.1, 0.8));
  for (const auto& [side, x] : {std::pair{"L", 0.1}, std::pair{"R", -0.1}}) {
    const auto named = [&side = side](const char* name) { return std::string(name) + "." + side; };
    const int front = add_joint(wolf, named("FrontUpperLeg"), torso, at_place(x, 0.7, 0.4));
    add_joint(wolf, named("FrontLowerLeg"), front, at_place(x, 0.5, 0.35));
    const int hip = add_joint(wolf, named("BackShoulder"), body, at_place(x, 0.75, -0.5));
    const int thigh = add_joint(wolf, named("BackLeg"), hip, at_place(x, 0.7, -0.5));
    const int shin = add_joint(wolf, named("BackUpperLeg"), thigh, at_place(x, 0.5, -0.4));
    add_joint(wolf, named("BackLowerLeg"), shin, at_place(x, 0.3, -0.6));
    const int hind_handle = add_joint(wolf, named("IKBackLeg"), root, at_place(x, 0.06, -0.55));
    add_joint(wolf, named("FFB"), hind_handle, at_place(x, 0.02, -0.5));
    const int front_handle = add_joint(wolf, named("IKFrontLeg"), root, at_place(x, 0.06, 0.4));
    add_joint(wolf, named("FF"), front_handle, at_place(x, 0.02, 0.45));
  }
  const AttachedFeet attached = attach_detached_feet(wolf);
  ASSERT_TRUE(attached.changed);
  const std::vector<Leg> legs = legs_of(attached.skeleton, identify_joints_anyhow(attached.skeleton));
  ASSERT_EQ(legs.size(), 4u);
  for (const Leg& leg : legs) {
    EXPECT_EQ(attached.skeleton.names[leg.toe].substr(0, 2), "FF");
    EXPECT_EQ(attached.skeleton.names[leg.limb.end].substr(0, 4), leg.front ? "IKFr" : "Back");
    EXPECT_TRUE(leg.paw);
  }
}

// Legs beside the hips below a root on the floor, as modular people have them, and hair that hangs on the root.
TEST(AttachedFeet, LegsBesideTheHipsHangOnThem) {
  Skeleton skeleton;
  const int root = add_joint(skeleton, "Root", -1, at_place(0, 0, 0));
  add_joint(skeleton, "Braid", root, at_place(0, 1.6, -0.1));
  const int hips = add_joint(skeleton, "Hips", root, at_place(0, 1, 0));
  const int torso = add_joint(skeleton, "Torso", hips, at_place(0, 1.3, 0));
  add_joint(skeleton, "Head", torso, at_place(0, 1.6, 0));
  for (const auto& [side, x] : {std::pair{"L", 1.0}, std::pair{"R", -1.0}}) {
    const int thigh = add_joint(skeleton, std::string("UpperLeg.") + side, root, at_place(0.1 * x, 0.95, 0));
    const int shin = add_joint(skeleton, std::string("LowerLeg.") + side, thigh, at_place(0.1 * x, 0.5, 0.02));
    add_joint(skeleton, std::string("Foot.") + side, shin, at_place(0.1 * x, 0.05, 0));
    const int arm = add_joint(skeleton, std::string("UpperArm.") + side, torso, at_place(0.2 * x, 1.4, 0));
    add_joint(skeleton, std::string("LowerArm.") + side, arm, at_place(0.5 * x, 1.4, 0));
  }
  EXPECT_FALSE(attach_detached_feet(skeleton).changed);
  const AttachedFeet gathered = gather_body(skeleton);
  ASSERT_TRUE(gathered.changed);
  EXPECT_NO_THROW(check_skeleton(gathered.skeleton));
  const auto parent = [&](const char* name) {
    const int above = gathered.skeleton.parents[find_joint(gathered.skeleton, name)];
    return above < 0 ? std::string() : gathered.skeleton.names[above];
  };
  EXPECT_EQ(parent("UpperLeg.L"), "Hips");
  EXPECT_EQ(parent("UpperLeg.R"), "Hips");
  EXPECT_EQ(parent("LowerLeg.R"), "UpperLeg.R");
  EXPECT_EQ(parent("Braid"), "Head");
  EXPECT_EQ(parent("Hips"), "Root");
  EXPECT_FALSE(gather_body(gathered.skeleton).changed);
}

// A pelvis that is called something else carries both hips and legs: nothing is loose.
// A hat below a group of the file is on the body already; it once became its own parent, for ever.
TEST(AttachedFeet, WhatIsBelowAGroupInTheBodyStays) {
  Skeleton figure = test::standing_figure();
  const int group =
      add_joint(figure, "HeadGroup", find_joint(figure, "Head"), test::place(0, 1.7, 0), JointKind::helper);
  add_joint(figure, "Hat", group, test::place(0, 1.8, 0));
  EXPECT_FALSE(gather_body(figure).changed);
  // Beside the body a chain stays a chain.
  const int armature = add_joint(figure, "Group", -1, test::place(0, 0, 0), JointKind::helper);
  const int loose = add_joint(figure, "Cape1", armature, test::place(0, 1.4, -0.1));
  const int end = add_joint(figure, "Cape2", loose, test::place(0, 1.0, -0.2));
  const AttachedFeet gathered = gather_body(figure);
  ASSERT_TRUE(gathered.changed);
  EXPECT_EQ(gathered.original[gathered.skeleton.parents[gathered.index_of[end]]], loose);
  EXPECT_TRUE(hangs_on(gathered.skeleton.parents, gathered.index_of[loose], gathered.index_of[0]));
}

TEST(AttachedFeet, APelvisOfAnotherNameIsNoRoot) {
  Skeleton skeleton;
  const int root = add_joint(skeleton, "root", -1, at_place(0, 0, 0));
  const int body = add_joint(skeleton, "Body", root, at_place(0, 1, 0));
  const int hips = add_joint(skeleton, "Hips", body, at_place(0, 1.05, 0.1));
  add_joint(skeleton, "Head", hips, at_place(0, 1.5, 0.6));
  for (const auto& [side, x] : {std::pair{"L", 1.0}, std::pair{"R", -1.0}}) {
    const int thigh = add_joint(skeleton, std::string("UpLeg.") + side, body, at_place(0.1 * x, 0.95, 0));
    const int shin = add_joint(skeleton, std::string("LowLeg.") + side, thigh, at_place(0.1 * x, 0.5, 0.02));
    add_joint(skeleton, std::string("Foot.") + side, shin, at_place(0.1 * x, 0.05, 0));
  }
  EXPECT_FALSE(gather_body(skeleton).changed);
}

TEST(AttachedFeet, WholeLegsStayAsTheyAre) {
  const Skeleton whole = attach_detached_feet(robot_with_loose_feet()).skeleton;
  const AttachedFeet again = attach_detached_feet(whole);
  EXPECT_FALSE(again.changed);
  EXPECT_EQ(again.skeleton.parents, whole.parents);
  EXPECT_FALSE(attach_detached_feet({}).changed);
}

}  // namespace
}  // namespace sinew
