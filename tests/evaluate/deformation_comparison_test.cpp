#include "sinew/evaluate/deformation_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sinew/base/parallel.h"
#include "tests/evaluate/bar.h"

namespace sinew {
namespace {

using test::bar;
using test::bent;

TEST(DeformationComparison, IdenticalSkinsMoveAlike) {
  const Character truth = bar();
  const DeformationComparison result =
      compare_deformation(pair_skins(truth, truth), {bent(truth.skeleton, 90), rest_pose(truth.skeleton)});
  EXPECT_EQ(result.poses, 2u);
  EXPECT_EQ(result.ade, 0);
  EXPECT_EQ(result.mde, 0);
  EXPECT_EQ(result.chamfer, 0);
  EXPECT_EQ(result.els, 1);
}

// The candidate's weights are all on the root, so it stays; the truth turns the outer half by 90°: a vertex at distance
// r from the joint's axis moves by r √2.
TEST(DeformationComparison, QuarterTurnInClosedForm) {
  const Character truth = bar(21, 0.0);
  Character candidate = truth;
  for (std::size_t vertex = 0; vertex < truth.mesh.vertex_count(); ++vertex) {
    set_influences(candidate.weights, vertex, {{0, 1.0}});
  }
  const SkinPair pair = pair_skins(candidate, truth);
  const DeformationComparison result = compare_deformation(pair, {bent(truth.skeleton, 90)});
  double sum = 0, largest = 0;
  std::vector<double> expected;
  for (const Vec3f& position : truth.mesh.positions) {
    const double distance = position.x() > 1.0001 ? std::sqrt(2.0) * std::hypot(position.x() - 1, position.y()) : 0.0;
    expected.push_back(distance);
    sum += distance;
    largest = std::max(largest, distance);
  }
  const double diagonal = std::sqrt(4.0 + 0.04 + 0.04);
  EXPECT_NEAR(pair.diagonal, diagonal, 1e-6);
  EXPECT_NEAR(result.ade, sum / truth.mesh.vertex_count() / diagonal, 1e-6);
  EXPECT_NEAR(result.mde, largest / diagonal, 1e-6);
  for (std::size_t vertex = 0; vertex < expected.size(); ++vertex) {
    EXPECT_NEAR(result.ade_per_vertex[vertex], expected[vertex] / diagonal, 1e-6);
  }
  EXPECT_EQ(result.worst_pose, 0u);
  EXPECT_GE(result.worst_vertex, 80u);  // the last ring
  EXPECT_GT(result.chamfer, 0);
  EXPECT_LT(result.chamfer, result.ade);
  // A pose in which nothing moves halves the means and keeps the maximum.
  const DeformationComparison both = compare_deformation(pair, {rest_pose(truth.skeleton), bent(truth.skeleton, 90)});
  EXPECT_NEAR(both.ade, result.ade / 2, 1e-12);
  EXPECT_NEAR(both.els, (result.els + 1) / 2, 1e-12);
  EXPECT_EQ(both.mde, result.mde);
  EXPECT_EQ(both.worst_pose, 1u);
}

// "bend" slides by 1 along x. The truth's step weights stretch the edges between the rings at the joint; the
// candidate's root-only weights leave them: the ratio of lengths is known for each kind of edge.
TEST(DeformationComparison, EdgeLengthScoreOfAKnownStretch) {
  const Character truth = bar(3, 0.0);  // rings at 0, 1 (root) and 2 (bend)
  Character candidate = truth;
  for (std::size_t vertex = 0; vertex < truth.mesh.vertex_count(); ++vertex) {
    set_influences(candidate.weights, vertex, {{0, 1.0}});
  }
  Pose pose = rest_pose(truth.skeleton);
  pose[1].translation.x() += 1.0;
  const DeformationComparison result = compare_deformation(pair_skins(candidate, truth), {pose});
  // Edges: 3 rings of 4, and 2 × (4 along x + 4 diagonals). Changed: the outer 4 of length 1 → 2, and its diagonals.
  const double along = 1 - std::abs(1.0 / 2.0 - 1);
  const double diagonal = 1 - std::abs(std::hypot(1.0, 0.2) / std::hypot(2.0, 0.2) - 1);
  EXPECT_NEAR(result.els, (12 + 8 + 4 * along + 4 * diagonal) / 28, 1e-6);
  EXPECT_NEAR(result.mde, 1.0 / std::sqrt(4.08), 1e-6);
  EXPECT_NEAR(result.ade, 1.0 / 3 / std::sqrt(4.08), 1e-6);
}

TEST(DeformationComparison, ChamferIsTheNearestPointNotTheSameVertex) {
  // Everything slides along x by one ring: the moved points lie on top of the others, but for one ring at each end.
  const Character truth = bar(21, 0.0);
  Character candidate = truth;
  candidate.weights = make_skin_weights(truth.mesh.vertex_count(), 4);  // unweighted: stays
  Pose pose = rest_pose(truth.skeleton);
  pose[0].translation.x() += 0.1;
  const DeformationComparison result = compare_deformation(pair_skins(candidate, truth), {pose});
  EXPECT_NEAR(result.ade * std::sqrt(4.08), 0.1, 1e-6);
  EXPECT_NEAR(result.chamfer * std::sqrt(4.08), 0.1 / 21, 1e-6);
}

TEST(DeformationComparison, AnUnmatchedJointFollowsItsParent) {
  const Character truth = bar();
  Character candidate = truth;
  const int extra = add_joint(candidate.skeleton, "extra", 1, Affine3d(Eigen::Translation3d(1.5, 0, 0)));
  for (std::uint16_t& joint : candidate.weights.joints) joint = joint == 1 ? static_cast<std::uint16_t>(extra) : joint;
  EXPECT_NEAR(compare_deformation(pair_skins(candidate, truth), {bent(truth.skeleton, 50)}).mde, 0, 1e-7);
}

TEST(DeformationComparison, AMissingJointInBetweenIsBridged) {
  // Truth: root → bend → tip; the candidate knows only root and tip.
  Character truth = bar();
  add_joint(truth.skeleton, "tip", 1, Affine3d(Eigen::Translation3d(1.6, 0, 0)));
  Character candidate = bar();
  candidate.skeleton = {};
  add_joint(candidate.skeleton, "root", -1, Affine3d::Identity());
  add_joint(candidate.skeleton, "tip", 0, Affine3d(Eigen::Translation3d(1.6, 0, 0)));
  const SkinPair pair = pair_skins(candidate, truth);
  const std::vector<Affine3d> transforms = skinning_transforms(truth.skeleton, bent(truth.skeleton, 80));
  const std::vector<Affine3d> followed = candidate_transforms(pair, transforms);
  EXPECT_TRUE(followed[1].isApprox(transforms[2], 1e-12));
}

TEST(DeformationComparison, AMovedSkeletonKeepsItsOwnBones) {
  const Character truth = bar();
  Character candidate = truth;
  candidate.skeleton.rest[1].translation() = Vec3d(1.1, 0, 0);
  const SkinPair pair = pair_skins(candidate, truth);
  const std::vector<Affine3d> transforms = skinning_transforms(truth.skeleton, bent(truth.skeleton, 90));
  const std::vector<Affine3d> followed = candidate_transforms(pair, transforms);
  // Turned as the truth's joint is, about its own position, which the root leaves where it is.
  EXPECT_TRUE(followed[1].linear().isApprox(transforms[1].linear(), 1e-12));
  EXPECT_TRUE((followed[1] * Vec3d(1.1, 0, 0)).isApprox(Vec3d(1.1, 0, 0), 1e-12));
  EXPECT_TRUE(followed[0].isApprox(Affine3d::Identity(), 1e-12));
}

TEST(DeformationComparison, SameBitsAtAnyThreadCount) {
  const Character truth = bar(101, 0.4), candidate = bar(101, 0.9);
  const SkinPair pair = pair_skins(candidate, truth);
  std::vector<Pose> poses;
  for (int step = 0; step < 37; ++step) poses.push_back(bent(truth.skeleton, 3.0 * step));
  const auto run = [&] { return compare_deformation(pair, poses); };
  const DeformationComparison one = with_threads(1, run), two = with_threads(2, run);
  EXPECT_EQ(one.ade, two.ade);
  EXPECT_EQ(one.mde, two.mde);
  EXPECT_EQ(one.chamfer, two.chamfer);
  EXPECT_EQ(one.els, two.els);
  EXPECT_EQ(one.ade_per_pose, two.ade_per_pose);
}

TEST(DeformationComparison, BadInputIsRefused) {
  const SkinPair pair = pair_skins(bar(), bar());
  EXPECT_THROW(compare_deformation(pair, {}), Error);
  EXPECT_THROW(compare_deformation(pair, {Pose(7)}), Error);
}

}  // namespace
}  // namespace sinew
