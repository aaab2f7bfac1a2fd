// Skeletons that are not made like the motion's, and clips whose rest pose is none.
#include <gtest/gtest.h>

#include "sinew/retarget/clip_rest_pose.h"
#include "sinew/retarget/foot_contacts.h"
#include "sinew/retarget/retarget_coverage.h"
#include "tests/retarget/walking.h"

namespace sinew {
namespace {

using test::longer_legs;
using test::retargeted;
using test::standing_figure;
using test::walk;

// Legs that hang beside the hips, on a root that stays, walk with the body.
TEST(Retarget, LegsBesideTheHipsComeAlong) {
  const Skeleton source = standing_figure();
  Skeleton target;
  const int root = add_joint(target, "Root", -1, test::place(0, 0, 0));
  for (int joint = 0; joint < source.joint_count(); ++joint) {
    const std::string& name = source.names[joint];
    const bool loose = name == "Hips" || name == "LeftUpLeg" || name == "RightUpLeg";
    const int parent = loose ? root : find_joint(target, source.names[source.parents[joint]]);
    add_joint(target, name, parent, source.rest[joint], source.kinds[joint]);
  }
  const Motion motion = walk(source);
  RetargetReport report, plain;
  const auto loose = joint_positions(target, retargeted(source, motion, target, report));
  Skeleton turned = source;  // not the very same, so that it is retargeted
  turned.rest[find_joint(source, "Head")].linear() = Eigen::AngleAxisd(0.01, Vec3d::UnitX()).toRotationMatrix();
  const auto whole = joint_positions(turned, retargeted(source, motion, turned, plain));
  for (std::size_t f = 0; f < loose.size(); ++f) {
    for (int joint = 0; joint < source.joint_count(); ++joint) {
      const int own = find_joint(target, source.names[joint]);
      ASSERT_LT((loose[f][own] - whole[f][joint]).norm(), 1e-6) << f << ' ' << source.names[joint];
    }
  }
  EXPECT_LT(report.direction_error, 3);
  EXPECT_LT(report.worst_slide, 0.01);
}

// A limb in two halves, and a copy of each bone beside it, as Rigify makes them.
TEST(Retarget, SplitAndCopiedLimbsFollow) {
  const Skeleton source = standing_figure();
  Skeleton target = source;
  for (const std::string side : {"Left", "Right"}) {
    const Vec3d arm = source.position(find_joint(source, side + "Arm")),
                elbow = source.position(find_joint(source, side + "ForeArm"));
    add_joint(target, "ORG-" + side + "UpperArm", find_joint(target, side + "Shoulder"),
              source.rest[find_joint(source, side + "Arm")]);
    const int copy = find_joint(target, "ORG-" + side + "UpperArm");
    const Vec3d middle = 0.5 * (arm + elbow);
    add_joint(target, "ORG-" + side + "UpperArm.001", copy, test::place(middle.x(), middle.y(), middle.z()));
  }
  const JointMap map = map_joints(source, target);
  for (const std::string side : {"Left", "Right"}) {
    for (const std::string name : {"UpperArm", "UpperArm.001"}) {
      EXPECT_EQ(map.links[find_joint(target, "ORG-" + side + name)].source, find_joint(source, side + "Arm")) << name;
    }
  }
}

// All joints in a row, or lying, as some programs write their BVH files: the pose is found in the motion.
TEST(Retarget, RestPosesAreRecoveredFromTheMotion) {
  const Skeleton whole = standing_figure();
  const Motion motion = walk(whole, 60);
  Skeleton row = whole;  // every bone along +y, no turn
  for (int joint = 0; joint < row.joint_count(); ++joint) {
    const int parent = row.parents[joint];
    const double length = parent < 0 ? 1.0 : (whole.position(joint) - whole.position(parent)).norm();
    row.rest[joint] = test::place(0, (parent < 0 ? 0.0 : row.position(parent).y()) + length, 0);
  }
  // The same movement in the terms of that rest pose: each joint turns its bones to where they are.
  Motion told{"told", 30, whole.joint_count(), {}};
  for (int f = 0; f < motion.frame_count(); ++f) {
    const std::vector<Affine3d> now = global_transforms(whole, frame_pose(motion, f));
    for (int joint = 0; joint < whole.joint_count(); ++joint) {
      const int parent = whole.parents[joint];
      const Affine3d above = parent < 0 ? Affine3d(Affine3d::Identity()) : now[parent];
      told.transforms.push_back(Transform::from_matrix(above.inverse() * now[joint]));
    }
  }
  EXPECT_LT(standing_error(whole), 1);
  EXPECT_GT(standing_error(row), 2);
  Skeleton target = longer_legs(whole, 1.2);
  for (std::string& name : target.names) name = "DEF-" + name;
  target.names[0] = "pelvis";
  Warnings warnings;
  const ClipRest rest = clip_rest_pose(row, {told}, Skeleton{}, {}, warnings);
  ASSERT_TRUE(rest.from_motion);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].code, "rest-pose-from-motion");
  RetargetReport report;
  const Motion result = retarget_motion(rest, told, target, map_joints(rest.skeleton, target), {}, report);
  EXPECT_LT(report.direction_error, 6);
  EXPECT_LT(report.worst_slide, 0.01);
  const auto wanted = joint_positions(whole, motion), after = joint_positions(target, result);
  for (std::size_t f = 0; f < after.size(); f += 5) {
    EXPECT_GT((after[f][find_joint(whole, "Head")] - after[f][0]).normalized().y(), 0.9) << f;
  }
  // As stored, and a frame of one's own.
  EXPECT_FALSE(clip_rest_pose(row, {told}, target, {.rest_choice = RestChoice::stored}, warnings).from_motion);
  EXPECT_TRUE(
      clip_rest_pose(row, {told}, target, {.rest_choice = RestChoice::frame, .rest_frame = 3}, warnings).from_motion);
  EXPECT_THROW(clip_rest_pose(row, {told}, target, {.rest_choice = RestChoice::frame, .rest_frame = 60}, warnings),
               Error);
}

