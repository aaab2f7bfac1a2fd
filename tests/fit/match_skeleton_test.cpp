#include "sinew/fit/match_skeleton.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/error.h"
#include "sinew/fit/fit_creature.h"
#include "tests/fit/creature_shapes.h"

namespace sinew {
namespace {

double mean_error(const std::vector<Vec3d>& places, const Skeleton& truth) {
  double sum = 0;
  for (int j = 0; j < truth.joint_count(); ++j) sum += (places[j] - truth.position(j)).norm();
  return sum / truth.joint_count();
}

SkeletonMatch match(const TriangleMesh& mesh, const Skeleton& skeleton) {
  return match_skeleton(curve_skeleton(VoxelSolid(mesh, 80)), skeleton);
}

TEST(MatchSkeleton, PutsASnakeBackIntoItsTube) {
  const SkeletonMatch found = match(test::snake(), test::other_proportions(test::snake_joints()));
  EXPECT_LT(mean_error(found.places, test::snake_joints()), 0.08);
  EXPECT_LT(found.misfit, 0.4);
  EXPECT_GT(found.covered, 0.85);
  EXPECT_NEAR(found.scale, 0.1, 0.02);
}

TEST(MatchSkeleton, PutsASpiderBackWithoutNames) {
  const Skeleton truth = test::spider_joints();
  Skeleton skeleton = test::other_proportions(truth);
  for (std::size_t j = 0; j < skeleton.names.size(); ++j) skeleton.names[j] = std::to_string(j);
  const SkeletonMatch found = match(test::spider(), skeleton);
  EXPECT_LT(mean_error(found.places, truth), 0.1);
  EXPECT_GT(found.covered, 0.8);
  // Every foot has a leg of its own, left on the left.
  for (int j = 0; j < truth.joint_count(); ++j) {
    if (truth.kinds[j] != JointKind::end) continue;
    EXPECT_LT((found.places[j] - truth.position(j)).norm(), 0.2) << truth.names[j];
  }
}

TEST(MatchSkeleton, FindsASkeletonThatStandsAnotherWay) {
  const Skeleton truth = test::spider_joints();
  Skeleton lying = truth;
  const Eigen::AngleAxisd turn(0.5 * EIGEN_PI, Vec3d::UnitX());  // z is up in it
  for (Affine3d& rest : lying.rest) rest = Affine3d(turn) * rest;
  const SkeletonMatch found = match(test::spider(), lying);
  EXPECT_LT(mean_error(found.places, truth), 0.1);
  EXPECT_LT((found.turn * turn.toRotationMatrix() - Mat3d::Identity()).norm(), 1e-9);
}

TEST(MatchSkeleton, WhatTheMeshDoesNotHaveStaysWithItsParent) {
  Skeleton truth = test::spider_joints();
  const int body = find_joint(truth, "rear");
  const int tail = add_joint(truth, "tail1", body, test::place(0, 0.7, -0.9));
  add_joint(truth, "tail2", tail, test::place(0, 0.9, -1.4));
  const SkeletonMatch found = match(test::spider(), test::other_proportions(truth));
  for (int j = 0; j < body; ++j) EXPECT_LT((found.places[j] - truth.position(j)).norm(), 0.25) << truth.names[j];
  EXPECT_EQ(found.nodes[tail + 1], -1);
}

TEST(MatchSkeleton, ControlsFloatWhereTheyDid) {
  Skeleton truth = test::spider_joints();
  const int foot = find_joint(truth, "leg0_left_3");
  Affine3d rest = truth.rest[foot];
  rest.translation() += Vec3d(0.3, 0.2, 0.3);
  const int control = add_joint(truth, "IK_foot_control", -1, rest);
  const SkeletonMatch found = match(test::spider(), truth);
  EXPECT_EQ(found.nodes[control], -1);
  EXPECT_LT((found.places[control] - truth.position(control)).norm(), 0.2);
}

TEST(MatchSkeleton, RefusesWhatIsNoSkeleton) {
  Skeleton one;
  add_joint(one, "a", -1, test::place(0, 0, 0));
  EXPECT_THROW(match(test::snake(), one), Error);
  add_joint(one, "b", 0, test::place(0, 0, 0));
  EXPECT_THROW(match(test::snake(), one), Error);
}

TEST(FitCreature, JointsAreInsideAndSure) {
  const Skeleton truth = test::spider_joints();
  const CreatureFit found = fit_creature(test::spider(), test::other_proportions(truth), {}, {});
  EXPECT_EQ(found.fit.skeleton.names, truth.names);
  EXPECT_EQ(found.fit.skeleton.parents, truth.parents);
  for (int j = 0; j < truth.joint_count(); ++j) {
    if (truth.kinds[j] != JointKind::joint) continue;
    EXPECT_TRUE(found.fit.inside[j]) << truth.names[j];
  }
  EXPECT_GT(found.fit.mean_confidence(), 0.5);
  EXPECT_GT(found.fit.symmetry, 0.95);
}

TEST(FitCreature, IsWhatFitSkeletonDoesForBodiesWithoutArmsAndLegs) {
  const FitResult fit = fit_skeleton(test::snake(), test::other_proportions(test::snake_joints()));
  std::vector<Vec3d> places;
  for (int j = 0; j < fit.skeleton.joint_count(); ++j) places.push_back(fit.skeleton.position(j));
  EXPECT_LT(mean_error(places, test::snake_joints()), 0.08);
}

TEST(FitCreature, RefusesAnotherKindOfCreature) {
  const auto code_of = [](const TriangleMesh& mesh, const Skeleton& skeleton) {
    try {
      fit_creature(mesh, skeleton, {}, {});
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::internal;
  };
  EXPECT_EQ(code_of(test::snake(), test::spider_joints()), ErrorCode::kinds_differ);
  EXPECT_EQ(code_of(test::star(7), test::snake_joints()), ErrorCode::kinds_differ);
}

TEST(FitCreature, HeldJointsStayAndTheirMirrorImagesFollow) {
  const Skeleton truth = test::spider_joints();
  const int knee = find_joint(truth, "leg1_left_2"), other = find_joint(truth, "leg1_right_2");
  FitOptions options;
  options.held = {{knee, Vec3d(0.55, 0.7, 0.14)}};
  const CreatureFit found = fit_creature(test::spider(), truth, options, {});
  EXPECT_EQ(found.fit.skeleton.position(knee), options.held[0].position);
  EXPECT_LT((found.fit.skeleton.position(other) - Vec3d(-0.55, 0.7, 0.14)).norm(), 0.03);
}

}  // namespace
}  // namespace sinew
