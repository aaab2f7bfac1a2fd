// Simplification: what is left is a subset, prolongation is a partition of unity that undoes restriction, surfaces stay
// surfaces, seams stay closed, and nothing jumps across a gap.
#include "sinew/simplify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "sinew/base/random.h"
#include "sinew/error.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// A closed tube around the x axis with caps; `seam`: the row where it closes is split, with UVs running around.
TriangleMesh tube(int rings, int sides, const Vec3f& offset, float radius, bool seam = false) {
  TriangleMesh mesh;
  const int columns = seam ? sides + 1 : sides;
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < columns; ++k) {
      const float angle = 6.2831853f * static_cast<float>(k % sides) / static_cast<float>(sides);
      mesh.positions.push_back(offset +
                               Vec3f(static_cast<float>(i) * 0.1f, radius * std::cos(angle), radius * std::sin(angle)));
      if (seam) mesh.uvs.push_back({static_cast<float>(k) / static_cast<float>(sides), static_cast<float>(i) / 10});
    }
  }
  const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i * columns + (seam ? k : k % sides)); };
  for (int i = 0; i + 1 < rings; ++i) {
    for (int k = 0; k < sides; ++k) {
      mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      mesh.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
  }
  return mesh;
}

void expect_valid(const SimplifiedMesh& mesh, std::size_t fine_points) {
  ASSERT_EQ(mesh.from_finer.points.size(), fine_points);
  ASSERT_EQ(mesh.from_finer.kept.size(), mesh.point_count);
  for (std::size_t i = 0; i < fine_points; ++i) {
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
      EXPECT_LT(mesh.from_finer.points[i][k], mesh.point_count);
      EXPECT_GE(mesh.from_finer.weights[i][k], 0.0f);
      sum += mesh.from_finer.weights[i][k];
    }
    EXPECT_NEAR(sum, 1.0f, 1e-6f);
  }
  // Restriction undoes prolongation exactly.
  for (std::uint32_t c = 0; c < mesh.point_count; ++c) {
    const std::uint32_t f = mesh.from_finer.kept[c];
    EXPECT_EQ(mesh.from_finer.points[f][0], c);
    EXPECT_EQ(mesh.from_finer.weights[f], (std::array<float, 3>{1, 0, 0}));
  }
  std::map<std::array<std::uint32_t, 2>, int> edges;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      ASSERT_LT(t[k], mesh.vertices.size());
      const std::uint32_t a = mesh.point_of[t[k]], b = mesh.point_of[t[(k + 1) % 3]];
      EXPECT_NE(a, b);
      const std::array<std::uint32_t, 2> edge{a, b};
      EXPECT_LE(++edges[edge], 1) << "two triangles run along an edge the same way";
    }
  }
}

TEST(Simplify, ChainsKeepASubsetAndPartitionUnity) {
  const TriangleMesh mesh = tube(60, 24, {0, 0, 0}, 0.4f);
  Simplifier simplifier(mesh, {});
  std::size_t fine = simplifier.input().point_count;
  EXPECT_EQ(fine, mesh.vertex_count());
  for (const std::size_t target : {700u, 200u, 60u}) {
    const SimplifiedMesh level = simplifier.reduce(target);
    EXPECT_TRUE(level.target_reached);
    EXPECT_LE(level.vertices.size(), target);
    EXPECT_GE(level.vertices.size() + 1, target);
    expect_valid(level, fine);
    fine = level.point_count;
  }
}

TEST(Simplify, FlatPlacesGoFirst) {
  // A square grid with one bump: its corner vertices and the bump's top must survive.
  TriangleMesh mesh;
  for (int y = 0; y <= 10; ++y) {
    for (int x = 0; x <= 10; ++x) {
      const float bump = x == 5 && y == 5 ? 1.0f : 0.0f;
      mesh.positions.push_back({static_cast<float>(x), static_cast<float>(y), bump});
    }
  }
  for (std::uint32_t y = 0; y < 10; ++y) {
    for (std::uint32_t x = 0; x < 10; ++x) {
      const std::uint32_t a = y * 11 + x;
      mesh.triangles.push_back({a, a + 1, a + 11});
      mesh.triangles.push_back({a + 1, a + 12, a + 11});
    }
  }
  const SimplifiedMesh level = Simplifier(mesh, {}).reduce(24);
  const std::set<std::uint32_t> left(level.vertices.begin(), level.vertices.end());
  for (const std::uint32_t v : {0u, 10u, 60u, 110u, 120u}) EXPECT_TRUE(left.contains(v)) << v;
  double area = 0;
  for (const Triangle& t : level.triangles) {
    const Vec3f a = mesh.positions[level.vertices[t[0]]], b = mesh.positions[level.vertices[t[1]]],
                c = mesh.positions[level.vertices[t[2]]];
    area += 0.5 * (b - a).cross(c - a).z();
  }
  EXPECT_NEAR(area, 100.0, 1e-4) << "the outline of an open border must not change";
}

