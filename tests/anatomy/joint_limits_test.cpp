#include "sinew/anatomy/joint_limits.h"

#include <gtest/gtest.h>

#include "sinew/error.h"
#include "tests/support/figure.h"

namespace sinew {
namespace {

constexpr double degrees = M_PI / 180.0;

// Where `child` goes when `joint` turns by these angles, everything else at rest.
Vec3d moved(const Skeleton& skeleton, const std::string& joint, const Vec3d& angles, const std::string& child) {
  const int index = find_joint(skeleton, joint);
  Pose pose = rest_pose(skeleton);
  pose[index].rotation = joint_rotation(pose[index].rotation, angles, default_joint_limits(skeleton)[index]);
  return global_transforms(skeleton, pose)[find_joint(skeleton, child)].translation();
}

// The figure with every joint's axes turned at random: what anatomy says must not depend on them.
Skeleton with_random_axes(Skeleton skeleton, std::uint64_t seed) {
  Random random(seed);
  for (Affine3d& rest : skeleton.rest) {
    rest.rotate(Quatd(Vec4d(random.normal(), random.normal(), random.normal(), random.normal()).normalized()));
  }
  return skeleton;
}

// The figure turned as a whole.
Skeleton facing(const Skeleton& skeleton, double turn) {
  Skeleton turned = skeleton;
  for (Affine3d& rest : turned.rest) rest = Eigen::AngleAxisd(turn, Vec3d::UnitY()) * rest;
  return turned;
}

TEST(BodyFrame, KnowsWhereTheFigureFaces) {
  for (const double turn : {0.0, 1.0, 3.0}) {
    const BodyFrame frame = body_frame(facing(test::standing_figure(), turn));
    const Eigen::AngleAxisd rotation(turn, Vec3d::UnitY());
    EXPECT_LT((frame.forward - rotation * Vec3d::UnitZ()).norm(), 1e-6);
    EXPECT_LT((frame.left - rotation * Vec3d::UnitX()).norm(), 1e-6);
    EXPECT_LT((frame.up - Vec3d::UnitY()).norm(), 1e-6);
  }
}

TEST(JointLimits, BendTheWayBodiesDo) {
  const Skeleton figure = with_random_axes(test::standing_figure(), 3);
  const double bend = 60 * degrees;
  for (const std::string side : {"Left", "Right"}) {
    const Vec3d flexed(bend, 0, 0);
    EXPECT_LT(moved(figure, side + "Leg", flexed, side + "Foot").z(), -0.3) << "knees bend backwards";
    EXPECT_GT(moved(figure, side + "UpLeg", flexed, side + "Leg").z(), 0.3) << "thighs lift forwards";
    EXPECT_GT(moved(figure, side + "ForeArm", flexed, side + "Hand").z(), 0.2) << "elbows bend forwards";
    EXPECT_GT(moved(figure, side + "Arm", flexed, side + "Hand").z(), 0.3) << "arms swing forwards";
    EXPECT_LT(moved(figure, side + "Hand", flexed, side + "HandMiddle1").y(), 1.4) << "hands close downwards";
  }
  EXPECT_GT(moved(figure, "Spine", {bend, 0, 0}, "Head").z(), 0.3) << "the spine bows forwards";
  EXPECT_GT(moved(figure, "Neck", {bend, 0, 0}, "Head").z(), 0.05);
}

TEST(JointLimits, RangesAreAnatomical) {
  const Skeleton figure = test::standing_figure();
  const JointLimits limits = default_joint_limits(figure);
  const auto limit = [&](const char* name) { return limits[find_joint(figure, name)]; };
  for (const JointLimit& one : limits) {
    EXPECT_LT((one.axes * one.axes.transpose() - Mat3d::Identity()).norm(), 1e-9);
    EXPECT_NEAR(one.axes.determinant(), 1.0, 1e-9);
    EXPECT_TRUE((one.low.array() <= 0).all() && (one.high.array() >= 0).all());
  }
  // A straight knee cannot bend forwards by more than what it is bent already (a few degrees here).
  EXPECT_GT(limit("LeftLeg").low.x(), -8 * degrees);
  EXPECT_GT(limit("LeftLeg").high.x(), 100 * degrees);
  // Arms held out come down by 75° and go up by 70°, on both sides.
  for (const char* arm : {"LeftArm", "RightArm"}) {
    const double down = std::max(-limit(arm).low.y(), limit(arm).high.y());
    const double up = std::min(-limit(arm).low.y(), limit(arm).high.y());
    EXPECT_NEAR(down / degrees, 75, 1);
    EXPECT_NEAR(up / degrees, 70, 1);
  }
  EXPECT_EQ(limit("LeftToe_End").high, Vec3d::Zero());
  EXPECT_TRUE(limit("Hips").carries_body);
}

TEST(JointLimits, ABentKneeBendsFurtherInItsOwnPlane) {
  Skeleton figure = test::standing_figure();
  // A hind leg: thigh forwards, shin backwards.
  figure.rest[find_joint(figure, "LeftLeg")].translation() = Vec3d(0.1, 0.55, 0.25);
  figure.rest[find_joint(figure, "LeftFoot")].translation() = Vec3d(0.1, 0.2, -0.2);
  const JointLimit limit = default_joint_limits(figure)[find_joint(figure, "LeftLeg")];
  EXPECT_LT(limit.low.x(), -60 * degrees);
  EXPECT_GT(limit.axes.col(0).x(), 0.99);
}

TEST(JointAngles, AreTheInverseOfJointRotation) {
  const Skeleton figure = with_random_axes(test::standing_figure(), 4);
  const JointLimits limits = default_joint_limits(figure);
  const Pose rest = rest_pose(figure);
  Random random(5);
  for (int joint = 0; joint < figure.joint_count(); ++joint) {
    const Vec3d angles(random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-3, 3));
    const Quatd rotation = joint_rotation(rest[joint].rotation, angles, limits[joint]);
    EXPECT_LT((joint_angles(rest[joint].rotation, rotation, limits[joint]) - angles).norm(), 1e-9);
  }
}

TEST(RandomPose, StaysWithinTheLimitsAndUsesThem) {
  const Skeleton figure = with_random_axes(test::standing_figure(), 6);
  const JointLimits limits = default_joint_limits(figure);
  const Pose rest = rest_pose(figure);
  Random random(7);
  double widest_knee = 0;
  for (int i = 0; i < 200; ++i) {
    const Pose pose = random_pose(figure, limits, random);
    for (int joint = 0; joint < figure.joint_count(); ++joint) {
      const Vec3d angles = joint_angles(rest[joint].rotation, pose[joint].rotation, limits[joint]);
      ASSERT_TRUE(((angles - limits[joint].low).array() > -1e-9).all()) << figure.names[joint];
      ASSERT_TRUE(((limits[joint].high - angles).array() > -1e-9).all()) << figure.names[joint];
      EXPECT_EQ(pose[joint].translation, rest[joint].translation);
    }
    const int knee = find_joint(figure, "LeftLeg");
    widest_knee = std::max(widest_knee, joint_angles(rest[knee].rotation, pose[knee].rotation, limits[knee]).x());
    // What is within stays as it is.
    const Pose clamped = clamp_pose(figure, pose, limits);
    for (int joint = 0; joint < figure.joint_count(); ++joint) {
      EXPECT_LT(clamped[joint].rotation.angularDistance(pose[joint].rotation), 1e-6);
    }
  }
  EXPECT_GT(widest_knee, 100 * degrees);
}

TEST(ClampPose, BringsWildPosesBack) {
  const Skeleton figure = test::standing_figure();
  const JointLimits limits = default_joint_limits(figure);
  const Pose rest = rest_pose(figure);
  Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Pose wild = random_pose_normal(figure, 90, random);
    const Pose clamped = clamp_pose(figure, wild, limits);
    for (int joint = 0; joint < figure.joint_count(); ++joint) {
      if (limits[joint].carries_body) continue;
      const Vec3d angles = joint_angles(rest[joint].rotation, clamped[joint].rotation, limits[joint]);
      ASSERT_TRUE(((angles - limits[joint].low).array() > -1e-6).all()) << figure.names[joint];
      ASSERT_TRUE(((limits[joint].high - angles).array() > -1e-6).all()) << figure.names[joint];
    }
  }
  EXPECT_THROW(clamp_pose(figure, {}, limits), Error);
  EXPECT_THROW(random_pose(figure, {}, random), Error);
}

TEST(RandomPoseNormal, HasTheAskedSpread) {
  const Skeleton figure = test::standing_figure();
  const Pose rest = rest_pose(figure);
  Random random(9);
  double squares = 0;
  int count = 0;
  for (int i = 0; i < 400; ++i) {
    const Pose pose = random_pose_normal(figure, 20, random);
    EXPECT_EQ(pose[0].rotation.coeffs(), rest[0].rotation.coeffs());
    for (int joint = 1; joint < figure.joint_count(); ++joint) {
      if (figure.kinds[joint] != JointKind::joint) continue;
      const double angle = rest[joint].rotation.angularDistance(pose[joint].rotation);
      squares += angle * angle;
      ++count;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / count) / degrees, 20, 0.5);
}

TEST(JointLimits, UnknownJointsGetACone) {
  Skeleton s;
  const int a = add_joint(s, "gizmo", -1, test::place(0, 0, 0));
  add_joint(s, "thing", a, test::place(0, 1, 0));
  const JointLimits limits = default_joint_limits(s);
  EXPECT_NEAR(limits[1].high.x() / degrees, 25, 1e-9);
  EXPECT_TRUE(default_joint_limits(Skeleton{}).empty());
}

}  // namespace
}  // namespace sinew
