#include "sinew/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"
#include "sinew/fit/body_shape.h"
#include "sinew/io.h"
#include "tests/fit/flesh.h"
#include "tests/support/figure.h"
#include "tests/support/test_files.h"

namespace sinew {
namespace {

constexpr double pi = std::numbers::pi;

using test::flesh;
using test::person;

// Long body along z, four legs, a head in front and a tail behind.
Skeleton animal() {
  using test::place;
  Skeleton s;
  const int hips = add_joint(s, "Hips", -1, place(0, 0.7, -0.4));
  const int spine = add_joint(s, "Spine", hips, place(0, 0.72, -0.1));
  const int chest = add_joint(s, "Chest", spine, place(0, 0.7, 0.3));
  const int neck = add_joint(s, "Neck", chest, place(0, 0.8, 0.45));
  const int head = add_joint(s, "Head", neck, place(0, 1.0, 0.6));
  add_joint(s, "HeadEnd", head, place(0, 0.98, 0.85), JointKind::end);
  int tail = hips;
  for (int i = 1; i <= 3; ++i) {
    tail = add_joint(s, "Tail" + std::to_string(i), tail, place(0, 0.75 - 0.03 * i, -0.4 - 0.17 * i));
  }
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    const int arm = add_joint(s, name + "Arm", chest, place(side * 0.14, 0.55, 0.3));
    const int fore = add_joint(s, name + "ForeArm", arm, place(side * 0.14, 0.35, 0.27));
    const int hand = add_joint(s, name + "Hand", fore, place(side * 0.14, 0.1, 0.3));
    add_joint(s, name + "HandEnd", hand, place(side * 0.14, 0.03, 0.36), JointKind::end);
    const int thigh = add_joint(s, name + "UpLeg", hips, place(side * 0.14, 0.55, -0.4));
    const int shin = add_joint(s, name + "Leg", thigh, place(side * 0.14, 0.33, -0.36));
    const int foot = add_joint(s, name + "Foot", shin, place(side * 0.14, 0.1, -0.43));
    add_joint(s, name + "FootEnd", foot, place(side * 0.14, 0.03, -0.36), JointKind::end);
  }
  return s;
}

// The same joints with other proportions, ten times as large.
Skeleton distorted(Skeleton skeleton) {
  const Skeleton was = skeleton;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.parents[j];
    if (parent < 0) continue;
    const std::string& name = skeleton.names[j];
    const double factor = name.ends_with("ForeArm") ? 0.7 : name.ends_with("Leg") ? 1.3 : name == "Chest" ? 1.4 : 1.0;
    skeleton.rest[j].translation() = skeleton.position(parent) + factor * (was.position(j) - was.position(parent));
  }
  for (Affine3d& rest : skeleton.rest) rest.translation() *= 10;
  return skeleton;
}

TriangleMesh turned(TriangleMesh mesh, const Affine3d& turn) {
  for (Vec3f& p : mesh.positions) p = (turn * p.cast<double>()).cast<float>();
  return mesh;
}

double limb_error(const Skeleton& fitted, const Skeleton& truth, const Affine3d& turn) {
  double sum = 0;
  int count = 0;
  for (const char* side : {"Left", "Right"}) {
    for (const char* part : {"Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot"}) {
      const std::string name = std::string(side) + part;
      sum += (fitted.position(find_joint(fitted, name)) - turn * truth.position(find_joint(truth, name))).norm();
      ++count;
    }
  }
  return sum / count;
}

void expect_all_inside(const FitResult& fit) {
  for (int j = 0; j < fit.skeleton.joint_count(); ++j) {
    EXPECT_TRUE(fit.inside[j] || fit.skeleton.kinds[j] != JointKind::joint) << fit.skeleton.names[j];
    EXPECT_GE(fit.confidence[j], 0.0);
    EXPECT_LE(fit.confidence[j], 1.0);
  }
}

