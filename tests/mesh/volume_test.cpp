#include "sinew/mesh/volume.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"
#include "sinew/mesh/edges.h"

namespace sinew {
namespace {

// The unit cube, moved; faces: bottom, top, front, back, left, right, two triangles each.
TriangleMesh cube(const Vec3f& corner = Vec3f::Zero()) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.positions.push_back(corner + Vec3f(i & 1, (i >> 1) & 1, i >> 2));
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TEST(EnclosedVolume, CubeAnywhere) {
  for (const Vec3f& corner : {Vec3f(0, 0, 0), Vec3f(100, -70, 3)}) {
    const TriangleMesh mesh = cube(corner);
    const EnclosedVolume volume(8, mesh.triangles);
    EXPECT_EQ(volume.hole_count(), 0u);
    EXPECT_NEAR(volume(mesh.positions), 1.0, 1e-5);
  }
}

TEST(EnclosedVolume, FlatHolesAreClosedExactly) {
  TriangleMesh mesh = cube(Vec3f(5, 6, 7));
  mesh.triangles.erase(mesh.triangles.begin() + 2, mesh.triangles.begin() + 4);  // the top
  mesh.triangles.erase(mesh.triangles.begin());                                  // half the bottom
  const EnclosedVolume volume(8, mesh.triangles);
  EXPECT_EQ(volume.hole_count(), 2u);
  EXPECT_NEAR(volume(mesh.positions), 1.0, 1e-5);
}

TEST(EnclosedVolume, AnInsideOutSurfaceIsNegative) {
  TriangleMesh mesh = cube();
  for (Triangle& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_NEAR(EnclosedVolume(8, mesh.triangles)(mesh.positions), -1.0, 1e-6);
}

TEST(EnclosedVolume, RandomSoupsHaveAVolumeThatDoesNotDependOnThePlace) {
  Random random(8);
  for (int round = 0; round < 20; ++round) {
    std::vector<Vec3f> positions, moved;
    for (int i = 0; i < 30; ++i) positions.push_back(Vec3f(random.uniform(), random.uniform(), random.uniform()));
    for (const Vec3f& position : positions) moved.push_back(position + Vec3f(2, -3, 1));
    std::vector<Triangle> triangles;
    for (int i = 0; i < 40; ++i) {
      triangles.push_back({static_cast<std::uint32_t>(random.below(30)), static_cast<std::uint32_t>(random.below(30)),
                           static_cast<std::uint32_t>(random.below(30))});
    }
    const EnclosedVolume volume(30, triangles);
    EXPECT_NEAR(volume(positions), volume(moved), 1e-5);
  }
}

TEST(EnclosedVolume, NothingEnclosesNothing) { EXPECT_EQ(EnclosedVolume(3, {})({}), 0.0); }

TEST(UniqueEdges, EachOnceSortedWithoutLoops) {
  EXPECT_EQ(unique_edges({{2, 1, 0}, {1, 2, 3}, {4, 4, 1}}),
            (std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {1, 4}, {2, 3}}));
  EXPECT_TRUE(unique_edges({}).empty());
}

}  // namespace
}  // namespace sinew
