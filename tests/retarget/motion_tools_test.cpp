// Pieces of motions, faster ones and mirrored ones.
#include "sinew/retarget/motion_tools.h"

#include <gtest/gtest.h>

#include "sinew/error.h"
#include "sinew/retarget/foot_contacts.h"
#include "tests/retarget/walking.h"

namespace sinew {
namespace {

TEST(MotionTools, TrimKeepsTheFramesBetween) {
  const Motion motion = test::walk(test::standing_figure(), 91);
  const Motion piece = trimmed_motion(motion, 1, 2);
  EXPECT_EQ(piece.frame_count(), 31);
  EXPECT_EQ(frame_pose(piece, 0)[0].translation, frame_pose(motion, 30)[0].translation);
  EXPECT_EQ(trimmed_motion(motion, 1, 0).frame_count(), 61);
  EXPECT_EQ(trimmed_motion(motion, 0, 99).frame_count(), 91);
  EXPECT_THROW(trimmed_motion(motion, 4, 0), Error);
  EXPECT_THROW(trimmed_motion(motion, 2, 1), Error);
}

TEST(MotionTools, SpeedChangesTheDuration) {
  const Motion motion = test::walk(test::standing_figure(), 91);
  const Motion fast = sped_up_motion(motion, 2);
  EXPECT_EQ(fast.frames_per_second, motion.frames_per_second);
  EXPECT_NEAR(fast.duration(), 1.5, 0.05);
  EXPECT_LT((frame_pose(fast, 15)[0].translation - frame_pose(motion, 30)[0].translation).norm(), 1e-9);
  EXPECT_THROW(sped_up_motion(motion, 0), Error);
}

// Positions that are offsets from the rest pose, as Blender writes them for MakeHuman.
TEST(MotionTools, OffsetsBecomePlaces) {
  const Skeleton skeleton = test::standing_figure();
  const Motion motion = test::walk(skeleton, 20);
  EXPECT_FALSE(bones_collapse(skeleton, motion));
  Motion offsets = motion;
  for (std::size_t i = 0; i < offsets.transforms.size(); ++i) {
    if (i % static_cast<std::size_t>(motion.joint_count) > 0) offsets.transforms[i].translation.setZero();
  }
  ASSERT_TRUE(bones_collapse(skeleton, offsets));
  const Motion places = with_places(skeleton, offsets);
  for (std::size_t i = 0; i < places.transforms.size(); ++i) {
    ASSERT_LT((places.transforms[i].translation - motion.transforms[i].translation).norm(), 1e-9);
  }
}

TEST(MotionTools, MirrorExchangesTheSides) {
  const Skeleton skeleton = test::standing_figure();
  const Motion motion = test::walk(skeleton, 60), mirrored = mirrored_motion(skeleton, motion);
  const auto before = joint_positions(skeleton, motion), after = joint_positions(skeleton, mirrored);
  for (std::size_t f = 0; f < before.size(); ++f) {
    for (const char* part : {"UpLeg", "Leg", "Foot", "ToeBase", "Arm", "ForeArm", "Hand"}) {
      const int left = find_joint(skeleton, std::string("Left") + part),
                right = find_joint(skeleton, std::string("Right") + part);
      const Vec3d image(-before[f][left].x(), before[f][left].y(), before[f][left].z());
      ASSERT_LT((after[f][right] - image).norm(), 1e-6) << f << ' ' << part;
    }
  }
  const auto again = joint_positions(skeleton, mirrored_motion(skeleton, mirrored));
  for (std::size_t f = 0; f < before.size(); ++f) {
    for (std::size_t j = 0; j < before[f].size(); ++j) ASSERT_LT((again[f][j] - before[f][j]).norm(), 1e-6);
  }
}

}  // namespace
}  // namespace sinew
