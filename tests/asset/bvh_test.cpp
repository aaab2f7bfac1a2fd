#include "sinew/asset/plain/bvh.h"

#include <gtest/gtest.h>

#include <numbers>
#include <sstream>

#include "sinew/base/file_bytes.h"
#include "sinew/base/random.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

Character parse_bvh(const std::string& text) {
  Character character = read_bvh(std::as_bytes(std::span(text)));
  check_character(character);
  return character;
}

std::string bvh_error_of(const std::string& text) {
  try {
    parse_bvh(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

const std::string arm =
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
    " JOINT Upper Arm\n {\n  OFFSET 2 0 0\n  CHANNELS 3 Xrotation Zrotation Yrotation\n"
    "  End Site\n  {\n   OFFSET 1 0 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n";

TEST(Bvh, ChannelOrderIsRotationOrder) {
  const Character c = parse_bvh(arm + "0 1 0 0 0 0 0 0 0\n5 6 7 10 20 30 40 50 60\n");
  ASSERT_EQ(c.skeleton.joint_count(), 3);
  EXPECT_EQ(c.skeleton.names[1], "Upper Arm");
  EXPECT_EQ(c.skeleton.names[2], "Upper Arm_End");
  EXPECT_EQ(c.skeleton.kinds[2], JointKind::end);
  EXPECT_EQ(c.skeleton.position(2), Vec3d(3, 1, 0));
  ASSERT_EQ(c.motions.size(), 1u);
  EXPECT_EQ(c.motions[0].frames_per_second, 120.0);
  const Pose pose = frame_pose(c.motions[0], 1);
  const auto turn = [](double degrees, int axis) {
    return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3d::Unit(axis));
  };
  const Mat3d root = (turn(10, 2) * turn(20, 1) * turn(30, 0)).toRotationMatrix();
  const Mat3d upper = (turn(40, 0) * turn(50, 2) * turn(60, 1)).toRotationMatrix();
  EXPECT_TRUE(pose[0].rotation.toRotationMatrix().isApprox(root, 1e-12));
  EXPECT_TRUE(pose[1].rotation.toRotationMatrix().isApprox(upper, 1e-12));
  EXPECT_EQ(pose[0].translation, Vec3d(5, 6, 7));  // positions take the place of the offset
  EXPECT_EQ(pose[1].translation, Vec3d(2, 0, 0));
  const std::vector<Affine3d> globals = global_transforms(c.skeleton, pose);
  EXPECT_TRUE(
      globals[2].translation().isApprox(Vec3d(5, 6, 7) + root * (Vec3d(2, 0, 0) + upper * Vec3d(1, 0, 0)), 1e-12));
}

TEST(Bvh, SeveralRootsAndZeroEndSites) {
  const Character c = parse_bvh(
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0 0\n}\n}\n"
      "ROOT b {\nOFFSET 1 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 1\nFrame Time: 0.04\n1 2 3\n");
  EXPECT_EQ(c.skeleton.joint_count(), 2);
  EXPECT_EQ(roots_of(c.skeleton).size(), 2u);
  EXPECT_EQ(c.motions[0].frames_per_second, 25.0);
}

TEST(Bvh, RepairsWithAWarning) {
  const Character fewer = parse_bvh(arm + "0 1 0 0 0 0 0 0 0\n5 6 7 10\n");
  EXPECT_EQ(fewer.motions[0].frame_count(), 1);
  EXPECT_EQ(fewer.warnings.at(0).code, "missing-frames");
  const Character more = parse_bvh(arm + "0 1 0 0 0 0 0 0 0\n5 6 7 10 20 30 40 50 60\n1 2 3\n");
  EXPECT_EQ(more.warnings.at(0).code, "extra-frames");
  std::string timeless = arm;
  timeless.replace(timeless.find(".0083333"), 8, "0");
  const Character still = parse_bvh(timeless + "0 1 0 0 0 0 0 0 0\n5 6 7 10 20 30 40 50 60\n");
  EXPECT_EQ(still.warnings.at(0).code, "bad-frame-time");
  EXPECT_EQ(still.motions[0].frames_per_second, 30.0);
}