TEST(Fit, PersonInAnyPosition) {
  const TriangleMesh mesh = person();
  const Skeleton truth = test::standing_figure(), skeleton = distorted(truth);
  Affine3d upright = Affine3d::Identity(), turned_round = upright, z_up = upright, far = upright;
  turned_round.linear() = Eigen::AngleAxisd(pi, Vec3d::UnitY()).toRotationMatrix();
  z_up.linear() = Eigen::AngleAxisd(pi / 2, Vec3d::UnitX()).toRotationMatrix();
  far = Eigen::Translation3d(20, -5, 3) * Eigen::Scaling(0.01) * Eigen::AngleAxisd(0.6, Vec3d::UnitY());
  // The judge knows artists' characters, not figures of capsules: here only places and directions count.
  FitOptions any;
  any.least_confidence = 0;
  for (const Affine3d& turn : {upright, turned_round, z_up, far}) {
    const FitResult fit = fit_skeleton(turned(mesh, turn), skeleton, any);
    const double size = std::cbrt(turn.linear().determinant());
    EXPECT_LT(limb_error(fit.skeleton, truth, turn), 0.025 * 2.6 * size) << turn.matrix();
    EXPECT_GT(fit.frame.forward.dot((turn.linear() * Vec3d::UnitZ()).normalized()), 0.98);
    EXPECT_GT(fit.frame.up.dot((turn.linear() * Vec3d::UnitY()).normalized()), 0.98);
    EXPECT_FALSE(fit.on_all_fours);
    expect_all_inside(fit);
  }
}

// Knees are where legs visibly bend, not where most people have them.
TEST(Fit, BentLegsShowTheirKnees) {
  Skeleton truth = test::standing_figure();
  for (const char* side : {"Left", "Right"}) {
    truth.rest[find_joint(truth, std::string(side) + "Leg")].translation() +=
        Vec3d(0, -0.08, 0.1);  // 0.61 of the way from hip to ankle
  }
  const FitResult fit = fit_skeleton(person(truth), distorted(test::standing_figure()));
  for (const char* side : {"Left", "Right"}) {
    const int knee = find_joint(truth, std::string(side) + "Leg");
    EXPECT_LT((fit.skeleton.position(knee) - truth.position(knee)).norm(), 0.04);
  }
}

// Ears and fingers three times too long end inside, and are still bones. The hands are stumps: that is said.
TEST(Fit, WhatIsTooLongIsBroughtInside) {
  Skeleton skeleton = test::standing_figure();
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "Left" : "Right";
    int ear = find_joint(skeleton, "Head");
    for (int i = 1; i <= 3; ++i) {
      ear = add_joint(skeleton, name + "Ear" + std::to_string(i), ear, test::place(side * 0.2 * i, 1.7 + 0.2 * i, 0));
    }
    for (const char* finger : {"HandIndex", "HandMiddle", "HandPinky"}) {
      const int knuckle = find_joint(skeleton, name + finger + "1");
      const Vec3d far = skeleton.position(knuckle) + side * Vec3d(0.5, 0, 0);
      add_joint(skeleton, name + finger + "2", knuckle, test::place(far.x(), far.y(), far.z()));
    }
  }
  const FitResult fit = fit_skeleton(person(), skeleton);
  expect_all_inside(fit);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int parent = skeleton.parents[j];
    if (parent < 0) continue;
    EXPECT_GT((fit.skeleton.position(j) - fit.skeleton.position(parent)).norm(), 1e-5) << skeleton.names[j];
  }
  EXPECT_TRUE(std::any_of(fit.warnings.begin(), fit.warnings.end(),
                          [](const Warning& warning) { return warning.code == "fingers-carried-along"; }));
}