// A person who stands on the hands: they stay above the floor.
TEST(Retarget, HandsDoNotGoThroughTheFloor) {
  const Skeleton source = standing_figure();
  Motion motion{"push-up", 30, source.joint_count(), {}};
  for (int f = 0; f < 90; ++f) {
    Pose pose = rest_pose(source);
    const double dip = 0.1 * (1 - std::cos(2 * std::numbers::pi * f / 45.0));
    pose[0].rotation = Quatd(Eigen::AngleAxisd(1.25, Vec3d::UnitX()));
    pose[0].translation = Vec3d(0, 0.45 - 0.5 * dip, 0);
    for (const std::string side : {"Left", "Right"}) {
      const double x = side == "Left" ? 1 : -1;
      const Limb arm{find_joint(source, side + "Arm"), find_joint(source, side + "ForeArm"),
                     find_joint(source, side + "Hand")};
      reach_with_limb(source, arm, Vec3d(0.25 * x, 0.03, 0.45), Quatd::Identity(), -Vec3d::UnitZ(), pose);
      const Limb leg{find_joint(source, side + "UpLeg"), find_joint(source, side + "Leg"),
                     find_joint(source, side + "Foot")};
      reach_with_limb(source, leg, Vec3d(0.1 * x, 0.1, -0.85), Quatd::Identity(), Vec3d::UnitZ(), pose);
    }
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  Skeleton target = source;  // longer arms
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    Vec3d place = target.position(joint);
    if (std::abs(place.x()) > 0.19) place.x() += (place.x() > 0 ? 0.5 : -0.5) * (std::abs(place.x()) - 0.18);
    target.rest[joint].translation() = place;
  }
  RetargetReport report;
  const Motion result = retargeted(source, motion, target, report);
  EXPECT_GE(report.contacts, 4);
  EXPECT_LT(report.worst_slide, 0.02);
  for (const auto& frame : joint_positions(target, result)) {
    for (const std::string side : {"Left", "Right"}) {
      EXPECT_GT(frame[find_joint(target, side + "Hand")].y(), 0.0);
      EXPECT_LT(frame[find_joint(target, side + "Hand")].y(), 0.2);
    }
  }
}

