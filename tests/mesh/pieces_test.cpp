#include "sinew/mesh/pieces.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Pieces, AreConnectedOverSeams) {
  // Two triangles that share an edge by place only, and a third one by itself.
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {3, 5, 4}, {6, 7, 8}};
  const Components pieces = pieces_of_mesh(mesh);
  EXPECT_EQ(pieces.count, 2u);
  EXPECT_EQ(pieces.component_of, (std::vector<std::uint32_t>{0, 0, 0, 0, 0, 0, 1, 1, 1}));
}

TEST(Pieces, OfNothing) { EXPECT_EQ(pieces_of_mesh({}).count, 0u); }

}  // namespace
}  // namespace sinew