// Stumps for feet, looking along x: no one can tell which way, and the result says so, but it is a skeleton.
TEST(Fit, FacingThatNothingTells) {
  Skeleton stumps = test::standing_figure();
  for (int j = 0; j < stumps.joint_count(); ++j) {
    Vec3d place = stumps.position(j);
    if (place.y() < 0.6) place.z() = 0;
    stumps.rest[j].translation() = place;
  }
  Affine3d quarter = Affine3d::Identity();
  quarter.linear() = Eigen::AngleAxisd(pi / 2, Vec3d::UnitY()).toRotationMatrix();
  // Nobody can tell left from right in it: such a fit is refused unless any will do.
  EXPECT_THROW(fit_skeleton(turned(person(stumps), quarter), distorted(test::standing_figure())), Error);
  FitOptions any;
  any.least_confidence = 0;
  const FitResult fit = fit_skeleton(turned(person(stumps), quarter), distorted(test::standing_figure()), any);
  EXPECT_TRUE(std::any_of(fit.warnings.begin(), fit.warnings.end(),
                          [](const Warning& warning) { return warning.code == "facing-unknown"; }));
  EXPECT_NEAR(std::abs(fit.frame.forward.x()), 1, 0.05);
  // Who knows it may say it; what cannot be true is not believed.
  const VoxelSolid solid(turned(person(stumps), quarter));
  for (const double side : {1.0, -1.0}) {
    const BodyShape told = read_body_shape(solid, {.forward = Vec3d(side, 0, 0)});
    EXPECT_TRUE(told.facing_known);
    EXPECT_GT(told.frame.forward.x() * side, 0.9);
    const BodyShape told_wrongly = read_body_shape(solid, {.forward = Vec3d(0, 0, side)});
    EXPECT_FALSE(told_wrongly.facing_known);
    EXPECT_NEAR(told_wrongly.frame.forward.norm(), 1, 1e-6);
  }
  for (const Affine3d& rest : fit.skeleton.rest) EXPECT_NEAR(std::abs(rest.linear().determinant()), 1, 1e-3);
  expect_all_inside(fit);
}

TEST(Fit, LeftAndRightAreMirrorImages) {
  const FitResult fit = fit_skeleton(person(), distorted(test::standing_figure()));
  for (const char* part : {"Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot"}) {
    const Vec3d l = fit.skeleton.position(find_joint(fit.skeleton, std::string("Left") + part));
    const Vec3d r = fit.skeleton.position(find_joint(fit.skeleton, std::string("Right") + part));
    EXPECT_LT((Vec3d(-r.x(), r.y(), r.z()) - l).norm(), 0.01) << part;
  }
}

TEST(Fit, HeldJointsStayAndTheirMirrorImagesFollow) {
  const TriangleMesh mesh = person();
  const Skeleton skeleton = distorted(test::standing_figure());
  const FitResult free = fit_skeleton(mesh, skeleton);
  const int left = find_joint(skeleton, "LeftForeArm"), right = find_joint(skeleton, "RightForeArm");
  const Vec3d place = free.skeleton.position(left) + Vec3d(0.03, 0.05, -0.02);
  FitOptions options;
  options.held = {{left, place}};
  const FitResult held = fit_skeleton(mesh, skeleton, options);
  EXPECT_EQ(held.skeleton.position(left), place);
  EXPECT_EQ(held.confidence[left], held.inside[left] ? 1.0 : 0.5);
  EXPECT_LT((held.skeleton.position(right) - Vec3d(-place.x(), place.y(), place.z())).norm(), 0.01);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const bool is_arm = skeleton.names[j].find("ForeArm") != std::string::npos;
    if (is_arm) continue;
    EXPECT_EQ(held.skeleton.position(j), free.skeleton.position(j)) << skeleton.names[j];
  }
  options.symmetric = false;
  EXPECT_EQ(fit_skeleton(mesh, skeleton, options).skeleton.position(left), place);
  options.held = {{99, place}};
  EXPECT_THROW(fit_skeleton(mesh, skeleton, options), Error);
}

