#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/retarget/clip_rest_pose.h"
#include "sinew/retarget/foot_contacts.h"
#include "sinew/retarget/retarget_motion.h"
#include "sinew/rig/ik.h"
#include "tests/retarget/walking.h"

namespace sinew {
namespace {

using test::longer_legs;
using test::retargeted;
using test::reworked;
using test::standing_figure;
using test::walk;

constexpr double pi = std::numbers::pi;

TEST(Retarget, SameSkeletonGivesSameMotion) {
  const Skeleton skeleton = standing_figure();
  const Motion motion = walk(skeleton);
  RetargetReport report;
  Random random(4);  // other joint axes: otherwise nothing would be retargeted
  const Skeleton other = reworked(skeleton, Affine3d::Identity(), &random);
  const Motion result = retargeted(skeleton, motion, other, report, {.keep_contacts = false});
  EXPECT_EQ(report.scale, 1.0);
  const auto before = joint_positions(skeleton, motion), after = joint_positions(other, result);
  const Vec3d offset = after[0][0] - before[0][0];  // the path begins where the target stands at rest
  for (std::size_t f = 0; f < before.size(); ++f) {
    for (std::size_t j = 0; j < before[f].size(); ++j) {
      ASSERT_LT((after[f][j] - before[f][j] - offset).norm(), 1e-9) << f << ' ' << skeleton.names[j];
    }
  }
}

// With everything on, too: what is the skeleton's own comes back as it was, places on the ground included.
TEST(Retarget, OwnMotionComesBackExactly) {
  const Skeleton skeleton = standing_figure();
  Motion motion = walk(skeleton);
  for (Transform& local : motion.transforms) local.translation *= 1.01;  // bones that stretch
  RetargetReport report;
  const Motion result = retargeted(skeleton, motion, skeleton, report);
  const auto before = joint_positions(skeleton, motion), after = joint_positions(skeleton, result);
  for (std::size_t f = 0; f < before.size(); ++f) {
    for (std::size_t j = 0; j < before[f].size(); ++j) ASSERT_LT((after[f][j] - before[f][j]).norm(), 1e-4);
  }
}

// Another unit, Z up, facing −y, other joint axes: the same movement in the other space.
TEST(Retarget, AxesUnitsAndUpDoNotMatter) {
  const Skeleton source = standing_figure();
  const Motion motion = walk(source, 40);
  Affine3d change = Affine3d::Identity();
  change.linear() = 100 * Eigen::AngleAxisd(pi / 2, Vec3d::UnitX()).toRotationMatrix();
  Random random(3);
  const Skeleton target = reworked(source, change, &random);
  RetargetReport report;
  const Motion result = retargeted(source, motion, target, report, {.keep_contacts = false});
  EXPECT_NEAR(report.scale, 100, 1e-6);
  const auto before = joint_positions(source, motion), after = joint_positions(target, result);
  for (std::size_t f = 0; f < before.size(); ++f) {
    for (std::size_t j = 0; j < before[f].size(); ++j) {
      const Vec3d a = change.linear() * (before[f][j] - before[f][0]), b = after[f][j] - after[f][0];
      ASSERT_LT((a - b).norm(), 1e-6) << f << ' ' << source.names[j];
    }
    ASSERT_LT((change.linear() * (before[f][0] - before[0][0]) - (after[f][0] - after[0][0])).norm(), 1e-6);
  }
}

// A figure bound with hanging arms plays the motion of one bound in a T pose: bones point the same way.
TEST(Retarget, RestPosesOfArmsAreAligned) {
  const Skeleton source = standing_figure();
  Pose hanging = rest_pose(source);
  for (const auto& [name, angle] : {std::pair{"LeftArm", -0.8}, std::pair{"RightArm", 0.8}}) {
    hanging[find_joint(source, name)].rotation = Quatd(Eigen::AngleAxisd(angle, Vec3d::UnitZ()));
  }
  Skeleton target = source;
  target.rest = global_transforms(source, hanging);
  const Motion motion = walk(source, 30);
  RetargetReport report;
  const Motion result = retargeted(source, motion, target, report, {.keep_contacts = false});
  const auto before = joint_positions(source, motion), after = joint_positions(target, result);
  for (std::size_t f = 0; f < before.size(); ++f) {
    for (const std::string side : {"Left", "Right"}) {
      const int arm = find_joint(source, side + "Arm"), hand = find_joint(source, side + "Hand");
      ASSERT_LT(((after[f][hand] - after[f][arm]) - (before[f][hand] - before[f][arm])).norm(), 1e-9);
    }
  }
}

TEST(Retarget, FeetStandWithoutSliding) {
  const Skeleton source = standing_figure();
  const Motion motion = walk(source);
  for (const double factor : {0.6, 1.0, 1.7}) {
    const Skeleton target = longer_legs(source, factor);
    RetargetReport report;
    const Motion result = retargeted(source, motion, target, report);
    EXPECT_GE(report.contacts, 6) << factor;
    EXPECT_LT(report.worst_slide, 0.01) << factor;
    // Nothing below the floor.
    for (const auto& frame : joint_positions(target, result)) {
      for (const Vec3d& p : frame) ASSERT_GT(p.y(), 0.02 * factor - 0.02) << factor;
    }
  }
}

TEST(Retarget, ContactsAreWhereTheFootStands) {
  const Skeleton skeleton = standing_figure();
  const Motion motion = walk(skeleton);
  const std::vector<Leg> legs = legs_of(skeleton, identify_joints(skeleton));
  ASSERT_EQ(legs.size(), 2u);
  const auto positions = joint_positions(skeleton, motion);
  int standing = 0;
  for (const FootContact& contact : find_contacts(skeleton, positions, 30, legs, Vec3d::UnitY())) {
    if (contact.toe) continue;
    ++standing;
    EXPECT_LT(contact_slide(positions, contact, legs, Vec3d::UnitY()), 0.03);
    EXPECT_GE(contact.end - contact.begin, 20);
  }
  EXPECT_EQ(standing, 4);
}

// Nobody knows these names: the shape of the skeleton has to do.
TEST(Retarget, StructureReplacesNames) {
  const Skeleton source = standing_figure();
  Skeleton target = source;
  for (int joint = 0; joint < target.joint_count(); ++joint) target.names[joint] = "x" + std::to_string(joint);
  const JointMap map = map_joints(source, target);
  for (const std::string name :
       {"Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot", "LeftArm", "LeftForeArm",
        "LeftHand", "RightArm", "RightForeArm", "RightHand", "Head"}) {
    const int joint = find_joint(source, name);
    EXPECT_EQ(map.links[joint].source, joint) << name;
    EXPECT_EQ(map.links[joint].reason, MapReason::structure) << name;
  }
}

// Turned round: left stays left.
TEST(Retarget, StructureFindsTheFront) {
  const Skeleton source = standing_figure();
  Affine3d turn = Affine3d::Identity();
  turn.linear() = Eigen::AngleAxisd(pi, Vec3d::UnitY()).toRotationMatrix();
  Skeleton target = reworked(source, turn);
  for (std::string& name : target.names) name = "n" + name.substr(name.size() - 1) + std::to_string(name.size());
  const std::vector<JointIdentity> joints = identify_joints_by_structure(target);
  EXPECT_EQ(joints[find_joint(source, "LeftUpLeg")].side, BodySide::left);
  EXPECT_EQ(joints[find_joint(source, "RightHand")].side, BodySide::right);
}

// A spine of five joints plays one of two: the bend is shared out and its sum is the same.
TEST(Retarget, MoreSpineJointsShareTheBend) {
  const Skeleton source = standing_figure();
  Skeleton target;
  const int hips = add_joint(target, "Hips", -1, test::place(0, 1, 0));
  int spine = hips;
  for (int i = 0; i < 5; ++i)
    spine = add_joint(target, "Spine" + std::to_string(i), spine, test::place(0, 1.1 + 0.07 * i, 0));
  add_joint(target, "Neck", spine, test::place(0, 1.5, 0));
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int thigh = add_joint(target, name + "UpLeg", hips, test::place(side * 0.1, 0.95, 0));
    const int shin = add_joint(target, name + "Leg", thigh, test::place(side * 0.1, 0.5, 0.01));
    add_joint(target, name + "Foot", shin, test::place(side * 0.1, 0.08, 0));
    add_joint(target, name + "Arm", spine, test::place(side * 0.2, 1.45, 0));
  }
  const JointMap map = map_joints(source, target);
  Motion motion{"bow", 30, source.joint_count(), {}};
  Pose pose = rest_pose(source);
  pose[find_joint(source, "Spine")].rotation = Quatd(Eigen::AngleAxisd(0.4, Vec3d::UnitX()));
  pose[find_joint(source, "Chest")].rotation = Quatd(Eigen::AngleAxisd(0.4, Vec3d::UnitX()));
  motion.transforms = pose;
  RetargetReport report;
  const Pose result = frame_pose(retarget_motion({source}, motion, target, map, {.keep_contacts = false}, report), 0);
  double sum = 0;
  for (int i = 0; i < 5; ++i) {
    const double angle = Eigen::AngleAxisd(result[hips + 1 + i].rotation).angle();
    EXPECT_NEAR(angle, 0.16, 1e-6) << i;
    sum += angle;
  }
  EXPECT_NEAR(sum, 0.8, 1e-6);
}

TEST(Retarget, SameBitsAtAnyThreadCount) {
  const Skeleton source = standing_figure(), target = longer_legs(source, 1.3);
  const Motion motion = walk(source);
  RetargetReport report;
  const auto run = [&] { return retargeted(source, motion, target, report); };
  const Motion one = with_threads(1, run), two = with_threads(2, run);
  for (std::size_t i = 0; i < one.transforms.size(); ++i) {
    ASSERT_EQ(one.transforms[i].rotation.coeffs(), two.transforms[i].rotation.coeffs());
    ASSERT_EQ(one.transforms[i].translation, two.transforms[i].translation);
  }
}

TEST(Retarget, WhatDoesNotFitIsRefused) {
  const Skeleton source = standing_figure();
  const Motion motion = walk(source, 3);
  RetargetReport report;
  JointMap map = map_joints(source, source);
  Motion other = motion;
  other.joint_count = 3;
  EXPECT_THROW(retarget_motion({source}, other, source, map, {}, report), Error);
  map.links[0].source = 99;
  EXPECT_THROW(retarget_motion({source}, motion, source, map, {}, report), Error);
  map.links.pop_back();
  EXPECT_THROW(retarget_motion({source}, motion, source, map, {}, report), Error);
  JointMap nothing;
  nothing.links.resize(source.names.size());
  EXPECT_THROW(retarget_motion({source}, motion, source, nothing, {}, report), Error);
}

TEST(Retarget, RestPoseOfAnotherFile) {
  const Skeleton reference = standing_figure();
  EXPECT_LT(rest_asymmetry(reference), 1e-9);
  // The clip's rest is a moment of the walk.
  Skeleton clip = reference;
  clip.rest = global_transforms(reference, frame_pose(walk(reference), 25));
  EXPECT_GT(rest_asymmetry(clip), 0.15);
  const Skeleton mended = with_rest_rotations_of(clip, reference);
  for (int joint = 0; joint < clip.joint_count(); ++joint) {
    EXPECT_LT((mended.rest[joint].linear() - reference.rest[joint].linear()).norm(), 1e-9) << clip.names[joint];
  }
}

TEST(InverseKinematics, ReachesAndKeepsLengths) {
  const Skeleton skeleton = standing_figure();
  const Limb leg{find_joint(skeleton, "LeftUpLeg"), find_joint(skeleton, "LeftLeg"), find_joint(skeleton, "LeftFoot")};
  const Vec3d root = skeleton.position(leg.root);
  const double upper = (skeleton.position(leg.middle) - root).norm();
  const double lower = (skeleton.position(leg.end) - skeleton.position(leg.middle)).norm();
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3d direction = Vec3d(random.normal(), random.normal(), random.normal()).normalized();
    const double distance = random.uniform(0.1, 1.2);
    const Vec3d target = root + distance * direction;
    Pose pose = rest_pose(skeleton);
    reach_with_limb(skeleton, leg, target, Quatd::Identity(), Vec3d::UnitZ(), pose);
    const std::vector<Affine3d> now = global_transforms(skeleton, pose);
    const Vec3d middle = now[leg.middle].translation(), end = now[leg.end].translation();
    EXPECT_NEAR((middle - root).norm(), upper, 1e-9);
    EXPECT_NEAR((end - middle).norm(), lower, 1e-9);
    const Vec3d reachable = root + std::min(distance, upper + lower) * direction;
    EXPECT_LT((end - reachable).norm(), 1e-5);
    EXPECT_LT((now[leg.end].linear() - skeleton.rest[leg.end].linear()).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace sinew
