#include "sinew/mesh/weld.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(Weld, JoinsEqualPositionsInOrderOfAppearance) {
  const std::vector<Vec3f> positions = {{0, 0, 0}, {1, 0, 0}, {-0.0f, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Weld weld = weld_positions(positions);
  EXPECT_EQ(weld.welded_of, (std::vector<std::uint32_t>{0, 1, 0, 1, 2}));
  EXPECT_EQ(weld.representative, (std::vector<std::uint32_t>{0, 1, 4}));
}

TEST(Weld, ToleranceWorksAcrossCellBorders) {
  const std::vector<Vec3f> positions = {{0.999f, 0, 0}, {1.001f, 0, 0}, {2, 0, 0}};
  EXPECT_EQ(weld_positions(positions, 0.01).welded_count(), 2u);
  EXPECT_EQ(weld_positions(positions).welded_count(), 3u);
}

TEST(Weld, DropsTrianglesThatCollapse) {
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 3, 1}};
  std::vector<std::uint32_t> kept;
  const TriangleMesh welded = welded_mesh(mesh, weld_positions(mesh.positions), &kept);
  EXPECT_EQ(welded.positions.size(), 3u);
  EXPECT_EQ(kept, std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace sinew
