// Hands on the own body, and what is measured of a motion.
#include "sinew/retarget/body_contacts.h"

#include <gtest/gtest.h>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/retarget/motion_quality.h"
#include "tests/retarget/walking.h"

namespace sinew {
namespace {

using test::retargeted;
using test::standing_figure;

Pose reaching(const Skeleton& skeleton, const Vec3d& left, const Vec3d& right) {
  Pose pose = rest_pose(skeleton);
  for (const std::string side : {"Left", "Right"}) {
    const Limb arm{find_joint(skeleton, side + "Arm"), find_joint(skeleton, side + "ForeArm"),
                   find_joint(skeleton, side + "Hand")};
    // Hands point forwards.
    const Quatd turn(Eigen::AngleAxisd(side == "Left" ? -std::numbers::pi / 2 : std::numbers::pi / 2, Vec3d::UnitY()));
    reach_with_limb(skeleton, arm, side == "Left" ? left : right, turn, -Vec3d::UnitZ(), pose);
  }
  return pose;
}

// Hands meet in front of the chest four times a second.
Motion claps(const Skeleton& skeleton) {
  Motion motion{"clap", 30, skeleton.joint_count(), {}};
  for (int f = 0; f < 60; ++f) {
    const double apart = 0.04 + 0.15 * (1 - std::cos(2 * std::numbers::pi * f / 15.0));
    const Pose pose = reaching(skeleton, {apart, 1.3, 0.35}, {-apart, 1.3, 0.35});
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  return motion;
}

Motion still(const Skeleton& skeleton, const Pose& pose, int frames = 10) {
  Motion motion{"still", 30, skeleton.joint_count(), {}};
  for (int f = 0; f < frames; ++f) motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  return motion;
}

Skeleton with_arms(Skeleton skeleton, double shoulders, double length) {
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    double& x = skeleton.rest[joint].translation().x();
    const double side = x > 0 ? 1 : -1;
    if (std::abs(x) > 0.15) x = side * (0.18 * shoulders + length * (std::abs(x) - 0.18));
  }
  return skeleton;
}

std::array<Vec3d, 2> palms(const Skeleton& skeleton, const Pose& pose) {
  const auto joints = identify_joints_anyhow(skeleton);
  const BodyVolume shape = body_volume(skeleton, joints, {});
  const auto global = global_transforms(skeleton, pose);
  return {palm_of(skeleton, joints, shape.arms[0], global), palm_of(skeleton, joints, shape.arms[1], global)};
}

TEST(BodyContacts, AClapClapsOnOtherArms) {
  const Skeleton source = standing_figure();
  const Motion motion = claps(source);
  for (const auto& [shoulders, length] : {std::pair{1.6, 1.0}, std::pair{1.0, 1.3}, std::pair{1.3, 0.9}}) {
    const Skeleton target = with_arms(source, shoulders, length);
    RetargetReport report;
    const Motion result = retargeted(source, motion, target, report);
    const Motion plain = retargeted(source, motion, target, report, {.keep_contacts = false});
    const auto distance = [](const Skeleton& body, const Motion& played, int frame) {
      const auto [left, right] = palms(body, frame_pose(played, frame));
      return (left - right).norm();
    };
    double worst = 0, worst_plain = 0;
    for (const int frame : {0, 15, 30, 45}) {
      worst = std::max(worst, std::abs(distance(target, result, frame) - distance(source, motion, frame)));
      worst_plain = std::max(worst_plain, std::abs(distance(target, plain, frame) - distance(source, motion, frame)));
    }
    EXPECT_LT(worst, 0.016) << shoulders << ' ' << length;  // 1 % of the height
    EXPECT_GT(worst_plain, 2 * worst);
    // Smooth: no hand moves more in a frame than it does in the source, and a little.
    for (int f = 1; f < 60; ++f) {
      const double step =
          (palms(target, frame_pose(result, f))[0] - palms(target, frame_pose(result, f - 1))[0]).norm();
      EXPECT_LT(step, 0.2);
    }
  }
}

TEST(BodyContacts, AHandOnTheHipStaysOnTheHip) {
  const Skeleton source = standing_figure();
  const Pose pose = reaching(source, {0.16, 1.05, -0.05}, {-0.16, 1.05, -0.05});
  const Motion motion = still(source, pose);
  const auto joints = identify_joints_anyhow(source);
  const BodyFrame frame = body_frame(source, joints);
  const Skeleton target = with_arms(source, 1.5, 1.2);
  RetargetReport report;
  const Motion result = retargeted(source, motion, target, report);
  const BodyVolume from = body_volume(source, joints, {}), to = body_volume(target, identify_joints_anyhow(target), {});
  ASSERT_FALSE(from.parts.empty());
  const auto place = [&](const Skeleton& body, const BodyVolume& shape, const Pose& posed) {
    return coordinates_of(palms(body, posed)[0], shape.parts[0],
                          place_part(shape.parts[0], skinning_transforms(body, posed), frame));
  };
  const PartCoordinates was = place(source, from, pose), is = place(target, to, frame_pose(result, 5));
  EXPECT_LT(was.distance(), 1.4);
  EXPECT_NEAR(is.distance(), was.distance(), 0.15);
  EXPECT_NEAR(is.along, was.along, 0.05);
}

// Arms that hang beside a thin body would hang inside a wide one.
TEST(BodyContacts, HandsStayOutsideOfAWiderBody) {
  const Skeleton source = standing_figure();
  const Motion motion = still(source, reaching(source, {0.19, 0.95, 0}, {-0.19, 0.95, 0}));
  const auto joints = identify_joints_anyhow(source);
  const BodyVolume shape = body_volume(source, joints, {});
  BodyGirths wide;
  wide.trunk_width = 1.6 * shape.parts[0].width;
  wide.trunk_depth = 1.6 * shape.parts[0].depth;
  RetargetReport thin, fat;
  Skeleton target = source;
  target.rest[find_joint(source, "Head")].linear() = Eigen::AngleAxisd(0.01, Vec3d::UnitX()).toRotationMatrix();
  const JointMap map = map_joints(source, target);
  retarget_motion({source}, motion, target, map, {}, thin);
  const Motion result = retarget_motion({source}, motion, target, map, {}, fat, {}, {{}, wide});
  EXPECT_LT(thin.self_penetration, 1e-6);
  EXPECT_GT(std::abs(palms(target, frame_pose(result, 3))[0].x()),
            std::abs(palms(source, frame_pose(motion, 3))[0].x()));
  RetargetReport plain;
  retarget_motion({source}, motion, target, map, {.keep_contacts = false}, plain, {}, {{}, wide});
  EXPECT_GT(plain.self_penetration, 1.5 * fat.self_penetration);
}

TEST(MotionQuality, SeesSlideFloorTwistAndHandsInTheBody) {
  const Skeleton skeleton = standing_figure();
  const Motion motion = test::walk(skeleton, 90);
  const MotionQuality good = motion_quality(skeleton, motion, {});
  EXPECT_GT(good.contacts, 2);
  EXPECT_LT(good.worst_slide, 0.02);
  EXPECT_NEAR(good.floor_median, 0, 0.005);
  EXPECT_NEAR(good.seconds, 89 / 30.0, 1e-9);
  Motion sunk = motion;
  for (int f = 0; f < 90; ++f) sunk.transforms[f * skeleton.joint_count()].translation.y() -= 0.04;
  EXPECT_LT(motion_quality(skeleton, sunk, {}).floor_median, -0.02);
  Motion elsewhere = motion;  // a file whose floor is elsewhere
  for (int f = 0; f < 90; ++f) elsewhere.transforms[f * skeleton.joint_count()].translation.y() += 3;
  EXPECT_NEAR(motion_quality(skeleton, elsewhere, {}).floor_median, 0, 0.01);
  Pose pose = rest_pose(skeleton);
  pose[find_joint(skeleton, "LeftForeArm")].rotation = Quatd(Eigen::AngleAxisd(2.5, Vec3d::UnitX()));
  EXPECT_NEAR(motion_quality(skeleton, still(skeleton, pose), {}).twist, 2.5 * 180 / std::numbers::pi, 1);
  const MotionQuality inside =
      motion_quality(skeleton, still(skeleton, reaching(skeleton, {0.02, 1.2, 0}, {-0.3, 1.2, 0.3})), {});
  EXPECT_GT(inside.self_penetration, 0.02);
  EXPECT_EQ(motion_quality(skeleton, still(skeleton, rest_pose(skeleton)), {}).self_penetration, 0);
}

}  // namespace
}  // namespace sinew
