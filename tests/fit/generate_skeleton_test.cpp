#include "sinew/generate_skeleton.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>

#include "sinew/mesh/solid_domain.h"
#include "tests/fit/creature_shapes.h"

namespace sinew {
namespace {

GenerateOptions quick() {
  GenerateOptions options;
  options.cells = 64;
  return options;
}

int count_with(const Skeleton& skeleton, const std::string& start) {
  return static_cast<int>(std::count_if(skeleton.names.begin(), skeleton.names.end(),
                                        [&](const std::string& name) { return name.starts_with(start); }));
}

void expect_sound(const Skeleton& skeleton, const TriangleMesh& mesh) {
  check_skeleton(skeleton);
  EXPECT_EQ(roots_of(skeleton), std::vector<int>{0});
  EXPECT_EQ(skeleton.names[0], "root");
  EXPECT_EQ(std::set<std::string>(skeleton.names.begin(), skeleton.names.end()).size(), skeleton.names.size());
  const SolidDomain domain(mesh);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    EXPECT_TRUE(domain.contains(skeleton.position(j).cast<float>())) << skeleton.names[j];
    for (int other = 0; other < j; ++other) {
      EXPECT_GT((skeleton.position(j) - skeleton.position(other)).norm(), 1e-6)
          << skeleton.names[j] << " and " << skeleton.names[other];
    }
  }
}

TEST(GenerateSkeleton, ASnakeHasASpineAndNothingElse) {
  const TriangleMesh mesh = test::snake();
  const Skeleton skeleton = generate_skeleton(mesh, quick());
  expect_sound(skeleton, mesh);
  EXPECT_GE(skeleton.joint_count(), 7);
  EXPECT_LE(skeleton.joint_count(), 16);
  EXPECT_EQ(find_joint(skeleton, "head") >= 0, true);
  EXPECT_EQ(count_with(skeleton, "leg") + count_with(skeleton, "arm") + count_with(skeleton, "wing"), 0);
}

TEST(GenerateSkeleton, ASpiderHasFourPairsOfLegs) {
  const TriangleMesh mesh = test::spider();
  GenerateOptions options;
  const GeneratedSkeleton made = generate_creature_skeleton(mesh, options);
  expect_sound(made.skeleton, mesh);
  for (int pair = 1; pair <= 4; ++pair) {
    for (const char* side : {"L", "R"}) {
      const std::string leg = "leg_" + std::to_string(pair) + "_" + side;
      EXPECT_GE(count_with(made.skeleton, leg + "_"), 3) << leg;
    }
  }
  // The first pair is in front, and left is left of a creature that looks along z.
  const int front = find_joint(made.skeleton, "leg_1_L_2"), back = find_joint(made.skeleton, "leg_4_L_2");
  ASSERT_GE(front, 0);
  ASSERT_GE(back, 0);
  EXPECT_GT((made.skeleton.position(front) - made.skeleton.position(back)).dot(made.frame.forward), 0.3);
  EXPECT_GT(made.skeleton.position(front).dot(made.frame.left), 0.2);
  EXPECT_EQ(made.radius.size(), made.skeleton.names.size());
  EXPECT_EQ(made.confidence.size(), made.skeleton.names.size());
}

TEST(GenerateSkeleton, JointsStandAtKnees) {
  const Skeleton truth = test::spider_joints(), made = generate_skeleton(test::spider());
  for (int j = 0; j < truth.joint_count(); ++j) {
    if (!truth.names[j].starts_with("leg") || !truth.names[j].ends_with("_2")) continue;
    double nearest = 1e300;
    for (int m = 0; m < made.joint_count(); ++m) {
      nearest = std::min(nearest, (made.position(m) - truth.position(j)).norm());
    }
    EXPECT_LT(nearest, 0.13) << truth.names[j];
  }
}

TEST(GenerateSkeleton, LeftAndRightAreMirrorImages) {
  const Skeleton skeleton = generate_skeleton(test::spider(), quick());
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    std::string other = skeleton.names[j];
    const std::size_t side = other.find("_L_");
    if (side == std::string::npos) continue;
    other[side + 1] = 'R';
    const int image = find_joint(skeleton, other);
    ASSERT_GE(image, 0) << other;
    const Vec3d p = skeleton.position(j), q = skeleton.position(image);
    EXPECT_NEAR(p.x(), -q.x(), 0.02);
    EXPECT_NEAR(p.y(), q.y(), 1e-9);
    EXPECT_NEAR(p.z(), q.z(), 1e-9);
  }
}

