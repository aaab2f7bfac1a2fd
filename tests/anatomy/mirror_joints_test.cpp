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

TEST(MirrorJoints, SaysWhichJointOfOneSideIsAlone) {
  Skeleton skeleton = test::standing_figure();
  add_joint(skeleton, "LeftHolster", find_joint(skeleton, "Hips"), test::place(0.25, 0.9, 0));
  EXPECT_EQ(mirror_of(skeleton, "LeftHolster"), -1);
  EXPECT_TRUE(mirror_joints({}).joints.empty());
}

}  // namespace
}  // namespace sinew
