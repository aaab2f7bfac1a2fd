#include "sinew/weights/tools/inpaint.h"

#include <gtest/gtest.h>

#include "tests/support/shapes.h"

namespace sinew {
namespace {

// Known at both ends of a bar: between them weights are those of a straight blend, which both energies leave alone.
TEST(Inpaint, ContinuesAStraightBlend) {
  const TriangleMesh mesh = test::tube(4, 0.25, 41, 12);
  std::vector<char> known(mesh.vertex_count(), 0);
  std::vector<WeightRow> rows(mesh.vertex_count());
  const auto blend = [&](std::size_t v) {
    const double t = std::clamp((static_cast<double>(mesh.positions[v].x()) - 0.4) / 3.2, 0.0, 1.0);
    return WeightRow{{0, 1 - t}, {1, t}};
  };
  const auto inside = [&](std::size_t v) { return std::abs(mesh.positions[v].x() - 2) < 1; };
  for (std::size_t v = 0; v < rows.size(); ++v) {
    known[v] = !inside(v);
    if (known[v]) rows[v] = blend(v);
  }
  inpaint_rows(mesh, known, rows);
  for (std::size_t v = 0; v < rows.size(); ++v) {
    EXPECT_NEAR(row_sum(rows[v]), 1, 1e-9);
    if (inside(v)) {
      EXPECT_LT(row_difference(rows[v], blend(v)), 0.01) << v;
    }
  }
}

TEST(Inpaint, LeavesPiecesWithoutKnownVerticesAlone) {
  TriangleMesh mesh = test::tube(1, 0.2, 5, 6);
  const std::size_t first = mesh.vertex_count();
  test::append(mesh, test::tube(1, 0.2, 5, 6), Vec3f(3, 0, 0));
  std::vector<char> known(mesh.vertex_count(), 0);
  std::vector<WeightRow> rows(mesh.vertex_count());
  known[0] = 1;
  rows[0] = {{3, 1.0}};
  inpaint_rows(mesh, known, rows);
  for (std::size_t v = 0; v < first; ++v) {
    ASSERT_EQ(rows[v].size(), 1u);
    EXPECT_EQ(rows[v][0].joint, 3);
  }
  for (std::size_t v = first; v < rows.size(); ++v) EXPECT_TRUE(rows[v].empty());
}

}  // namespace
}  // namespace sinew
