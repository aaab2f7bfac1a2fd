#include "sinew/weights/tools/compatible_surface.h"

#include <gtest/gtest.h>

#include "tests/support/shapes.h"

namespace sinew {
namespace {

// Two layers, the nearer one facing away.
TEST(CompatibleSurface, FindsTheLayerThatFacesTheSameWay) {
  TriangleMesh mesh;
  for (const float z : {0.0f, -0.1f}) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3f& p : {Vec3f(0, 0, z), Vec3f(1, 0, z), Vec3f(0, 1, z)}) mesh.positions.push_back(p);
    mesh.triangles.push_back(z == 0 ? Triangle{first, first + 2, first + 1} : Triangle{first, first + 1, first + 2});
  }
  const CompatibleSurface surface(mesh, vertex_normals(mesh.positions, mesh.triangles));
  SurfacePlace place;
  const Vec3f point(0.2f, 0.2f, 0.05f), up(0, 0, 1);
  ASSERT_TRUE(surface.find_any(point, 1, place));
  EXPECT_NEAR(place.distance, 0.05, 1e-6);
  EXPECT_FALSE(surface.agrees(place, up, 0.5));
  ASSERT_TRUE(surface.find(point, up, 1, 0.5, place));
  EXPECT_GE(place.corners[0], 3u);
  EXPECT_FALSE(surface.find(point, up, 0.1, 0.5, place)) << "nothing that faces up is so near";
  EXPECT_TRUE(surface.find(point, Vec3f::Zero(), 1, 0.5, place)) << "no side, any will do";
  EXPECT_FALSE(surface.find_any(Vec3f(9, 9, 9), 1, place));
}

TEST(CompatibleSurface, SharesAreThoseOfTheClosestPoint) {
  const TriangleMesh mesh = test::tube(2, 0.3, 9, 12);
  const CompatibleSurface surface(mesh, vertex_normals(mesh.positions, mesh.triangles));
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Vec3f point(static_cast<float>(random.uniform(0, 2)), static_cast<float>(random.uniform(-1, 1)),
                      static_cast<float>(random.uniform(-1, 1)));
    SurfacePlace place;
    ASSERT_TRUE(surface.find_any(point, 10, place));
    Vec3d at = Vec3d::Zero();
    for (int c = 0; c < 3; ++c) at += place.share[c] * mesh.positions[place.corners[c]].cast<double>();
    EXPECT_NEAR(place.share.sum(), 1, 1e-9);
    EXPECT_NEAR((at - point.cast<double>()).norm(), place.distance, 1e-5);
  }
}

TEST(CompatibleSurface, TakesPointsWhereThereAreNoTriangles) {
  TriangleMesh cloud;
  cloud.positions = {Vec3f(0, 0, 0), Vec3f(1, 0, 0)};
  const CompatibleSurface surface(cloud, std::vector<Vec3f>(2, Vec3f::Zero()));
  SurfacePlace place;
  ASSERT_TRUE(surface.find(Vec3f(0.9f, 0, 0), Vec3f(0, 0, 1), 1, 0.9, place));
  EXPECT_EQ(place.corners[0], 1u);
}

}  // namespace
}  // namespace sinew
