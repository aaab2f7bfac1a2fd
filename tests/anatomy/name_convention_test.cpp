#include "sinew/name_convention.h"

#include <gtest/gtest.h>

#include <set>

#include "sinew/anatomy/joint_map.h"
#include "sinew/anatomy/joint_roles.h"
#include "sinew/base/random.h"
#include "tests/support/figure.h"

namespace sinew {
namespace {

constexpr NameConvention every_convention[] = {NameConvention::mixamo, NameConvention::unreal, NameConvention::unity,
                                               NameConvention::vrm, NameConvention::rigify};

// Roles as conventions tell them apart: the chest is the end of the spine.
std::pair<JointRole, BodySide> part_of_joint(const JointIdentity& joint) {
  return {joint.role == JointRole::chest ? JointRole::spine : joint.role, joint.side};
}

std::string named(const std::vector<std::string>& names, const Skeleton& skeleton, const std::string& joint) {
  return names[static_cast<std::size_t>(find_joint(skeleton, joint))];
}

// Every joint turned and moved at random, three frames.
Motion random_motion(const Skeleton& skeleton, std::uint64_t seed) {
  Random random(seed);
  Motion motion;
  motion.name = "random";
  motion.joint_count = skeleton.joint_count();
  for (int frame = 0; frame < 3; ++frame) {
    for (Transform local : rest_pose(skeleton)) {
      const Vec3d axis(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
      local.rotation = local.rotation * Quatd(Eigen::AngleAxisd(random.uniform(), axis.normalized()));
      local.translation += 0.1 * axis;
      motion.transforms.push_back(local);
    }
  }
  return motion;
}

// What skinning does, joint by joint.
double worst_skinning_difference(const Skeleton& a, const Motion& x, const Skeleton& b, const Motion& y) {
  double worst = 0;
  for (int frame = 0; frame < x.frame_count(); ++frame) {
    const auto first = skinning_transforms(a, frame_pose(x, frame)),
               second = skinning_transforms(b, frame_pose(y, frame));
    for (std::size_t joint = 0; joint < first.size(); ++joint) {
      worst = std::max(worst, (first[joint].matrix() - second[joint].matrix()).cwiseAbs().maxCoeff());
    }
  }
  return worst;
}

TEST(NameConvention, NamesOfEachWorld) {
  const Skeleton figure = test::standing_figure();
  const auto mixamo = names_in_convention(figure, NameConvention::mixamo);
  EXPECT_EQ(named(mixamo, figure, "Hips"), "mixamorig:Hips");
  EXPECT_EQ(named(mixamo, figure, "Chest"), "mixamorig:Spine2");
  EXPECT_EQ(named(mixamo, figure, "LeftUpLeg"), "mixamorig:LeftUpLeg");
  EXPECT_EQ(named(mixamo, figure, "RightHandPinky1"), "mixamorig:RightHandPinky1");
  EXPECT_EQ(named(mixamo, figure, "LeftToe_End"), "mixamorig:LeftToe_End");
  const auto unreal = names_in_convention(figure, NameConvention::unreal);
  EXPECT_EQ(named(unreal, figure, "Hips"), "pelvis");
  EXPECT_EQ(named(unreal, figure, "Spine"), "spine_01");
  EXPECT_EQ(named(unreal, figure, "Chest"), "spine_02");
  EXPECT_EQ(named(unreal, figure, "Neck"), "neck_01");
  EXPECT_EQ(named(unreal, figure, "RightForeArm"), "lowerarm_r");
  EXPECT_EQ(named(unreal, figure, "LeftToeBase"), "ball_l");
  EXPECT_EQ(named(unreal, figure, "LeftHandIndex1"), "index_01_l");
  const auto unity = names_in_convention(figure, NameConvention::unity);
  EXPECT_EQ(named(unity, figure, "LeftShoulder"), "LeftShoulder");
  EXPECT_EQ(named(unity, figure, "LeftArm"), "LeftUpperArm");
  EXPECT_EQ(named(unity, figure, "LeftLeg"), "LeftLowerLeg");
  EXPECT_EQ(named(unity, figure, "RightHandPinky1"), "RightLittleProximal");
  const auto vrm = names_in_convention(figure, NameConvention::vrm);
  EXPECT_EQ(named(vrm, figure, "RightLeg"), "rightLowerLeg");
  EXPECT_EQ(named(vrm, figure, "LeftEye"), "leftEye");
  const auto rigify = names_in_convention(figure, NameConvention::rigify);
  EXPECT_EQ(named(rigify, figure, "Hips"), "spine");
  EXPECT_EQ(named(rigify, figure, "Head"), "spine.006");
  EXPECT_EQ(named(rigify, figure, "LeftHandIndex1"), "f_index.01.L");
  EXPECT_EQ(names_in_convention(figure, NameConvention::keep), figure.names);
}

TEST(NameConvention, NamesAreUniqueAndRecognisedAgain) {
  Skeleton figure = test::standing_figure();
  // What no convention names: a prop, a pocket, and a joint that has a name of another one's place.
  add_joint(figure, "old:Sword", find_joint(figure, "RightHand"), test::place(-0.75, 1.4, 0));
  add_joint(figure, "Pocket", find_joint(figure, "Hips"), test::place(0.1, 0.9, 0.1));
  add_joint(figure, "Pocket", find_joint(figure, "Hips"), test::place(-0.1, 0.9, 0.1));
  const std::vector<JointIdentity> before = identify_joints(figure);
  for (const NameConvention convention : every_convention) {
    Skeleton renamed = figure;
    renamed.names = names_in_convention(figure, convention);
    EXPECT_EQ(std::set<std::string>(renamed.names.begin(), renamed.names.end()).size(), renamed.names.size());
    EXPECT_GE(find_joint(renamed, "Sword"), 0);
    EXPECT_GE(find_joint(renamed, "Pocket_2"), 0);
    const std::vector<JointIdentity> after = identify_joints(renamed);
    for (std::size_t joint = 0; joint < before.size(); ++joint) {
      EXPECT_EQ(part_of_joint(after[joint]), part_of_joint(before[joint])) << renamed.names[joint];
    }
    // Any other convention is reached from there, and the first one again.
    for (const NameConvention next : every_convention) {
      EXPECT_EQ(names_in_convention(renamed, next)[0], names_in_convention(figure, next)[0]);
    }
    EXPECT_EQ(names_in_convention(renamed, convention), renamed.names);
    const JointMap map = map_joints(figure, renamed);
    for (const char* name : {"Hips", "LeftArm", "RightLeg", "Head", "LeftFoot"}) {
      const int joint = find_joint(figure, name);
      EXPECT_EQ(map.links[static_cast<std::size_t>(joint)].source, joint) << name;
    }
  }
}

TEST(NameConvention, NothingMoves) {
  for (const NameConvention convention : every_convention) {
    Skeleton skeleton = test::standing_figure();
    // Joints of a file that stands in centimetres, turned as some exporter liked.
    for (std::size_t joint = 0; joint < skeleton.rest.size(); ++joint) {
      skeleton.rest[joint].linear() =
          0.01 *
          Quatd(Eigen::AngleAxisd(0.3 * static_cast<double>(joint), Vec3d(1, 2, 3).normalized())).toRotationMatrix();
    }
    const Skeleton before = skeleton;
    std::vector<Motion> motions = {random_motion(skeleton, 7), random_motion(skeleton, 8)};
    const std::vector<Motion> motions_before = motions;
    EXPECT_TRUE(use_names(skeleton, motions, convention).empty());
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
      EXPECT_EQ(skeleton.position(joint), before.position(joint));
    }
    for (std::size_t i = 0; i < motions.size(); ++i) {
      EXPECT_LT(worst_skinning_difference(before, motions_before[i], skeleton, motions[i]), 1e-9);
    }
    check_skeleton(skeleton);
  }
}

Vec3d axis_of(const Skeleton& skeleton, const std::string& name, int axis) {
  return skeleton.rest[static_cast<std::size_t>(find_joint(skeleton, name))].linear().col(axis);
}

// As the bind poses of these rigs have them (left is +x, front is +z).
TEST(NameConvention, AxesOfMixamo) {
  Skeleton s = test::standing_figure();
  std::vector<Motion> none;
  use_names(s, none, NameConvention::mixamo);
  const auto expect_axes = [&](const std::string& name, const Vec3d& x, const Vec3d& y) {
    EXPECT_GT(axis_of(s, "mixamorig:" + name, 0).dot(x), 0.95) << name;
    EXPECT_GT(axis_of(s, "mixamorig:" + name, 1).dot(y), 0.95) << name;
  };
  expect_axes("Hips", Vec3d::UnitX(), Vec3d::UnitY());
  expect_axes("Spine", Vec3d::UnitX(), Vec3d::UnitY());
  expect_axes("LeftArm", -Vec3d::UnitZ(), Vec3d::UnitX());
  expect_axes("RightForeArm", Vec3d::UnitZ(), -Vec3d::UnitX());
  expect_axes("LeftHand", -Vec3d::UnitZ(), Vec3d::UnitX());
  expect_axes("LeftUpLeg", -Vec3d::UnitX(), -Vec3d::UnitY());
  expect_axes("RightLeg", -Vec3d::UnitX(), -Vec3d::UnitY());
  EXPECT_GT(axis_of(s, "mixamorig:LeftToeBase", 2).y(), 0.95);
}

TEST(NameConvention, AxesOfTheUnrealMannequin) {
  Skeleton s = test::standing_figure();
  std::vector<Motion> none;
  use_names(s, none, NameConvention::unreal);
  const auto expect_axes = [&](const std::string& name, const Vec3d& x, const Vec3d& y) {
    EXPECT_GT(axis_of(s, name, 0).dot(x), 0.95) << name;
    EXPECT_GT(axis_of(s, name, 1).dot(y), 0.95) << name;
  };
  const Vec3d left = Vec3d::UnitX(), up = Vec3d::UnitY(), front = Vec3d::UnitZ();
  expect_axes("pelvis", up, -front);
  expect_axes("spine_02", up, -front);
  expect_axes("upperarm_l", left, -front);
  expect_axes("upperarm_r", left, front);  // against the bone
  expect_axes("hand_l", left, -up);
  expect_axes("hand_r", left, up);
  expect_axes("thigh_l", up, -front);
  expect_axes("thigh_r", -up, front);
  expect_axes("foot_l", up, -front);
  expect_axes("ball_l", front, up);
  expect_axes("ball_r", -front, -up);
}

// A clip's local rotations, copied by name alone, put the limbs of another body where the clip has its own.
TEST(NameConvention, RotationsPlayByName) {
  for (const NameConvention convention : {NameConvention::mixamo, NameConvention::unreal}) {
    Skeleton clip = test::standing_figure(), hero = test::standing_figure();
    // The hero holds its arms down at rest, and has axes of its own.
    for (std::size_t joint = 0; joint < hero.rest.size(); ++joint) {
      const Vec3d p = hero.rest[joint].translation();
      if (std::abs(p.x()) > 0.2) {
        const double side = p.x() > 0 ? 1.0 : -1.0, along = std::abs(p.x()) - 0.18;
        hero.rest[joint].translation() = Vec3d(side * (0.18 + 0.6 * along), 1.45 - 0.8 * along, p.z());
      }
      hero.rest[joint].linear() = Quatd(Eigen::AngleAxisd(0.4, Vec3d(3, 1, 2).normalized())).toRotationMatrix();
    }
    std::vector<Motion> motions = {random_motion(clip, 3)}, none;
    for (std::size_t at = 0; at < motions[0].transforms.size(); ++at) {
      motions[0].transforms[at].translation = rest_pose(clip)[at % clip.names.size()].translation;
    }
    use_names(clip, motions, convention);
    use_names(hero, none, convention);
    for (int frame = 0; frame < motions[0].frame_count(); ++frame) {
      const Pose from = frame_pose(motions[0], frame);
      Pose to = rest_pose(hero);
      for (int joint = 0; joint < hero.joint_count(); ++joint) {
        to[joint].rotation = from[find_joint(clip, hero.names[joint])].rotation;
      }
      const auto a = global_transforms(clip, from), b = global_transforms(hero, to);
      const auto direction = [&](const Skeleton& s, const std::vector<Affine3d>& globals, int joint) {
        return Vec3d((globals[joint].translation() - globals[s.parents[joint]].translation()).normalized());
      };
      const bool mixamo = convention == NameConvention::mixamo;
      for (const std::string name : {mixamo ? "mixamorig:LeftForeArm" : "lowerarm_l",
                                     mixamo ? "mixamorig:RightHand" : "hand_r", mixamo ? "mixamorig:LeftLeg" : "calf_l",
                                     mixamo ? "mixamorig:RightFoot" : "foot_r", mixamo ? "mixamorig:Head" : "head"}) {
        const int one = find_joint(clip, name), other = find_joint(hero, name);
        ASSERT_GE(one, 0) << name;
        EXPECT_GT(direction(clip, a, one).dot(direction(hero, b, other)), 0.999) << name;
      }
    }
  }
}

TEST(NameConvention, UnevenScalesKeepTheirAxes) {
  Skeleton s = test::standing_figure();
  const auto arm = static_cast<std::size_t>(find_joint(s, "LeftArm"));
  s.rest[arm].linear() = Vec3d(1, 2, 1).asDiagonal();
  const Affine3d before = s.rest[arm];
  std::vector<Motion> none;
  const Warnings warnings = use_names(s, none, NameConvention::mixamo);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].code, "axes-kept");
  EXPECT_EQ(s.rest[arm].matrix(), before.matrix());
  EXPECT_EQ(s.names[arm], "mixamorig:LeftArm");
}

TEST(NameConvention, WithoutABodyNothingChanges) {
  Skeleton s;
  add_joint(s, "crane:base", -1, test::place(0, 0, 0));
  add_joint(s, "hook", 0, test::place(0, 1, 0));
  std::vector<Motion> none;
  const Warnings warnings = use_names(s, none, NameConvention::unreal);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].code, "no-body");
  EXPECT_EQ(s.names[0], "crane:base");
}

TEST(NameConvention, WordsAndMotionsOfOthers) {
  EXPECT_EQ(name_convention("unreal"), NameConvention::unreal);
  EXPECT_EQ(name_convention("maya"), std::nullopt);
  EXPECT_EQ(name_convention_words().size(), 6u);
  Skeleton s = test::standing_figure();
  std::vector<Motion> motions(1);
  motions[0].joint_count = 3;
  EXPECT_THROW(use_names(s, motions, NameConvention::vrm), Error);
}

}  // namespace
}  // namespace sinew
