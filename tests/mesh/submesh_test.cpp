#include "sinew/mesh/submesh.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Submesh, KeepsWhatItsTrianglesUse) {
  const std::vector<Vec3f> positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
  std::vector<std::uint32_t> vertices = {7};
  const TriangleMesh part = submesh(positions, {{4, 1, 3}, {3, 1, 0}}, vertices);
  EXPECT_EQ(vertices, (std::vector<std::uint32_t>{4, 1, 3, 0}));
  EXPECT_EQ(part.triangles, (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}}));
  ASSERT_EQ(part.positions.size(), 4u);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(part.positions[v], positions[vertices[v]]);
  EXPECT_TRUE(submesh(positions, {}, vertices).positions.empty());
  EXPECT_TRUE(vertices.empty());
}

}  // namespace
}  // namespace sinew
