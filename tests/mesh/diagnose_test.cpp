#include "sinew/mesh/diagnose.h"

#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/mesh/self_intersections.h"
#include "tests/support/shapes.h"

namespace sinew {
namespace {

// A box with outward triangles; `seams` gives every face its own corners.
TriangleMesh box(const Vec3f& low, const Vec3f& high, bool seams = false) {
  TriangleMesh mesh;
  const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  const auto corner = [&](int i) {
    return Vec3f(i & 1 ? high.x() : low.x(), i & 2 ? high.y() : low.y(), i & 4 ? high.z() : low.z());
  };
  for (int i = 0; i < 8 && !seams; ++i) mesh.positions.push_back(corner(i));
  for (const auto& quad : quads) {
    std::uint32_t q[4];
    for (int k = 0; k < 4; ++k) {
      q[k] = static_cast<std::uint32_t>(quad[k]);
      if (seams) {
        q[k] = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back(corner(quad[k]));
      }
    }
    mesh.triangles.push_back({q[0], q[1], q[2]});
    mesh.triangles.push_back({q[0], q[2], q[3]});
  }
  return mesh;
}

TEST(Diagnose, AClosedBoxHasNoDefects) {
  for (const bool seams : {false, true}) {
    const MeshDefects d = diagnose(box({0, 0, 0}, {1, 2, 3}, seams));
    EXPECT_EQ(d.welded_vertices, 8u);
    EXPECT_EQ(d.components, 1u);
    EXPECT_TRUE(d.is_watertight());
    EXPECT_FALSE(d.is_inside_out());
    EXPECT_NEAR(d.volume, 6.0, 1e-6);
    EXPECT_EQ(d.intersecting_triangles + d.duplicate_triangles + d.degenerate_triangles + d.isolated_vertices, 0u);
  }
}

TEST(Diagnose, CountsEachDefect) {
  TriangleMesh open = box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  EXPECT_EQ(diagnose(open).boundary_edges, 3u);
  EXPECT_FALSE(diagnose(open).is_closed());

  TriangleMesh flipped = box({0, 0, 0}, {1, 1, 1});
  std::swap(flipped.triangles[0][1], flipped.triangles[0][2]);
  EXPECT_EQ(diagnose(flipped).inconsistent_edges, 3u);
  EXPECT_FALSE(diagnose(flipped).is_watertight());

  TriangleMesh inside_out = box({0, 0, 0}, {1, 1, 1});
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  EXPECT_TRUE(diagnose(inside_out).is_inside_out());

  TriangleMesh messy = box({0, 0, 0}, {1, 1, 1});
  messy.triangles.push_back({0, 1, 1});                                                              // collapsed
  messy.triangles.push_back({messy.triangles[0][1], messy.triangles[0][0], messy.triangles[0][2]});  // duplicate
  messy.positions.push_back({5, 5, 5});                                                              // isolated
  const MeshDefects d = diagnose(messy);
  EXPECT_EQ(d.degenerate_triangles, 1u);
  EXPECT_EQ(d.duplicate_triangles, 1u);
  EXPECT_EQ(d.isolated_vertices, 1u);
  EXPECT_EQ(d.non_manifold_edges, 3u);
  EXPECT_EQ(d.components, 1u);
}

TEST(Diagnose, APointCloudHasNoDefects) {
  TriangleMesh cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
  const MeshDefects d = diagnose(cloud);
  EXPECT_EQ(d.welded_vertices, 2u);
  EXPECT_EQ(d.isolated_vertices, 0u);
  EXPECT_FALSE(d.is_closed());
}

TEST(SelfIntersections, TwoBoxesThatPassThroughEachOther) {
  TriangleMesh mesh = box({0, 0, 0}, {1, 1, 1});
  test::append(mesh, box({2, 0, 0}, {3, 1, 1}));
  EXPECT_EQ(count_self_intersecting_triangles(mesh.positions, mesh.triangles), 0u);
  test::append(mesh, box({0.5f, 0.3f, 0.3f}, {2.4f, 0.6f, 0.7f}));  // a bar through the facing sides of both
  const auto pairs = self_intersection_pairs(mesh.positions, mesh.triangles);
  EXPECT_FALSE(pairs.empty());
  for (const auto& [a, b] : pairs) EXPECT_LT(a, b);
  EXPECT_EQ(diagnose(mesh).components, 3u);
  // Both triangles of each pierced side, and the eight along the bar.
  EXPECT_EQ(count_self_intersecting_triangles(mesh.positions, mesh.triangles), 12u);
}

TEST(SelfIntersections, TouchingIsNotIntersecting) {
  TriangleMesh mesh = box({0, 0, 0}, {1, 1, 1});
  test::append(mesh, box({1, 0.2f, 0.2f}, {2, 0.8f, 0.8f}));  // stands on the first one's side
  EXPECT_EQ(count_self_intersecting_triangles(mesh.positions, mesh.triangles), 0u);
}

// Every pair against the obvious way: sample points of one triangle's edges against the other's plane and inside.
TEST(SelfIntersections, AgreesWithBruteForceOnRandomSoup) {
  Random random(3);
  TriangleMesh soup;
  for (std::uint32_t t = 0; t < 300; ++t) {
    const Vec3f centre(random.uniform(), random.uniform(), random.uniform());
    for (int k = 0; k < 3; ++k) {
      soup.positions.push_back(centre + 0.15f * Vec3f(random.normal(), random.normal(), random.normal()));
    }
    soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  const auto hits = [&](const Triangle& x, const Triangle& y) {
    const Vec3d a = soup.positions[y[0]].cast<double>();
    const Vec3d ab = soup.positions[y[1]].cast<double>() - a, ac = soup.positions[y[2]].cast<double>() - a;
    for (int k = 0; k < 3; ++k) {
      const Vec3d p = soup.positions[x[k]].cast<double>(), d = soup.positions[x[(k + 1) % 3]].cast<double>() - p;
      Mat3d system;
      system << ab, ac, -d;
      const Vec3d uvt = system.fullPivLu().solve(p - a);
      if (uvt[0] >= 0 && uvt[1] >= 0 && uvt[0] + uvt[1] <= 1 && uvt[2] > 0 && uvt[2] < 1) return true;
    }
    return false;
  };
  std::vector<std::array<std::uint32_t, 2>> expected;
  for (std::uint32_t i = 0; i < soup.triangles.size(); ++i) {
    for (std::uint32_t j = i + 1; j < soup.triangles.size(); ++j) {
      if (hits(soup.triangles[i], soup.triangles[j]) || hits(soup.triangles[j], soup.triangles[i])) {
        expected.push_back({i, j});
      }
    }
  }
  ASSERT_GT(expected.size(), 100u);
  for (const int threads : {1, 2}) {
    const auto found = with_threads(threads, [&] { return self_intersection_pairs(soup.positions, soup.triangles); });
    EXPECT_EQ(found, expected);
  }
  std::vector<std::uint8_t> flags(soup.triangles.size(), 0);
  for (const auto& [i, j] : expected) flags[i] = flags[j] = 1;
  EXPECT_EQ(self_intersecting_triangles(soup.positions, soup.triangles), flags);
}

TEST(SelfIntersections, IgnoresCornersThatAreNotFinite) {
  TriangleMesh mesh = box({0, 0, 0}, {1, 1, 1});
  test::append(mesh, box({0.5f, 0.3f, 0.3f}, {2.4f, 0.6f, 0.7f}));
  for (std::size_t i = 8; i < mesh.positions.size(); ++i) mesh.positions[i].x() = std::nanf("");
  EXPECT_EQ(count_self_intersecting_triangles(mesh.positions, mesh.triangles), 0u);
}

}  // namespace
}  // namespace sinew
