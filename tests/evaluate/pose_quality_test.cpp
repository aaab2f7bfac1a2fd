#include "sinew/evaluate/pose_quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/parallel.h"
#include "tests/evaluate/bar.h"

namespace sinew {
namespace {

using test::bar;
using test::bent;

TEST(PoseQuality, TheRestPoseAndRigidMotionChangeNothing) {
  const Character character = bar(11, 0.5, true);
  Pose moved = rest_pose(character.skeleton);
  moved[0].translation = Vec3d(3, -2, 1);
  moved[0].rotation = Quatd(Eigen::AngleAxisd(1.0, Vec3d(1, 2, 3).normalized()));
  const PoseQuality quality = assess_poses(character, {rest_pose(character.skeleton), moved});
  EXPECT_EQ(quality.poses, 2u);
  EXPECT_NEAR(quality.stretch_max, 0, 1e-4);
  EXPECT_NEAR(quality.stretch_mean, 0, 1e-5);
  ASSERT_TRUE(quality.volume_change);
  EXPECT_NEAR(quality.volume_change->max, 0, 1e-4);
  EXPECT_EQ(quality.holes, 0u);
}

TEST(PoseQuality, AKnownStretch) {
  // The outer third slides out by 1: edges along x between rings 1 and 2 double, their diagonals nearly so.
  const Character character = bar(3, 0.0, true);
  Pose pose = rest_pose(character.skeleton);
  pose[1].translation.x() += 1.0;
  const PoseQuality quality = assess_poses(character, {rest_pose(character.skeleton), pose});
  const double along = std::log(2.0), diagonal = std::log(std::hypot(2.0, 0.2) / std::hypot(1.0, 0.2));
  const double edges = 12 + 16 + 2;
  EXPECT_NEAR(quality.stretch_max, along, 1e-6);
  EXPECT_EQ(quality.worst_stretch_pose, 1u);
  EXPECT_NEAR(quality.stretch_mean, 4 * (along + diagonal) / edges / 2, 1e-6);
  EXPECT_NEAR(quality.stretch_p95, along, 0.0021);
  // The volume is half as large again in one of two poses.
  ASSERT_TRUE(quality.volume_change);
  EXPECT_NEAR(quality.volume_change->max, 0.5, 1e-5);
  EXPECT_NEAR(quality.volume_change->mean, 0.25, 1e-5);
  EXPECT_EQ(quality.volume_change->worst_pose, 1u);
}

TEST(PoseQuality, OpenEndsAreClosedBeforeVolumesAreMeasured) {
  const Character open = bar(11, 0.5, false), closed = bar(11, 0.5, true);
  const std::vector<Pose> poses = {bent(open.skeleton, 80)};
  const PoseQuality a = assess_poses(open, poses), b = assess_poses(closed, poses);
  EXPECT_EQ(a.holes, 2u);
  EXPECT_EQ(b.holes, 0u);
  EXPECT_GT(b.volume_change->max, 0.001);  // linear blend skinning loses volume where it bends
  EXPECT_NEAR(a.volume_change->max, b.volume_change->max, 1e-5);
}

TEST(PoseQuality, AFlatSheetHasNoVolume) {
  Character sheet = bar(11, 0.5);
  for (Vec3f& position : sheet.mesh.positions) position.z() = 0;
  EXPECT_FALSE(assess_poses(sheet, {bent(sheet.skeleton, 20)}).volume_change);
}

TEST(PoseQuality, AFoldedBarCrossesItself) {
  const Character character = bar(21, 0.0, true);
  const std::vector<Pose> poses = {rest_pose(character.skeleton), bent(character.skeleton, 30),
                                   bent(character.skeleton, 165)};
  const PoseQuality quality = assess_poses(character, poses);
  ASSERT_TRUE(quality.self_intersections);
  EXPECT_EQ(quality.self_intersections->poses, 3u);
  EXPECT_EQ(quality.self_intersections->at_rest, 0u);
  EXPECT_GT(quality.self_intersections->max, 0.03);
  EXPECT_EQ(quality.self_intersections->worst_pose, 2u);
  // Of the three poses only the first is looked at.
  const PoseQuality one = assess_poses(character, poses, {1});
  EXPECT_EQ(one.self_intersections->poses, 1u);
  EXPECT_EQ(one.self_intersections->max, 0.0);
  EXPECT_FALSE(assess_poses(character, poses, {0}).self_intersections);
}

TEST(PoseQuality, CrossingsThatAreThereAtRestAreNotNew) {
  // A rigid second bar through the first: it crosses at rest and in every pose that moves both alike.
  Character character = bar(21, 0.5, true), other = bar(21, 0.5, true);
  const auto first = static_cast<std::uint32_t>(character.mesh.vertex_count());
  for (const Vec3f& p : other.mesh.positions)
    character.mesh.positions.push_back(Vec3f(0.31f + p.z(), p.x() - 1, p.y()));
  for (const auto& [a, b, c] : other.mesh.triangles)
    character.mesh.triangles.push_back({first + a, first + b, first + c});
  const SkinWeights weights = character.weights;
  character.weights = make_skin_weights(2 * first, 4);
  std::copy(weights.joints.begin(), weights.joints.end(), character.weights.joints.begin());
  std::copy(weights.weights.begin(), weights.weights.end(), character.weights.weights.begin());
  for (std::size_t vertex = first; vertex < 2 * first; ++vertex) set_influences(character.weights, vertex, {{0, 1.0}});
  const PoseQuality quality = assess_poses(character, {bent(character.skeleton, 10)});
  EXPECT_GT(quality.self_intersections->at_rest, 0u);
  EXPECT_EQ(quality.self_intersections->max, 0.0);
}

TEST(PoseQuality, SameBitsAtAnyThreadCount) {
  const Character character = bar(101, 0.3, true);
  std::vector<Pose> poses;
  for (int step = 0; step < 35; ++step) poses.push_back(bent(character.skeleton, 4.0 * step));
  const auto run = [&] { return assess_poses(character, poses); };
  const PoseQuality one = with_threads(1, run), two = with_threads(2, run);
  EXPECT_EQ(one.stretch_mean, two.stretch_mean);
  EXPECT_EQ(one.stretch_p95, two.stretch_p95);
  EXPECT_EQ(one.volume_change->mean, two.volume_change->mean);
}

TEST(PoseQuality, BadInputIsRefused) {
  EXPECT_THROW(assess_poses(bar(), {}), Error);
  EXPECT_THROW(assess_poses(bar(), {Pose(5)}), Error);
  EXPECT_THROW(assess_poses(Character{}, {Pose()}), Error);
}

}  // namespace
}  // namespace sinew
