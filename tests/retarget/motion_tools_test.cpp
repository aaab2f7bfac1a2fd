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

// A walk that ends in mid-step repeats: the last pose is the first one, further along the way.
TEST(MotionTools, LoopsCloseAndKeepTheirWay) {
  const Skeleton skeleton = test::standing_figure();
  const Motion motion = test::walk(skeleton, 70);
  double change = 0;
  const Motion loop = looped_motion(skeleton, motion, 0, Vec3d::UnitY(), &change);
  ASSERT_EQ(loop.frame_count(), 70);
  EXPECT_GT(change, 0.001);
  const Pose first = frame_pose(loop, 0), last = frame_pose(loop, 69), was = frame_pose(motion, 69);
  for (int joint = 1; joint < skeleton.joint_count(); ++joint) {
    EXPECT_LT(first[joint].rotation.angularDistance(last[joint].rotation), 1e-6) << skeleton.names[joint];
  }
  EXPECT_NEAR(last[0].translation.z(), was[0].translation.z(), 1e-9);  // has walked as far
  EXPECT_NEAR(last[0].translation.y(), first[0].translation.y(), 1e-9);
  // Nothing jumps, and what is not near the end stays.
  EXPECT_EQ(frame_pose(loop, 40)[5].rotation.coeffs(), frame_pose(motion, 40)[5].rotation.coeffs());
  const auto places = joint_positions(skeleton, loop);
  for (std::size_t f = 1; f < places.size(); ++f) {
    for (std::size_t j = 0; j < places[f].size(); ++j) EXPECT_LT((places[f][j] - places[f - 1][j]).norm(), 0.15) << f;
  }
}

TEST(MotionTools, RootMotionMovesToTheRootAndChangesNothingElse) {
  const Skeleton figure = test::standing_figure();
  Skeleton skeleton;
  const int root = add_joint(skeleton, "Root", -1, test::place(0, 0, 0));
  for (int joint = 0; joint < figure.joint_count(); ++joint) {
    const int parent = figure.parents[joint];
    add_joint(skeleton, figure.names[joint], parent < 0 ? root : parent + 1, figure.rest[joint], figure.kinds[joint]);
  }
  Motion motion{"walk", 30, skeleton.joint_count(), {}};
  const Motion plain = test::walk(figure, 60);
  for (int f = 0; f < 60; ++f) {
    Pose pose = frame_pose(plain, f);
    // A curve: the body turns as it walks.
    const Quatd turn(Eigen::AngleAxisd(0.05 * f, Vec3d::UnitY()));
    pose[0].rotation = turn * pose[0].rotation;
    motion.transforms.emplace_back();
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  const Motion moved = with_root_motion(skeleton, motion, 1, Vec3d::UnitY());
  const auto before = joint_positions(skeleton, motion), after = joint_positions(skeleton, moved);
  for (std::size_t f = 0; f < before.size(); ++f) {
    for (int j = 1; j < skeleton.joint_count(); ++j) ASSERT_LT((before[f][j] - after[f][j]).norm(), 1e-9) << f;
    EXPECT_NEAR(after[f][0].y(), 0, 1e-9);
    EXPECT_NEAR(after[f][0].z(), before[f][1].z(), 1e-9);  // under the hips
    const Pose pose = frame_pose(moved, static_cast<int>(f));
    EXPECT_NEAR(pose[1].translation.x(), 0, 1e-9);
    EXPECT_NEAR(
        pose[0].rotation.angularDistance(Quatd(Eigen::AngleAxisd(0.05 * static_cast<double>(f), Vec3d::UnitY()))), 0,
        1e-6);
  }
  EXPECT_THROW(with_root_motion(figure, plain, 0, Vec3d::UnitY()), Error);
}

}  // namespace
}  // namespace sinew