// A walk for a person is no motion for a spider, nor for a dog; whoever wants it says so in a map.
TEST(Retarget, OtherKindsOfBodiesAreRefused) {
  const Skeleton person = standing_figure();
  Skeleton spider;
  const int body = add_joint(spider, "Body", -1, test::place(0, 0.3, 0));
  add_joint(spider, "Head", body, test::place(0, 0.3, 0.2));
  for (const double x : {1.0, -1.0}) {
    for (int leg = 0; leg < 4; ++leg) {
      const std::string name = "Limb" + std::to_string(leg) + (x > 0 ? ".L" : ".R");
      const int first = add_joint(spider, name, body, test::place(0.1 * x, 0.3, 0.1 * leg - 0.15));
      add_joint(spider, name + ".001", first, test::place(0.3 * x, 0.4, 0.1 * leg - 0.15));
    }
  }
  EXPECT_THROW(require_coverage(map_joints(person, spider), person, spider), Error);
  EXPECT_LT(mapped_share(map_joints(person, spider), person, spider), 0.3);

  Skeleton dog;
  const int hips = add_joint(dog, "Hips", -1, test::place(0, 0.6, -0.4));
  const int chest = add_joint(dog, "Chest", hips, test::place(0, 0.6, 0.3));
  add_joint(dog, "Head", chest, test::place(0, 0.8, 0.6));
  for (const double x : {0.1, -0.1}) {
    const std::string side = x > 0 ? "Left" : "Right";
    const int thigh = add_joint(dog, side + "UpLeg", hips, test::place(x, 0.55, -0.4));
    const int shin = add_joint(dog, side + "Leg", thigh, test::place(x, 0.3, -0.35));
    add_joint(dog, side + "Foot", shin, test::place(x, 0.05, -0.4));
    const int arm = add_joint(dog, side + "Arm", chest, test::place(x, 0.55, 0.3));
    const int forearm = add_joint(dog, side + "ForeArm", arm, test::place(x, 0.3, 0.25));
    add_joint(dog, side + "Hand", forearm, test::place(x, 0.05, 0.3));
  }
  EXPECT_THROW(require_coverage(map_joints(person, dog), person, dog), Error);
  EXPECT_THROW(require_coverage(map_joints(dog, person), dog, person), Error);
  EXPECT_NO_THROW(require_coverage(map_joints(person, person), person, person));
  for (const RetargetPart& part : body_parts(map_joints(person, person), person, person)) {
    EXPECT_GE(part.source, 0) << part.name;
  }
}

// A pose on one leg: in a single frame every foot is as low as it ever is.
TEST(Retarget, ARaisedFootOfASinglePoseStaysInTheAir) {
  const Skeleton source = standing_figure();
  Pose pose = rest_pose(source);
  const Limb leg{find_joint(source, "LeftUpLeg"), find_joint(source, "LeftLeg"), find_joint(source, "LeftFoot")};
  reach_with_limb(source, leg, Vec3d(0.1, 0.5, 0.4), Quatd::Identity(), Vec3d::UnitZ(), pose);
  Motion motion{"pose", 30, source.joint_count(), {}};
  motion.transforms.assign(pose.begin(), pose.end());
  RetargetReport report;
  const Skeleton target = longer_legs(source, 1.2);
  const auto after = joint_positions(target, retargeted(source, motion, target, report));
  EXPECT_GT(after[0][leg.end].y(), 0.5);
  EXPECT_NEAR(after[0][find_joint(source, "RightFoot")].y(), target.position(find_joint(source, "RightFoot")).y(),
              0.01);
  EXPECT_LT(report.direction_error, 2);
}

// A snake's joints all follow something of a person, in a row; none of them is a limb.
TEST(Retarget, ABodyWithoutLimbsIsRefusedAPersonsMotion) {
  const Skeleton person = standing_figure();
  Skeleton snake;
  int parent = add_joint(snake, "Hips", -1, test::place(0, 0.1, 0));
  for (const char* name : {"Spine", "Chest", "Neck", "Head"}) {
    parent = add_joint(snake, name, parent, test::place(0, 0.1, 0.2 * (snake.joint_count() + 1)));
  }
  EXPECT_THROW(require_coverage(map_joints(person, snake), person, snake), Error);
}

// A frame of a T pose on longer or shorter legs: they stay straight, and the feet on the floor.
TEST(Retarget, ATPoseFrameDoesNotCrouch) {
  const Skeleton source = standing_figure();
  Motion motion{"still", 30, source.joint_count(), {}};
  const Pose rest = rest_pose(source);
  for (int f = 0; f < 20; ++f) motion.transforms.insert(motion.transforms.end(), rest.begin(), rest.end());
  for (const double factor : {0.6, 0.9, 1.1, 1.5}) {
    Skeleton target = longer_legs(source, factor);
    target.rest[find_joint(target, "LeftLeg")].translation().z() = 0.01 * factor;
    RetargetReport report;
    const Motion result = retargeted(source, motion, target, report);
    const auto frame = joint_positions(target, result)[10];
    for (const std::string side : {"Left", "Right"}) {
      const int hip = find_joint(target, side + "UpLeg"), foot = find_joint(target, side + "Foot");
      const double now = (frame[hip] - frame[foot]).norm(), was = (target.position(hip) - target.position(foot)).norm();
      EXPECT_NEAR(now / was, 1, 0.003) << factor;
      EXPECT_NEAR(frame[foot].y(), target.position(foot).y(), 0.003) << factor;
    }
  }
}