TEST(GenerateSkeleton, OptionsSayHowManyJoints) {
  const TriangleMesh mesh = test::spider();
  GenerateOptions options = quick();
  const int usual = generate_skeleton(mesh, options).joint_count();
  options.density = 2;
  const int dense = generate_skeleton(mesh, options).joint_count();
  options.density = 0.5;
  const int sparse = generate_skeleton(mesh, options).joint_count();
  EXPECT_GT(dense, 1.4 * usual);
  EXPECT_LT(sparse, 0.8 * usual);
  options.density = 1;
  for (const int most : {4, 7, 12, 20}) {
    options.max_joints = most;
    const Skeleton few = generate_skeleton(mesh, options);
    EXPECT_LE(few.joint_count(), most);
    expect_sound(few, mesh);
  }
}

TEST(GenerateSkeleton, ForwardIsObeyed) {
  GenerateOptions options = quick();
  const TriangleMesh mesh = test::snake();
  for (const double sign : {1.0, -1.0}) {
    options.forward = Vec3d(0, 0, sign);
    const GeneratedSkeleton made = generate_creature_skeleton(mesh, options);
    const int head = find_joint(made.skeleton, "head");
    ASSERT_GE(head, 0);
    EXPECT_GT(sign * made.skeleton.position(head).z(), 0.3);
    EXPECT_NEAR(made.frame.forward.z(), sign, 1e-9);
  }
}

TEST(GenerateSkeleton, WorksOnSoupsAndClouds) {
  const TriangleMesh mesh = test::star(5);
  TriangleMesh soup;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (t % 10 == 0) continue;  // holes
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (const std::uint32_t corner : mesh.triangles[t]) soup.positions.push_back(mesh.positions[corner]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  TriangleMesh cloud;
  cloud.positions = mesh.positions;
  for (const TriangleMesh& shape : {soup, cloud}) {
    const Skeleton skeleton = generate_skeleton(shape, quick());
    check_skeleton(skeleton);
    EXPECT_GE(skeleton.joint_count(), 10);
  }
}

TEST(GenerateSkeleton, ThinSheetsAndBallsHaveAnAnswer) {
  TriangleMesh sheet;
  sheet.positions = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  check_skeleton(generate_skeleton(sheet, quick()));
  Skeleton point;
  const int a = add_joint(point, "a", -1, test::place(0, 0, 0));
  add_joint(point, "b", a, test::place(0, 0.001, 0));
  const TriangleMesh ball = test::flesh(point, {}, 0.25);
  expect_sound(generate_skeleton(ball, quick()), ball);
}

TEST(GenerateSkeleton, RefusesBadInput) {
  const TriangleMesh mesh = test::star(3);
  const auto code_of = [&](const TriangleMesh& shape, const GenerateOptions& options) {
    try {
      generate_skeleton(shape, options);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::internal;
  };
  EXPECT_EQ(code_of({}, {}), ErrorCode::mesh_missing);
  TriangleMesh point;
  point.positions = {{1, 1, 1}};
  EXPECT_EQ(code_of(point, {}), ErrorCode::mesh_degenerate);
  TriangleMesh broken = mesh;
  broken.triangles[0][0] = 1u << 30;
  EXPECT_EQ(code_of(broken, {}), ErrorCode::mesh_invalid);
  GenerateOptions options;
  options.cells = 10;
  EXPECT_EQ(code_of(mesh, options), ErrorCode::option_out_of_range);
  options = {};
  options.density = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code_of(mesh, options), ErrorCode::option_out_of_range);
  options = {};
  options.max_joints = 3;
  EXPECT_EQ(code_of(mesh, options), ErrorCode::option_out_of_range);
  options = {};
  options.up = Vec3d::Zero();
  EXPECT_EQ(code_of(mesh, options), ErrorCode::option_invalid);
}

TEST(GenerateSkeleton, CanBeStopped) {
  const std::atomic<bool> stop = true;
  try {
    generate_skeleton(test::star(3), quick(), Progress({}, &stop));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled);
  }
}

}  // namespace
}  // namespace sinew
