#include "sinew/mesh/geodesics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/random.h"

namespace sinew {
namespace {

TriangleMesh plane(int size, double noise = 0.0) {
  TriangleMesh mesh;
  Random random(3);
  for (int y = 0; y <= size; ++y) {
    for (int x = 0; x <= size; ++x) {
      const double jitter = noise / size;
      mesh.positions.push_back(Vec3d(double(x) / size + random.uniform(-jitter, jitter),
                                     double(y) / size + random.uniform(-jitter, jitter), 0)
                                   .cast<float>());
    }
  }
  const auto at = [&](int x, int y) { return static_cast<std::uint32_t>(y * (size + 1) + x); };
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      mesh.triangles.push_back({at(x, y), at(x + 1, y), at(x, y + 1)});
      mesh.triangles.push_back({at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)});
    }
  }
  return mesh;
}

TEST(Geodesics, AreStraightOnAPlane) {
  const TriangleMesh mesh = plane(40, 0.2);
  const GeodesicSolver solver(mesh.positions, mesh.triangles);
  const std::vector<GeodesicSeed> seeds{{20 * 41 + 20, 0.0}};
  const auto reached = solver.distances(seeds);
  ASSERT_EQ(reached.size(), mesh.vertex_count());
  double last = 0;
  for (const GeodesicVertex& found : reached) {
    const double exact = (mesh.positions[found.vertex] - mesh.positions[seeds[0].vertex]).norm();
    EXPECT_NEAR(found.distance, exact, 0.02 * exact + 1.0 / 40);
    EXPECT_GE(found.distance, exact * (1 - 1e-5));
    EXPECT_GE(found.distance, last);
    last = found.distance;
  }
}

TEST(Geodesics, AreNearlyExactFromAStraightLine) {
  const TriangleMesh mesh = plane(20, 0.2);
  const GeodesicSolver solver(mesh.positions, mesh.triangles);
  std::vector<GeodesicSeed> seeds;  // the line x = 0.5, through the triangles that it crosses
  for (const Triangle& t : mesh.triangles) {
    float low = 1, high = 0;
    for (std::uint32_t v : t) {
      low = std::min(low, mesh.positions[v].x());
      high = std::max(high, mesh.positions[v].x());
    }
    if (low > 0.5f || high < 0.5f) continue;
    for (std::uint32_t v : t) seeds.push_back({v, std::abs(mesh.positions[v].x() - 0.5)});
  }
  for (const GeodesicVertex& found : solver.distances(seeds)) {
    const Vec3f& p = mesh.positions[found.vertex];
    if (p.y() > 0.2f && p.y() < 0.8f) {
      EXPECT_NEAR(found.distance, std::abs(p.x() - 0.5), 0.006);
    }
  }
}

TEST(Geodesics, GoAroundASphereNotThroughIt) {
  TriangleMesh mesh;
  const int rings = 48, sides = 64;
  for (int r = 0; r <= rings; ++r) {
    for (int s = 0; s < sides; ++s) {
      const double a = M_PI * r / rings, b = 2 * M_PI * s / sides;
      mesh.positions.push_back(Vec3d(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)).cast<float>());
    }
  }
  for (int r = 0; r < rings; ++r) {
    for (int s = 0; s < sides; ++s) {
      const auto at = [&](int x, int y) { return static_cast<std::uint32_t>(x * sides + y % sides); };
      mesh.triangles.push_back({at(r, s), at(r + 1, s), at(r, s + 1)});
      mesh.triangles.push_back({at(r + 1, s), at(r + 1, s + 1), at(r, s + 1)});
    }
  }
  const GeodesicSolver solver(mesh.positions, mesh.triangles);
  const std::uint32_t start = 24 * 64;
  const std::vector<GeodesicSeed> seeds{{start, 0.0}};
  for (const GeodesicVertex& found : solver.distances(seeds)) {
    const double cosine = mesh.positions[found.vertex].dot(mesh.positions[start]);
    const double exact = std::acos(std::clamp(cosine, -1.0, 1.0));
    if (exact > 0.3 && exact < 2.8) {
      EXPECT_NEAR(found.distance, exact, 0.02 * exact + 0.05);  // an edge is 0.065 long
    }
  }
}

TEST(Geodesics, StopWhenToldAndStayOnTheirPiece) {
  TriangleMesh mesh = plane(10);
  const auto second = static_cast<std::uint32_t>(mesh.positions.size());
  for (float x : {5.0f, 6.0f, 5.5f}) mesh.positions.push_back(Vec3f(x, x, 0));
  mesh.triangles.push_back({second, second + 1, second + 2});
  mesh.triangles.push_back({0, 1, 60});  // a third triangle on an edge
  const GeodesicSolver solver(mesh.positions, mesh.triangles);
  const std::vector<GeodesicSeed> seeds{{0, 0.0}, {120, 0.0}};
  const auto reached = solver.distances(seeds, [](const GeodesicVertex& next) { return next.distance > 0.45; });
  for (const GeodesicVertex& found : reached) {
    EXPECT_LE(found.distance, 0.45);
    EXPECT_LT(found.vertex, second);
  }
  EXPECT_TRUE(solver.distances({}).empty());
}

}  // namespace
}  // namespace sinew