// Feet are as far above the floor as at rest while they walk, whatever the legs.
TEST(Retarget, FeetDoNotSinkInAWalk) {
  const Skeleton source = standing_figure();
  const Motion motion = walk(source);
  for (const double factor : {0.6, 0.9, 1.1, 1.5}) {
    RetargetReport report;
    retargeted(source, motion, longer_legs(source, factor), report);
    EXPECT_LT(std::abs(report.floor_median), 0.005) << factor;
    EXPECT_GT(report.floor_deepest, -0.015) << factor;
    EXPECT_LT(report.worst_slide, 0.01) << factor;
    EXPECT_LT(report.direction_error, 5) << factor;
  }
}

// Captured toes turn about anything; those of the result bend, and no further than toes do.
TEST(Retarget, ToesDoNotCopyNoise) {
  const Skeleton source = standing_figure();
  Motion motion = walk(source);
  Random random(3);
  for (int f = 0; f < motion.frame_count(); ++f) {
    for (const char* name : {"LeftToeBase", "RightToeBase"}) {
      const auto at = static_cast<std::size_t>(f) * motion.joint_count + find_joint(source, name);
      const Vec3d axis(random.normal(), random.normal(), random.normal());
      motion.transforms[at].rotation = Quatd(Eigen::AngleAxisd(random.uniform(-0.9, 0.9), axis.normalized()));
    }
  }
  const Skeleton target = longer_legs(source, 1.2);
  RetargetReport report;
  const Motion result = retargeted(source, motion, target, report);
  for (int f = 0; f < result.frame_count(); ++f) {
    for (const char* name : {"LeftToeBase", "RightToeBase"}) {
      const Quatd turn = frame_pose(result, f)[find_joint(target, name)].rotation;
      const Vec3d axis = turn.w() < 0 ? Vec3d(-turn.vec()) : Vec3d(turn.vec());
      EXPECT_LT(std::abs(axis.y()) + std::abs(axis.z()), 0.03) << f;  // about the ball of the foot alone
      EXPECT_LT(2 * std::asin(std::min(1.0, axis.norm())), 75 * std::numbers::pi / 180) << f;
    }
  }
}

// A skeleton fitted anew lies a little elsewhere in the same body: its own clips come back nearly as they were, and no
// leg is pulled straight.
TEST(Retarget, OwnClipsOnARefittedSkeletonDoNotOverreach) {
  const Skeleton source = standing_figure();
  const Motion motion = walk(source);
  Random random(5);
  for (int trial = 0; trial < 5; ++trial) {
    Skeleton target = source;
    for (Affine3d& rest : target.rest) {
      for (int k = 0; k < 3; ++k) rest.translation()[k] += 0.02 * (2 * random.uniform(0, 1) - 1);
    }
    RetargetReport report;
    const Motion result = retargeted(source, motion, target, report);
    EXPECT_LT(report.worst_slide, 0.01) << trial;
    EXPECT_LT(report.direction_error, 5) << trial;
    const auto before = joint_positions(source, motion), after = joint_positions(target, result);
    for (const std::string side : {"Left", "Right"}) {
      const int hip = find_joint(source, side + "UpLeg"), knee = find_joint(source, side + "Leg"),
                foot = find_joint(source, side + "Foot");
      const auto stretch = [&](const std::vector<Vec3d>& p) {
        return (p[hip] - p[foot]).norm() / ((p[hip] - p[knee]).norm() + (p[knee] - p[foot]).norm());
      };
      double change = 0;
      for (std::size_t f = 0; f < before.size(); ++f)
        change += std::abs(stretch(after[f]) - stretch(before[f])) / static_cast<double>(before.size());
      EXPECT_LT(change, 0.02) << trial << side;
    }
  }
}

}  // namespace
}  // namespace sinew
