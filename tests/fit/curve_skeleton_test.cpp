#include "sinew/fit/curve_skeleton.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sinew/base/parallel.h"
#include "sinew/fit/curve_paths.h"
#include "tests/fit/creature_shapes.h"

namespace sinew {
namespace {

CurveSkeleton curve_of(const TriangleMesh& mesh, int cells = 64) { return curve_skeleton(VoxelSolid(mesh, cells)); }

double nearest_node(const CurveSkeleton& curve, const Vec3d& place) {
  double nearest = 1e300;
  for (const CurveNode& node : curve.nodes) nearest = std::min(nearest, (node.position - place).norm());
  return nearest;
}

void expect_tree_inside(const CurveSkeleton& curve, const TriangleMesh& mesh) {
  const VoxelSolid solid(mesh, 64);
  ASSERT_FALSE(curve.nodes.empty());
  EXPECT_EQ(curve.nodes[0].parent, -1);
  for (std::size_t n = 1; n < curve.nodes.size(); ++n) {
    EXPECT_GE(curve.nodes[n].parent, 0);
    EXPECT_LT(curve.nodes[n].parent, static_cast<int>(n));
    EXPECT_GE(solid.near(curve.nodes[n].position, 1), 0);
    EXPECT_GT(curve.nodes[n].radius, 0);
    EXPECT_LT((curve.nodes[n].position - curve.nodes[curve.nodes[n].parent].position).norm(), 3 * curve.cell);
  }
}

TEST(CurveSkeleton, FollowsATubeFromEndToEnd) {
  const TriangleMesh mesh = test::snake();
  const CurveSkeleton curve = curve_of(mesh);
  expect_tree_inside(curve, mesh);
  const Skeleton joints = test::snake_joints();
  for (int j = 0; j < joints.joint_count(); ++j) EXPECT_LT(nearest_node(curve, joints.position(j)), 0.06) << j;
  BodyFrame frame;
  EXPECT_EQ(take_apart(curve, frame, false).paths.size(), 1u);
  for (const CurveNode& node : curve.nodes) EXPECT_LT(node.radius, 0.15);
}

TEST(CurveSkeleton, FindsEveryArmOfAStar) {
  for (const int arms : {3, 4, 5, 7}) {
    const TriangleMesh mesh = test::star(arms);
    const CurveSkeleton curve = curve_of(mesh);
    expect_tree_inside(curve, mesh);
    EXPECT_EQ(curve.tips().size(), static_cast<std::size_t>(arms));
    const Skeleton joints = test::star_joints(arms);
    for (int j = 0; j < joints.joint_count(); ++j) EXPECT_LT(nearest_node(curve, joints.position(j)), 0.06) << j;
  }
}

TEST(CurveSkeleton, ASphereHasNoLimbs) {
  Skeleton s;
  const int middle = add_joint(s, "a", -1, test::place(0, 0, 0));
  add_joint(s, "b", middle, test::place(0, 0.001, 0));
  BodyFrame frame;
  const CurvePaths paths = take_apart(curve_of(test::flesh(s, {}, 0.25)), frame, false);
  EXPECT_EQ(paths.paths.size(), 1u);
}

TEST(CurveSkeleton, IsItsOwnMirrorImageToTheLastBit) {
  const CurveSkeleton curve = curve_of(test::spider());
  ASSERT_TRUE(curve.symmetric);
  EXPECT_NEAR(std::abs(curve.plane.normal.x()), 1, 1e-12);
  for (std::size_t n = 0; n < curve.nodes.size(); ++n) {
    const CurveNode& node = curve.nodes[n];
    ASSERT_GE(node.mirror, 0);
    const CurveNode& image = curve.nodes[node.mirror];
    EXPECT_EQ(image.mirror, static_cast<int>(n));
    EXPECT_EQ(image.radius, node.radius);
    EXPECT_LT((curve.plane.mirrored(node.position) - image.position).norm(), 1e-12);
    if (node.parent >= 0) {
      EXPECT_EQ(image.parent, curve.nodes[node.parent].mirror);
    }
  }
}

TEST(CurveSkeleton, SeesEightLegsAndTakesThemApart) {
  const CurveSkeleton curve = curve_of(test::spider(), 96);
  BodyFrame frame;
  const CurvePaths paths = take_apart(curve, frame, false);
  const Skeleton joints = test::spider_joints();
  int legs = 0;
  for (std::size_t p = 1; p < paths.paths.size(); ++p) {
    const CurvePath& path = paths.paths[p];
    EXPECT_EQ(path.parent, 0);
    ASSERT_GE(path.mirror, 0);
    EXPECT_EQ(paths.paths[path.mirror].mirror, static_cast<int>(p));
    const Vec3d tip = curve.nodes[path.nodes.back()].position;
    for (int j = 0; j < joints.joint_count(); ++j) {
      legs += joints.kinds[j] == JointKind::end && (joints.position(j) - tip).norm() < 0.15;
    }
  }
  EXPECT_EQ(legs, 8);
}

TEST(CurveSkeleton, ARingIsCutOpen) {
  Skeleton ring;
  int parent = -1;
  for (int i = 0; i <= 16; ++i) {
    const double angle = 2 * std::numbers::pi * i / 16;
    parent = add_joint(ring, std::to_string(i), parent, test::place(std::cos(angle), 0, std::sin(angle)));
  }
  const TriangleMesh mesh = test::flesh(ring, {}, 0.1);
  expect_tree_inside(curve_of(mesh), mesh);
}

TEST(CurveSkeleton, JoinsPiecesThatNothingHoldsTogether) {
  Skeleton two;
  const int a = add_joint(two, "a", -1, test::place(0, 0, 0));
  add_joint(two, "b", a, test::place(0, 0, 1));
  const int c = add_joint(two, "c", -1, test::place(0, 0, 1.6));
  add_joint(two, "d", c, test::place(0, 0, 2.2));
  const TriangleMesh mesh = test::flesh(two, {}, 0.1);
  const CurveSkeleton curve = curve_of(mesh);
  EXPECT_LT(nearest_node(curve, two.position(1)), 0.15);
  EXPECT_LT(nearest_node(curve, two.position(3)), 0.15);
}

TEST(CurveSkeleton, IsTheSameAtAnyThreadCount) {
  const TriangleMesh mesh = test::spider();
  const CurveSkeleton one = with_threads(1, [&] { return curve_of(mesh); });
  const CurveSkeleton many = with_threads(4, [&] { return curve_of(mesh); });
  ASSERT_EQ(one.nodes.size(), many.nodes.size());
  for (std::size_t n = 0; n < one.nodes.size(); ++n) EXPECT_EQ(one.nodes[n].position, many.nodes[n].position);
}

TEST(CurveSkeleton, MeasuresAlongItsBranches) {
  const CurveSkeleton curve = curve_of(test::star(3));
  const std::vector<int> tips = curve.tips();
  ASSERT_EQ(tips.size(), 3u);
  EXPECT_EQ(curve.distance(tips[0], tips[0]), 0);
  EXPECT_NEAR(curve.distance(tips[0], tips[1]), 2.1, 0.35);
  EXPECT_EQ(curve.way_to_core(tips[0]).back(), 0);
}

}  // namespace
}  // namespace sinew
