#include "sinew/asset/joint_limits_file.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr double degree = std::numbers::pi / 180;

Skeleton limited_arm() {
  Skeleton skeleton;
  const char* names[] = {"LeftArm", "LeftForeArm", "LeftHand"};
  for (int i = 0; i < 3; ++i) {
    add_joint(skeleton, names[i], i - 1, Affine3d(Eigen::Translation3d(0.3 * i, 1.4, 0)));
  }
  return skeleton;
}

TEST(JointLimitsFile, NamedAnglesChangeAndOthersStay) {
  const Skeleton skeleton = limited_arm();
  const JointLimits defaults = default_joint_limits(skeleton);
  const JointLimits limits =
      parse_joint_limits(R"({"LeftForeArm": {"flexion": [-7, 99], "twist": [-1, 2]}})", skeleton);
  EXPECT_NEAR(limits[1].low[0], -7 * degree, 1e-12);
  EXPECT_NEAR(limits[1].high[0], 99 * degree, 1e-12);
  EXPECT_NEAR(limits[1].high[2], 2 * degree, 1e-12);
  EXPECT_EQ(limits[1].low[1], defaults[1].low[1]);
  EXPECT_EQ(limits[1].axes, defaults[1].axes);
  EXPECT_EQ(limits[0].high, defaults[0].high);
}

TEST(JointLimitsFile, WhatIsWrittenIsRead) {
  const Skeleton skeleton = limited_arm();
  const JointLimits limits = default_joint_limits(skeleton);
  const JointLimits again = parse_joint_limits(write_joint_limits(limits, skeleton), skeleton);
  for (int joint = 0; joint < 3; ++joint) {
    EXPECT_LT((again[joint].low - limits[joint].low).norm(), 0.1 * degree * 1.75);
    EXPECT_LT((again[joint].high - limits[joint].high).norm(), 0.1 * degree * 1.75);
  }
}

TEST(JointLimitsFile, WrongFilesAreRefusedWithAReason) {
  for (const char* text : {"", "[]", "{\"Tail\": {}}", "{\"LeftArm\": 3}", "{\"LeftArm\": {\"roll\": [0, 1]}}",
                           "{\"LeftArm\": {\"twist\": [0]}}", "{\"LeftArm\": {\"twist\": [5, 20]}}",
                           "{\"LeftArm\": {\"twist\": [0, 400]}}", "{\"LeftArm\": {\"twist\": [\"a\", 1]}}"}) {
    EXPECT_THROW(parse_joint_limits(text, limited_arm()), Error) << text;
  }
}

}  // namespace
}  // namespace sinew