TEST(Simplify, SeamsStayClosedAndOnTheirLine) {
  const TriangleMesh mesh = tube(40, 16, {0, 0, 0}, 0.3f, true);
  SimplifyAttributes uvs(static_cast<Eigen::Index>(mesh.vertex_count()), 2);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) uvs.row(static_cast<Eigen::Index>(v)) = mesh.uvs[v].transpose();
  SimplifyOptions options;
  options.may_move_seams = false;
  Simplifier simplifier(mesh, uvs, {}, options);
  EXPECT_EQ(simplifier.input().point_count, 40u * 16u);
  const SimplifiedMesh level = simplifier.reduce(160);
  expect_valid(level, 40 * 16);
  // Each point on the seam still has both its vertices, and no triangle reaches across the jump in u.
  std::map<std::uint32_t, int> vertices_of_point;
  for (const std::uint32_t p : level.point_of) ++vertices_of_point[p];
  for (std::size_t v = 0; v < level.vertices.size(); ++v) {
    const float u = mesh.uvs[level.vertices[v]].x();
    EXPECT_EQ(vertices_of_point[level.point_of[v]], u == 0.0f || u == 1.0f ? 2 : 1);
  }
  for (const Triangle& t : level.triangles) {
    float low = 1, high = 0;
    for (const std::uint32_t v : t) {
      low = std::min(low, mesh.uvs[level.vertices[v]].x());
      high = std::max(high, mesh.uvs[level.vertices[v]].x());
    }
    EXPECT_LT(high - low, 0.6f);
  }
}

TEST(Simplify, PointsNeverJumpToATubeThatLiesNear) {
  // Two tubes a hair apart: the nearest surface of a point is often the other tube's.
  TriangleMesh mesh = tube(40, 20, {0, 0, 0}, 0.30f);
  const std::size_t first = mesh.vertex_count();
  test::append(mesh, tube(40, 20, {0, 0.6005f, 0}, 0.30f));
  Simplifier simplifier(mesh, {});
  const SimplifiedMesh level = simplifier.reduce(60);
  expect_valid(level, mesh.vertex_count());
  for (std::size_t p = 0; p < mesh.vertex_count(); ++p) {
    for (const std::uint32_t c : level.from_finer.points[p]) {
      EXPECT_EQ(level.from_finer.kept[c] < first, p < first);
    }
  }
}

TEST(Simplify, AttributesKeepTheirDetail) {
  // A flat strip whose attribute jumps in the middle: vertices gather at the jump.
  TriangleMesh mesh = tube(80, 8, {0, 0, 0}, 0.2f);
  SimplifyAttributes step = SimplifyAttributes::Zero(static_cast<Eigen::Index>(mesh.vertex_count()), 1);
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    step(static_cast<Eigen::Index>(v), 0) = mesh.positions[v].x() > 3.95f ? 1.0f : 0.0f;
  }
  const SimplifiedMesh level = Simplifier(mesh, step).reduce(60);
  int near = 0;
  for (const std::uint32_t v : level.vertices) near += std::abs(mesh.positions[v].x() - 3.95f) < 0.1f;
  EXPECT_GE(near, 12);
}

TEST(Simplify, TouchingAndDoubledSurfacesStayApart) {
  TriangleMesh mesh = tube(10, 6, {0, 0, 0}, 0.2f);
  const std::size_t points = mesh.vertex_count();
  TriangleMesh inside_out = mesh;
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  test::append(mesh, inside_out);
  std::size_t count = 0;
  surface_points(mesh, &count);
  EXPECT_EQ(count, 2 * points - 12);  // the two sheets hang together at their two rims of six, and nowhere else
  const SimplifiedMesh level = Simplifier(mesh, {}).reduce(40);
  expect_valid(level, count);
}

TEST(Simplify, SurvivesAnyTriangles) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    TriangleMesh mesh;
    const std::uint64_t vertices = 4 + random.below(60);
    for (std::uint64_t v = 0; v < vertices; ++v) {
      mesh.positions.push_back({static_cast<float>(random.below(4)), static_cast<float>(random.below(4)),
                                static_cast<float>(random.below(3))});
    }
    for (std::uint64_t t = 0; t < 2 * vertices; ++t) {
      mesh.triangles.push_back({static_cast<std::uint32_t>(random.below(vertices)),
                                static_cast<std::uint32_t>(random.below(vertices)),
                                static_cast<std::uint32_t>(random.below(vertices))});
    }
    SimplifyOptions options;
    options.ignore_seams = seed % 2 == 1;
    Simplifier simplifier(mesh, {}, {}, options);
    const std::size_t fine = simplifier.input().point_count;
    const SimplifiedMesh level = simplifier.reduce(4);
    EXPECT_EQ(level.from_finer.points.size(), fine);
    for (const auto& w : level.from_finer.weights) EXPECT_NEAR(w[0] + w[1] + w[2], 1.0f, 1e-6f);
  }
}

TEST(Simplify, RefusesWhatIsNoMesh) {
  TriangleMesh mesh = tube(4, 4, {0, 0, 0}, 0.2f);
  EXPECT_THROW(Simplifier(mesh, SimplifyAttributes::Zero(3, 1)), Error);
  EXPECT_THROW(Simplifier(mesh, {}, {0, 1}), Error);
  mesh.positions[0].x() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(Simplifier(mesh, {}), Error);
  mesh.positions[0].x() = 0;
  mesh.triangles[0][0] = 1000;
  EXPECT_THROW(Simplifier(mesh, {}), Error);
}

}  // namespace
}  // namespace sinew
