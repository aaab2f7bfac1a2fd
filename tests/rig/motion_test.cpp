#include "sinew/motion.h"

#include <gtest/gtest.h>

#include "sinew/error.h"

namespace sinew {
namespace {

Motion line(int frames, double rate) {
  Motion motion{"line", rate, 1, {}};
  for (int frame = 0; frame < frames; ++frame) {
    motion.transforms.emplace_back();
    motion.transforms.back().translation.x() = frame / rate;
  }
  return motion;
}

TEST(ResampleMotion, KeepsTheMovementAtAnyRate) {
  const Motion motion = line(31, 30);
  for (const double rate : {10.0, 24.0, 60.0, 120.0}) {
    const Motion other = resample_motion(motion, rate);
    EXPECT_EQ(other.frames_per_second, rate);
    EXPECT_EQ(other.frame_count(), 1 + static_cast<int>(rate));
    for (int frame = 0; frame < other.frame_count(); ++frame) {
      EXPECT_NEAR(frame_pose(other, frame)[0].translation.x(), frame / rate, 1e-12);
    }
  }
}

TEST(ResampleMotion, KeepsTheLastFrameAndRefusesNonsense) {
  const Motion other = resample_motion(line(12, 30), 10);  // 0.3667 s
  EXPECT_EQ(other.frame_count(), 5);
  EXPECT_NEAR(frame_pose(other, 4)[0].translation.x(), 11 / 30.0, 1e-12);
  EXPECT_EQ(resample_motion(line(1, 30), 10).frame_count(), 1);
  EXPECT_EQ(resample_motion(Motion{}, 10).frame_count(), 0);
  EXPECT_THROW(resample_motion(line(2, 30), 0), Error);
  EXPECT_THROW(resample_motion(line(2, 30), std::nan("")), Error);
}

}  // namespace
}  // namespace sinew
