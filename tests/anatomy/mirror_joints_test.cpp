#include <gtest/gtest.h>

#include "sinew/body_frame.h"
#include "tests/support/figure.h"

namespace sinew {
namespace {

int mirror_of(const Skeleton& skeleton, const std::string& name) {
  return mirror_joints(skeleton).joints[find_joint(skeleton, name)];
}

TEST(MirrorJoints, PairsLeftAndRight) {
  const Skeleton figure = test::standing_figure();
  const JointMirror mirror = mirror_joints(figure);
  for (const char* part : {"Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot"}) {
    const int left = find_joint(figure, std::string("Left") + part),
              right = find_joint(figure, std::string("Right") + part);
    ASSERT_GE(left, 0) << part;
    EXPECT_EQ(mirror.joints[left], right) << part;
    EXPECT_EQ(mirror.joints[right], left) << part;
  }
  const int head = find_joint(figure, "Head");
  EXPECT_EQ(mirror.joints[head], head);
  EXPECT_NEAR(std::abs(mirror.normal.x()), 1.0, 1e-9);
  EXPECT_NEAR(mirror.offset, 0.0, 1e-9);
}

TEST(MirrorJoints, IsItsOwnInverse) {
  const JointMirror mirror = mirror_joints(test::standing_figure());
  for (int joint = 0; joint < static_cast<int>(mirror.joints.size()); ++joint) {
    ASSERT_GE(mirror.joints[joint], 0) << joint;
    EXPECT_EQ(mirror.joints[mirror.joints[joint]], joint);
  }
  EXPECT_LT((mirror.normal - Vec3d::UnitX()).norm(), 1e-9);
}

// Names of which only the side is understood pair up by what else they say.
TEST(MirrorJoints, PairsUnknownPartsByName) {
  Skeleton skeleton = test::standing_figure();
  const int hips = find_joint(skeleton, "Hips");
  for (const char* name : {"LeftPocket", "LeftFringe", "RightFringe", "RightPocket"}) {
    add_joint(skeleton, name, hips, test::place(name[0] == 'L' ? 0.2 : -0.2, 1, 0.1));
  }
  EXPECT_EQ(mirror_of(skeleton, "LeftPocket"), find_joint(skeleton, "RightPocket"));
  EXPECT_EQ(mirror_of(skeleton, "RightFringe"), find_joint(skeleton, "LeftFringe"));
}

TEST(MirrorJoints, PairsByPositionWhereNamesTellNoSide) {
  Skeleton skeleton = test::standing_figure();
  const int head = find_joint(skeleton, "Head");
  const int a = add_joint(skeleton, "Antenna1", head, test::place(0.1, 1.8, 0));
  const int b = add_joint(skeleton, "Antenna2", head, test::place(-0.1, 1.8, 0));
  const int middle = add_joint(skeleton, "Crest", head, test::place(0, 1.9, 0));
  const int alone = add_joint(skeleton, "Monocle", head, test::place(0.3, 1.9, 0));
  const JointMirror mirror = mirror_joints(skeleton);
  EXPECT_EQ(mirror.joints[a], b);
  EXPECT_EQ(mirror.joints[b], a);
  EXPECT_EQ(mirror.joints[middle], middle);
  EXPECT_EQ(mirror.joints[alone], alone);
}

// Numbers that count down on one side and up on the other, as in Khronos' CesiumMan.
TEST(MirrorJoints, TrustsPlacesMoreThanNumbers) {
  Skeleton skeleton;
  const int hips = add_joint(skeleton, "torso", -1, test::place(0, 1, 0));
  int left = hips, right = hips;
  for (int i = 0; i < 3; ++i) {
    left = add_joint(skeleton, "arm_joint_L__" + std::to_string(4 - i) + "_", left, test::place(0.2 + 0.2 * i, 1.4, 0));
    right =
        add_joint(skeleton, "arm_joint_R__" + std::to_string(2 + i) + "_", right, test::place(-0.2 - 0.2 * i, 1.4, 0));
  }
  const JointMirror mirror = mirror_joints(skeleton);
  for (const int joint : {1, 3, 5}) EXPECT_EQ(mirror.joints[joint], joint + 1);
}

// A raised arm is still the other one's counterpart.
TEST(MirrorJoints, GoesByNameWhereAPoseIsNotSymmetric) {
  Skeleton skeleton = test::standing_figure();
  const int arm = find_joint(skeleton, "LeftArm");
  const Vec3d shoulder = skeleton.position(arm);
  for (int joint = arm; joint < skeleton.joint_count(); ++joint) {
    if (!hangs_on(skeleton.parents, joint, arm)) continue;
    const Vec3d from = skeleton.position(joint) - shoulder;
    skeleton.rest[joint].translation() = shoulder + Vec3d(from.y(), from.x(), from.z());
  }
  EXPECT_LT((mirror_joints(skeleton).normal - Vec3d::UnitX()).norm(), 1e-6) << "the plane is the trunk's";
  for (const char* part : {"Arm", "ForeArm", "Hand", "HandIndex1"}) {
    EXPECT_EQ(mirror_of(skeleton, std::string("Left") + part), find_joint(skeleton, std::string("Right") + part));
  }
}

TEST(MirrorJoints, SaysWhichJointOfOneSideIsAlone) {
  Skeleton skeleton = test::standing_figure();
  add_joint(skeleton, "LeftHolster", find_joint(skeleton, "Hips"), test::place(0.25, 0.9, 0));
  EXPECT_EQ(mirror_of(skeleton, "LeftHolster"), -1);
  EXPECT_TRUE(mirror_joints({}).joints.empty());
}

}  // namespace
}  // namespace sinew
