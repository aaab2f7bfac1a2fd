#include "sinew/fit/neural_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "sinew/fit.h"
#include "sinew/io.h"
#include "tests/fit/flesh.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

FitOptions with_networks() {
  FitOptions options;
  options.networks = &FitModel::shipped();
  return options;
}

// Arms that hang down and melt into the trunk: the inside of the mesh does not show them.
Skeleton arms_at_the_sides() {
  Skeleton figure = test::standing_figure();
  for (const auto& [side, x] : {std::pair{"Left", 0.17}, std::pair{"Right", -0.17}}) {
    const auto move = [&, name = side, across = x](const char* part, double height) {
      const int joint = find_joint(figure, std::string(name) + part);
      ASSERT_GE(joint, 0) << name << part;
      const Vec3d was = figure.position(joint);
      for (int j = joint; j < figure.joint_count(); ++j) {
        bool below = false;
        for (int up = j; up >= 0 && !below; up = figure.parents[up]) below = up == joint;
        if (below) figure.rest[j].translation() += Vec3d(across, height, 0) - was;
      }
    };
    const double shoulder = figure.position(find_joint(figure, std::string(side) + "Arm")).y();
    move("Arm", shoulder);
    move("ForeArm", shoulder - 0.25);
    move("Hand", shoulder - 0.45);
  }
  return figure;
}

TEST(FitWithNetworks, TwoOpinionsMeet) {
  const TriangleMesh mesh = test::person();
  const Skeleton skeleton = test::standing_figure();
  const FitResult alone = fit_skeleton(mesh, skeleton), both = fit_skeleton(mesh, skeleton, with_networks());
  FitOptions networks = with_networks();
  networks.networks_alone = true;
  const FitResult other = fit_skeleton(mesh, skeleton, networks);
  for (const char* name : {"LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg", "LeftLeg", "LeftFoot"}) {
    const int j = find_joint(skeleton, name);
    const Vec3d a = alone.skeleton.position(j), b = other.skeleton.position(j), c = both.skeleton.position(j);
    EXPECT_LE((c - a).norm(), 0.55 * (a - b).norm() + 0.02) << name;  // at most half-way, then brought inside
  }
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    EXPECT_GE(both.confidence[j], 0);
    EXPECT_LE(both.confidence[j], 1);
  }
  EXPECT_NE(alone.confidence, both.confidence);
  EXPECT_FALSE(both.by_networks);
  EXPECT_TRUE(other.by_networks);
  EXPECT_EQ(alone.network_seconds, 0);
  EXPECT_GT(both.network_seconds, 0);
}

TEST(FitWithNetworks, TheyPlaceWhatGeometryCannotRead) {
  const Skeleton truth = arms_at_the_sides();
  const TriangleMesh mesh = test::person(truth);
  ASSERT_THROW(fit_skeleton(mesh, test::standing_figure()), Error);
  const FitResult fit = fit_skeleton(mesh, test::standing_figure(), with_networks());
  EXPECT_TRUE(fit.by_networks);
  ASSERT_FALSE(fit.warnings.empty());
  EXPECT_EQ(fit.warnings.front().code, "placed-by-networks");
  double sum = 0;
  for (const char* part : {"Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot"}) {
    const int left = find_joint(truth, std::string("Left") + part),
              right = find_joint(truth, std::string("Right") + part);
    EXPECT_GT(fit.skeleton.position(left).dot(fit.frame.left), fit.skeleton.position(right).dot(fit.frame.left));
    for (const int joint : {left, right}) sum += (fit.skeleton.position(joint) - truth.position(joint)).norm() / 12;
  }
  EXPECT_LT(sum, 0.06 * bounding_diagonal(mesh));
  for (int j = 0; j < truth.joint_count(); ++j) {
    EXPECT_TRUE(fit.skeleton.position(j).allFinite());
    EXPECT_LE(fit.confidence[j], 0.5) << truth.names[j];
  }
}

TEST(FitWithNetworks, WhatIsNoBodyStaysRefused) {
  Skeleton bone;
  add_joint(bone, "B", add_joint(bone, "A", -1, test::place(0, 0, 0)), test::place(0, 1, 0));
  EXPECT_THROW(fit_skeleton(test::flesh(bone, {}, 0.2), test::standing_figure(), with_networks()), Error);
}

// A quarter turn at a time: the pictures tell which way a person faces, and which axis is up.
TEST(FitWithNetworks, FacingIsSeen) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  const Character person = load_character(test::data_folder() / "characters" / "rocketbox_Male_Adult_05.fbx");
  for (int quarter = 0; quarter < 4; ++quarter) {
    for (const bool z_up : {false, true}) {
      Affine3d turn(Eigen::AngleAxisd(quarter * std::numbers::pi / 2, Vec3d::UnitY()));
      if (z_up) turn = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3d::UnitX()) * turn;
      TriangleMesh mesh = person.mesh;
      for (Vec3f& p : mesh.positions) p = (turn * p.cast<double>()).cast<float>();
      const FrameGuess guess = guess_frame(mesh, FitModel::shipped(), Vec3d::Zero());
      EXPECT_TRUE(guess.facing_known);
      EXPECT_GT(guess.frame.up.dot(turn.linear() * Vec3d::UnitY()), 0.99) << quarter << z_up;
      EXPECT_GT(guess.frame.forward.dot(turn.linear() * Vec3d::UnitZ()), 0.9) << quarter << z_up;
    }
  }
}

// Feet pressed into stumps, and the body turned away: the networks see the facing, also where they only judge and place
// no joints.
TEST(FitWithNetworks, TheySeeTheFacingThatFeetDoNotTell) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  const Character person = load_character(test::data_folder() / "characters" / "rocketbox_Male_Adult_05.fbx");
  TriangleMesh mesh = person.mesh;
  const AABBf box = bounding_box(mesh);
  for (Vec3f& p : mesh.positions) {
    const float ankle = box.min().y() + 0.16f * box.sizes().y();
    if (p.y() < ankle) p.z() = 0.15f * (p.z() + 0.03f) - 0.03f;
    p = Vec3f(-p.x(), p.y(), -p.z());
  }
  const auto says_unknown = [](const FitResult& fit) {
    return std::any_of(fit.warnings.begin(), fit.warnings.end(),
                       [](const Warning& warning) { return warning.code == "facing-unknown"; });
  };
  const FitResult alone = fit_skeleton(mesh, test::standing_figure());
  EXPECT_FALSE(says_unknown(alone));
  EXPECT_LT(alone.frame.forward.z(), -0.9);
  const FitResult both = fit_skeleton(mesh, test::standing_figure(), with_networks());
  EXPECT_FALSE(says_unknown(both));
  EXPECT_LT(both.frame.forward.z(), -0.9);
}

}  // namespace
}  // namespace sinew