TEST(Fit, AnimalOnFourLegs) {
  const Skeleton truth = animal();
  const TriangleMesh mesh =
      flesh(truth, {{"Spine", 0.15}, {"Chest", 0.15}, {"Neck", 0.1}, {"Head", 0.09}, {"HeadEnd", 0.08}}, 0.05);
  const FitResult fit = fit_skeleton(mesh, distorted(truth));
  EXPECT_TRUE(fit.on_all_fours);
  EXPECT_GT(fit.frame.forward.z(), 0.98);
  EXPECT_LT(limb_error(fit.skeleton, truth, Affine3d::Identity()), 0.06 * 1.9);
  EXPECT_LT(
      (fit.skeleton.position(find_joint(fit.skeleton, "Head")) - truth.position(find_joint(truth, "Head"))).norm(),
      0.2);
  expect_all_inside(fit);
}

TEST(Fit, SameBitsAtAnyThreadCount) {
  const TriangleMesh mesh = person();
  const Skeleton skeleton = distorted(test::standing_figure());
  const auto run = [&] { return fit_skeleton(mesh, skeleton); };
  const FitResult one = with_threads(1, run), two = with_threads(2, run);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    EXPECT_EQ(one.skeleton.rest[j].matrix(), two.skeleton.rest[j].matrix()) << skeleton.names[j];
  }
  EXPECT_EQ(one.confidence, two.confidence);
}

TEST(Fit, WhatDoesNotBelongIsRefused) {
  const Skeleton figure = test::standing_figure();
  Skeleton ball;
  const int a = add_joint(ball, "A", -1, test::place(0, 0, 0));
  add_joint(ball, "B", a, test::place(0, 1, 0));
  const TriangleMesh sausage = flesh(ball, {}, 0.2);
  EXPECT_THROW(fit_skeleton(sausage, figure), Error);  // no limbs
  EXPECT_THROW(fit_skeleton(sausage, animal()), Error);
  const TriangleMesh mesh = person();
  EXPECT_THROW(fit_skeleton(mesh, ball), Error);      // a skeleton without legs
  EXPECT_THROW(fit_skeleton(mesh, animal()), Error);  // an animal's in a person
  EXPECT_THROW(fit_skeleton(mesh, Skeleton{}), Error);
  EXPECT_THROW(fit_skeleton(TriangleMesh{}, figure), Error);
  FitOptions options;
  options.cells = 10;
  EXPECT_THROW(fit_skeleton(mesh, figure, options), Error);
  TriangleMesh broken = mesh;
  for (Vec3f& p : broken.positions) p.setConstant(std::numeric_limits<float>::quiet_NaN());
  EXPECT_THROW(fit_skeleton(broken, figure), Error);
}

// The artist's own skeleton, made unrecognisable, finds its way back.
TEST(Fit, RealCharacters) {
  if (test::data_folder().empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const auto& [file, limit] : {std::pair{"mannequiny.glb", 0.02}, std::pair{"rocketbox_Male_Adult_05.fbx", 0.02},
                                    std::pair{"ozz_arnaud.fbx", 0.025}}) {
    const Character truth = load_character(test::data_folder() / "characters" / file);
    Skeleton skeleton = truth.skeleton;
    for (Affine3d& rest : skeleton.rest) rest.translation() = 3 * rest.translation() + Vec3d(1, 0, 2);
    const FitResult fit = fit_skeleton(truth.mesh, skeleton);
    const std::vector<JointIdentity> roles = identify_joints_anyhow(truth.skeleton);
    double sum = 0;
    int count = 0;
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      const JointRole role = roles[j].role;
      const bool limb = role == JointRole::upper_arm || role == JointRole::forearm || role == JointRole::hand ||
                        role == JointRole::thigh || role == JointRole::shin || role == JointRole::foot;
      if (!limb || roles[j].index != 1 || skeleton.kinds[j] != JointKind::joint) continue;
      sum += (fit.skeleton.position(j) - truth.skeleton.position(j)).norm();
      ++count;
    }
    ASSERT_GE(count, 12) << file;
    EXPECT_LT(sum / count / bounding_diagonal(truth.mesh), limit) << file;
  }
}

}  // namespace
}  // namespace sinew
