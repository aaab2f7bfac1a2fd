#include "sinew/anatomy/bones.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"
#include "tests/support/figure.h"

namespace sinew {
namespace {

Bone bone_of(const Skeleton& skeleton, const std::string& name) {
  for (const Bone& bone : bones_of(skeleton)) {
    if (skeleton.names[bone.joint] == name) return bone;
  }
  ADD_FAILURE() << name << " has no bone";
  return {};
}

TEST(Bones, ContinueAlongTheBody) {
  const Skeleton figure = test::standing_figure();
  const auto ends_at = [&](const std::string& joint, const std::string& child) {
    return bone_of(figure, joint).tail == figure.position(find_joint(figure, child));
  };
  EXPECT_TRUE(ends_at("Hips", "Spine"));
  EXPECT_TRUE(ends_at("Chest", "Neck"));
  EXPECT_TRUE(ends_at("LeftHand", "LeftHandMiddle1"));
  EXPECT_TRUE(ends_at("RightToeBase", "RightToe_End"));
  // Eyes do not continue the head: it goes on upwards.
  EXPECT_GT(bone_of(figure, "Head").direction().y(), 0.99);
  EXPECT_GT(bone_of(figure, "LeftHandPinky1").direction().x(), 0.85);
  for (const Bone& bone : bones_of(figure)) EXPECT_NE(figure.kinds[bone.joint], JointKind::end);
}

TEST(Bones, TheFanReachesEveryChild) {
  const Skeleton figure = test::standing_figure();
  const int hips = find_joint(figure, "Hips");
  int from_hips = 0;
  for (const Bone& bone : bones_of(figure, BoneFan::every_child)) from_hips += bone.joint == hips;
  EXPECT_EQ(from_hips, 3);
}

TEST(Bones, LookThroughCoincidentJointsAndHelpers) {
  Skeleton s;
  const int root = add_joint(s, "a", -1, test::place(0, 0, 0), JointKind::helper);
  const int a = add_joint(s, "b", root, test::place(0, 0, 0));
  const int b = add_joint(s, "c", a, test::place(0, 0, 0));
  const int helper = add_joint(s, "pivot", b, test::place(5, 0, 0), JointKind::helper);
  add_joint(s, "d", helper, test::place(0, 1, 0));
  EXPECT_EQ(bones_of(s).size(), 3u);
  EXPECT_EQ(bone_of(s, "b").tail, Vec3d(0, 1, 0));
  EXPECT_EQ(bone_of(s, "c").tail, Vec3d(0, 1, 0));
  EXPECT_GT(bone_of(s, "d").length(), 0.0);
}

TEST(Bones, RandomSkeletonsHaveFiniteBonesWithLength) {
  for (int seed = 0; seed < 50; ++seed) {
    Random random(seed);
    Skeleton s;
    for (int joint = 0; joint < 30; ++joint) {
      const int parent = static_cast<int>(random.below(joint + 1)) - 1;
      const auto kind = static_cast<JointKind>(random.below(3));
      add_joint(s, "joint", parent, test::place(random.below(3), random.below(3), random.below(2)), kind);
    }
    std::size_t expected = 0;
    for (const JointKind kind : s.kinds) expected += kind == JointKind::joint;
    const std::vector<Bone> bones = bones_of(s);
    EXPECT_EQ(bones.size(), expected);
    for (const Bone& bone : bones) EXPECT_TRUE(bone.length() > 0 && bone.tail.allFinite());
  }
  EXPECT_TRUE(bones_of(Skeleton{}).empty());
}

}  // namespace
}  // namespace sinew
