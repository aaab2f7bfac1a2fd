#include "sinew/evaluate/pose_set.h"

#include <gtest/gtest.h>

#include "tests/evaluate/bar.h"

namespace sinew {
namespace {

using test::bar;
using test::bent;

void append_frame(Motion& motion, const Pose& pose) {
  motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
}

TEST(PoseSet, PosesAreSpreadEvenlyInTime) {
  const Skeleton skeleton = bar().skeleton;
  Motion walk{"walk", 20.0, 2, {}}, still{"still", 30.0, 2, {}};
  for (int frame = 0; frame < 11; ++frame) append_frame(walk, bent(skeleton, 10 * frame));
  append_frame(still, bent(skeleton, 20));
  const PoseSet set = motion_poses(skeleton, {walk, still}, 5);
  ASSERT_EQ(set.poses.size(), 10u);
  ASSERT_EQ(set.labels.size(), 10u);
  EXPECT_EQ(set.labels[0], "walk at 0.00 s");
  EXPECT_EQ(set.labels[4], "walk at 0.50 s");
  EXPECT_EQ(set.labels[5], "still at 0.00 s");
  for (int step = 0; step < 5; ++step) {
    EXPECT_NEAR(set.poses[step][1].rotation.angularDistance(bent(skeleton, 25 * step)[1].rotation), 0, 1e-9);
    EXPECT_NEAR(set.poses[5 + step][1].rotation.angularDistance(bent(skeleton, 20)[1].rotation), 0, 1e-9);
  }
  EXPECT_TRUE(motion_poses(skeleton, {}, 10).poses.empty());
}

TEST(PoseSet, MotionsThatOnlyCarryTheRestPoseAroundAreNone) {
  const Skeleton skeleton = bar().skeleton;
  Motion slide{"slide", 30.0, 2, {}};
  for (int frame = 0; frame < 10; ++frame) {
    Pose pose = rest_pose(skeleton);
    pose[0].translation = Vec3d(frame, 2, 3);
    pose[0].rotation = Quatd(Eigen::AngleAxisd(0.1 * frame, Vec3d::UnitY()));
    append_frame(slide, pose);
  }
  EXPECT_TRUE(motion_poses(skeleton, {slide}, 5).poses.empty());
  append_frame(slide, bent(skeleton, 5));
  EXPECT_EQ(motion_poses(skeleton, {slide}, 5).poses.size(), 5u);
}

TEST(PoseSet, RandomPosesAreTheSameForASeed) {
  const Skeleton skeleton = bar().skeleton;
  for (const auto& draw : {+[](const Skeleton&s, std::uint64_t seed) { return limit_poses(s, 5, seed); },
                           +[](const Skeleton&s, std::uint64_t seed) { return normal_poses(s, 5, 20.0, seed); }}) {
    const PoseSet set = draw(skeleton, 7), again = draw(skeleton, 7), other = draw(skeleton, 8);
    ASSERT_EQ(set.poses.size(), 5u);
    ASSERT_EQ(set.labels.size(), 5u);
    const auto bend = [](const PoseSet& of, int pose) { return of.poses[pose][1].rotation.coeffs(); };
    EXPECT_EQ(bend(set, 2), bend(again, 2));
    EXPECT_NE(bend(set, 2), bend(other, 2));
    EXPECT_NE(bend(set, 2), bend(set, 3));
  }
}

}  // namespace
}  // namespace sinew
