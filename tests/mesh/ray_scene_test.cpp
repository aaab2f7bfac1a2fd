#include "sinew/mesh/ray_scene.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"

namespace sinew {
namespace {

RayScene unit_square() { return RayScene({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}); }

TEST(RayScene, HitsAndMisses) {
  const RayScene scene = unit_square();
  RayHit hit;
  ASSERT_TRUE(scene.intersect({0.75f, 0.25f, 2}, {0, 0, -1}, hit));
  EXPECT_FLOAT_EQ(hit.distance, 2);
  EXPECT_EQ(hit.triangle, 0u);
  EXPECT_FALSE(scene.intersect({1.5f, 0.25f, 2}, {0, 0, -1}, hit));
  EXPECT_TRUE(scene.occluded({0.5f, 0.5f, 1}, {0, 0, -1}, 0, 5));
  EXPECT_FALSE(scene.visible({0.5f, 0.5f, 1}, {0.5f, 0.5f, -1}));
  EXPECT_TRUE(scene.visible({0.5f, 0.5f, 1}, {0.5f, 0.5f, 0}));
}

TEST(RayScene, NoLeaksAlongSharedEdges) {
  const RayScene scene = unit_square();
  for (int i = 1; i < 100; ++i) {
    const float t = i / 100.0f;
    EXPECT_TRUE(scene.occluded({t, t, 1}, {0, 0, -1}, 0, 2)) << t;
  }
}

TEST(RayScene, ClosestPointOnFaceEdgeAndCorner) {
  const RayScene scene = unit_square();
  ClosestPoint closest;
  ASSERT_TRUE(scene.closest_point({0.6f, 0.3f, 0.5f}, closest));
  EXPECT_NEAR(closest.distance, 0.5f, 1e-6f);
  ASSERT_TRUE(scene.closest_point({2, 0.5f, 0}, closest));
  EXPECT_TRUE(closest.position.isApprox(Vec3f(1, 0.5f, 0), 1e-6f));
  ASSERT_TRUE(scene.closest_point({-1, -1, 0}, closest));
  EXPECT_TRUE(closest.position.isApprox(Vec3f(0, 0, 0), 1e-6f));
  EXPECT_FALSE(scene.closest_point({5, 5, 5}, closest, 1.0f));
}

TEST(RayScene, EmptyMeshIsNeverHit) {
  const RayScene scene({}, {});
  RayHit hit;
  ClosestPoint closest;
  EXPECT_FALSE(scene.intersect({0, 0, 0}, {0, 0, 1}, hit));
  EXPECT_FALSE(scene.closest_point({0, 0, 0}, closest));
}

}  // namespace
}  // namespace sinew