TEST(Bvh, RefusesWhatDoesNotFit) {
  EXPECT_NE(bvh_error_of(arm).find("before the first frame"), std::string::npos);
  EXPECT_NE(bvh_error_of(arm + "0 1 0 0 nan 0 0 0 0\n").find("not a number"), std::string::npos);
  EXPECT_NE(bvh_error_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0\nCHANNELS").find("line"), std::string::npos);
  EXPECT_NE(bvh_error_of("HIERARCHY\nROOT a\n{\nCHANNELS 1 Wrotation\n").find("Wrotation"), std::string::npos);
  EXPECT_NE(bvh_error_of("HIERARCHY\nJOINT a\n{\n").find("not allowed"), std::string::npos);
  EXPECT_NE(bvh_error_of("HIERARCHY\nMOTION\n").find("no joint"), std::string::npos);
  EXPECT_NE(bvh_error_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nMOTION\n").find("missing"), std::string::npos);
  std::string deep = "HIERARCHY\nROOT a\n{\n";
  for (int i = 0; i < 3000; ++i) deep += "JOINT b\n{\n";
  EXPECT_NE(bvh_error_of(deep).find("deep"), std::string::npos);
}

void expect_same_places(const Character& before, const Character& after, double tolerance) {
  ASSERT_EQ(after.motions.size(), 1u);
  ASSERT_EQ(after.motions[0].frame_count(), before.motions[0].frame_count());
  for (int frame = 0; frame < before.motions[0].frame_count(); ++frame) {
    const auto a = global_transforms(before.skeleton, frame_pose(before.motions[0], frame));
    const auto b = global_transforms(after.skeleton, frame_pose(after.motions[0], frame));
    // Rotations relative to rest are what moves a skin; BVH joint spaces are parallel to the axes at rest.
    const auto skin_a = skinning_transforms(before.skeleton, frame_pose(before.motions[0], frame));
    const auto skin_b = skinning_transforms(after.skeleton, frame_pose(after.motions[0], frame));
    for (int joint = 0; joint < before.skeleton.joint_count(); ++joint) {
      const int other = find_joint(after.skeleton, before.skeleton.names[joint]);
      ASSERT_GE(other, 0) << before.skeleton.names[joint];
      EXPECT_LT((a[joint].translation() - b[other].translation()).norm(), tolerance) << before.skeleton.names[joint];
      if (before.skeleton.kinds[joint] == JointKind::end) continue;
      EXPECT_LT((skin_a[joint].linear() - skin_b[other].linear()).cwiseAbs().maxCoeff(), 1e-5);
    }
  }
}

// Any skeleton with rest rotations and any motion: the same places and the same turns after a round trip.
TEST(Bvh, RoundTripOfASkeletonWithRestRotations) {
  Random random(11);
  const auto any_rotation = [&] {
    return Quatd(random.normal(), random.normal(), random.normal(), random.normal()).normalized();
  };
  Character c;
  for (int joint = 0; joint < 12; ++joint) {
    Affine3d rest = Affine3d::Identity();
    rest.translation() = Vec3d(random.normal(), random.normal(), random.normal());
    rest.rotate(any_rotation());
    add_joint(c.skeleton, "joint" + std::to_string(joint),
              joint == 0 || joint == 7 ? -1 : static_cast<int>(random.below(static_cast<std::uint64_t>(joint))), rest);
  }
  Motion motion;
  motion.name = "any";
  motion.frames_per_second = 25;
  motion.joint_count = c.skeleton.joint_count();
  const Pose rest = rest_pose(c.skeleton);
  for (int frame = 0; frame < 20; ++frame) {
    for (std::size_t joint = 0; joint < rest.size(); ++joint) {
      Transform t = rest[joint];
      t.rotation = t.rotation * any_rotation();
      if (joint == 0 || joint == 5) t.translation += Vec3d(random.normal(), random.normal(), random.normal());
      motion.transforms.push_back(t);
    }
  }
  c.motions.push_back(motion);
  Warnings warnings;
  const std::string text = write_bvh(c, warnings);
  EXPECT_TRUE(warnings.empty());
  expect_same_places(c, parse_bvh(text), 1e-5);
}

TEST(Bvh, RoundTripOfRealClips) {
  const auto files = test::data_files("motion/cmu", {".bvh"});
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  const Character before = read_bvh(read_file_bytes(files.front()));
  Warnings warnings;
  const Character after = parse_bvh(write_bvh(before, warnings));
  EXPECT_EQ(after.skeleton.joint_count(), before.skeleton.joint_count());
  expect_same_places(before, after, 1e-4);
}

TEST(Bvh, AnglesStayContinuous) {
  Character c;
  add_joint(c.skeleton, "root", -1, Affine3d::Identity());
  Motion motion;
  motion.joint_count = 1;
  for (int frame = 0; frame < 100; ++frame) {
    Transform t;
    t.rotation = Quatd(Eigen::AngleAxisd(0.15 * frame, Vec3d(0.2, 0.9, 0.3).normalized()));
    motion.transforms.push_back(t);
  }
  c.motions.push_back(motion);
  Warnings warnings;
  const std::string text = write_bvh(c, warnings);
  const std::size_t data = text.find('\n', text.find("Frame Time:")) + 1;
  std::istringstream rows(text.substr(data));
  double before[6] = {}, row[6];
  for (int frame = 0; frame < 100; ++frame) {
    for (double& value : row) rows >> value;
    for (int axis = 3; axis < 6 && frame > 0; ++axis) EXPECT_LT(std::abs(row[axis] - before[axis]), 60.0);
    std::copy(row, row + 6, before);
  }
}

}  // namespace
}  // namespace sinew
