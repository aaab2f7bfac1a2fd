#include "sinew/mesh/winding_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/base/random.h"
#include "sinew/mesh/nearest_points.h"

namespace sinew {
namespace {

// A unit sphere of latitude rings; `holes` leaves out that share of the triangles.
TriangleMesh sphere(int rings, double holes = 0.0, const Vec3f& centre = Vec3f::Zero()) {
  TriangleMesh mesh;
  const int segments = 2 * rings;
  for (int i = 0; i <= rings; ++i) {
    for (int j = 0; j < segments; ++j) {
      const double theta = std::numbers::pi * i / rings, phi = 2 * std::numbers::pi * j / segments;
      mesh.positions.push_back(
          centre +
          Vec3d(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)).cast<float>());
    }
  }
  Random random(7);
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (random.uniform() >= holes) mesh.triangles.push_back({a, b, c});
  };
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < segments; ++j) {
      const std::uint32_t a = i * segments + j, b = i * segments + (j + 1) % segments;
      add(a, a + segments, b);
      add(b, a + segments, b + segments);
    }
  }
  return mesh;
}

Vec3f random_point(Random& random, double extent) {
  return Vec3d(random.uniform(-extent, extent), random.uniform(-extent, extent), random.uniform(-extent, extent))
      .cast<float>();
}

TEST(WindingNumber, OneInsideZeroOutside) {
  const TriangleMesh mesh = sphere(24);
  const WindingNumber winding(mesh.positions, mesh.triangles);
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Vec3f p = random_point(random, 1.5);
    if (std::abs(p.norm() - 1.0f) < 0.02f) continue;
    EXPECT_NEAR(winding(p), p.norm() < 1.0f ? 1.0 : 0.0, 5e-3) << p.transpose();
  }
}

TEST(WindingNumber, AgreesWithTheExactSumOnAHoleySoup) {
  TriangleMesh mesh = sphere(40, 0.4);
  Random jitter(3);
  TriangleMesh soup;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(soup.positions.size());
    for (std::uint32_t v : t) soup.positions.push_back(mesh.positions[v] + random_point(jitter, 0.02));
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  const WindingNumber winding(soup.positions, soup.triangles);
  Random random(2);
  double worst = 0.0;
  for (int i = 0; i < 500; ++i) {
    const Vec3f p = random_point(random, 1.3);
    worst =
        std::max(worst, std::abs(winding(p) - exact_winding_number(soup.positions, soup.triangles, p.cast<double>())));
  }
  EXPECT_LT(worst, 5e-3);
}

TEST(WindingNumber, AddsUpWhereSolidsOverlap) {
  TriangleMesh both = sphere(16);
  const TriangleMesh other = sphere(16, 0.0, Vec3f(0.8f, 0, 0));
  const auto offset = static_cast<std::uint32_t>(both.positions.size());
  both.positions.insert(both.positions.end(), other.positions.begin(), other.positions.end());
  for (const Triangle& t : other.triangles) both.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  const WindingNumber winding(both.positions, both.triangles);
  EXPECT_NEAR(winding({0.4f, 0, 0}), 2.0, 5e-3);
  EXPECT_NEAR(winding({-0.6f, 0, 0}), 1.0, 5e-3);
  EXPECT_NEAR(winding({1.5f, 0.1f, 0}), 1.0, 5e-3);
  EXPECT_NEAR(winding({0, 0, 3}), 0.0, 5e-3);
}

TEST(WindingNumber, ScaleAndPlaceDoNotMatter) {
  const TriangleMesh mesh = sphere(12, 0.3);
  const WindingNumber reference(mesh.positions, mesh.triangles);
  for (const float scale : {1e-4f, 1e4f}) {
    std::vector<Vec3f> scaled = mesh.positions;
    for (Vec3f& p : scaled) p *= scale;
    const WindingNumber winding(scaled, mesh.triangles);
    Random random(5);
    for (int i = 0; i < 100; ++i) {
      const Vec3f p = random_point(random, 1.4);
      EXPECT_NEAR(winding(scale * p), reference(p), 2e-3);
    }
  }
}

TEST(WindingNumber, CloudWithNormals) {
  std::vector<Vec3f> points;
  Random random(11);
  while (points.size() < 4000) {
    const Vec3d p(random.normal(), random.normal(), random.normal());
    points.push_back(p.normalized().cast<float>());
  }
  const std::vector<Vec3f> normals = points;
  const std::vector<float> areas = cloud_areas(points);
  double total = 0.0;
  for (float area : areas) total += area;
  EXPECT_NEAR(total, 4 * std::numbers::pi, 0.2 * 4 * std::numbers::pi);
  const WindingNumber winding(points, normals, areas);
  for (int i = 0; i < 300; ++i) {
    const Vec3f p = random_point(random, 1.5);
    if (std::abs(p.norm() - 1.0f) < 0.15f) continue;
    EXPECT_EQ(winding(p) > 0.5f, p.norm() < 1.0f) << p.transpose();
  }
}

TEST(WindingNumber, EmptyDegenerateAndNotFinite) {
  EXPECT_EQ(WindingNumber({}, {})(Vec3f(0, 0, 0)), 0.0f);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  TriangleMesh mesh = sphere(8);
  mesh.positions.push_back({nan, 0, 0});
  mesh.triangles.push_back({0, 1, static_cast<std::uint32_t>(mesh.positions.size() - 1)});
  mesh.triangles.push_back({3, 3, 3});
  const WindingNumber winding(mesh.positions, mesh.triangles);
  EXPECT_NEAR(winding({0, 0, 0}), 1.0, 5e-3);
  EXPECT_TRUE(std::isfinite(winding(mesh.positions[5])));  // a query exactly on the surface
}

TEST(NearestPoints, NearestCountIsSortedAndComplete) {
  Random random(9);
  std::vector<Vec3f> points;
  for (int i = 0; i < 200; ++i) points.push_back(random_point(random, 1.0));
  const NearestPoints tree(points);
  std::vector<NearPoint> near;
  tree.nearest(Vec3f(0.1f, 0, 0), 10, near);
  ASSERT_EQ(near.size(), 10u);
  std::size_t nearer = 0;
  for (const Vec3f& p : points) nearer += (p - Vec3f(0.1f, 0, 0)).norm() < near.back().distance * (1 - 1e-6);
  EXPECT_EQ(nearer, 9u);
  tree.nearest(Vec3f(0, 0, 0), 1000, near);
  EXPECT_EQ(near.size(), 200u);
}

}  // namespace
}  // namespace sinew
