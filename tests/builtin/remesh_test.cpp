#include "sinew/builtin/remesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "sinew/base/parallel.h"
#include "sinew/builtin/half_edge_mesh.h"
#include "sinew/builtin/implicit_surface.h"
#include "sinew/error.h"

namespace sinew {
namespace {

double sphere(const Vec3d& p) { return p.norm() - 1.0; }
double torus(const Vec3d& p) { return std::hypot(std::hypot(p.x(), p.z()) - 1.0, p.y()) - 0.35; }

ImplicitOptions around(double extent, double cell) {
  ImplicitOptions options;
  options.box = AABBd(Vec3d::Constant(-extent), Vec3d::Constant(extent));
  // Finer on one side, so that cells of different size meet.
  options.cell_size = [cell](const Vec3d& p) { return p.x() > 0.2 ? cell / 3 : cell; };
  options.largest_cell = cell;
  return options;
}

// Euler characteristic of a closed, manifold, consistently oriented mesh; fails the test for any other.
int euler_characteristic(const TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  }
  for (const auto& [edge, uses] : edges) {
    EXPECT_EQ(uses, 1);
    EXPECT_TRUE(edges.contains({edge.second, edge.first}));
  }
  return static_cast<int>(mesh.positions.size()) - static_cast<int>(edges.size() / 2) +
         static_cast<int>(mesh.triangles.size());
}

double volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    sum += mesh.positions[t[0]].cast<double>().dot(
               mesh.positions[t[1]].cast<double>().cross(mesh.positions[t[2]].cast<double>())) /
           6;
  }
  return sum;
}

double smallest_angle_mean_deg(const TriangleMesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    double smallest = 180;
    for (int k = 0; k < 3; ++k) {
      const Vec3f a = mesh.positions[t[(k + 1) % 3]] - mesh.positions[t[k]];
      const Vec3f b = mesh.positions[t[(k + 2) % 3]] - mesh.positions[t[k]];
      smallest = std::min(smallest, std::atan2(a.cross(b).norm(), a.dot(b)) * 180.0 / std::numbers::pi);
    }
    sum += smallest;
  }
  return sum / static_cast<double>(mesh.triangles.size());
}

TEST(ImplicitSurface, IsClosedAcrossLevelsAndHasTheRightTopologyAndVolume) {
  const TriangleMesh ball = implicit_surface(sphere, around(1.3, 0.35));
  EXPECT_EQ(euler_characteristic(ball), 2);
  EXPECT_NEAR(volume(ball), 4.0 / 3.0 * std::numbers::pi, 0.08);
  const TriangleMesh ring = implicit_surface(torus, around(1.6, 0.25));
  EXPECT_EQ(euler_characteristic(ring), 0);
  EXPECT_NEAR(volume(ring), 2 * std::numbers::pi * std::numbers::pi * 0.35 * 0.35, 0.12);
}

TEST(ImplicitSurface, SaysWhenTheSurfaceLeavesTheBox) {
  ImplicitOptions options = around(0.8, 0.1);
  EXPECT_THROW(implicit_surface(sphere, options), Error);
  options.box = AABBd();
  EXPECT_THROW(implicit_surface(sphere, options), Error);
}

TEST(ImplicitSurface, IsCutExactlyAtTheLowerFace) {
  ImplicitOptions options = around(1.3, 0.35);
  options.box.min().x() = 0;
  const TriangleMesh half = implicit_surface(sphere, options);
  float lowest = 1;
  for (const Vec3f& p : half.positions) lowest = std::min(lowest, p.x());
  EXPECT_EQ(lowest, 0.0f);
}

RemeshOptions on_sphere(std::size_t vertices) {
  RemeshOptions options;
  options.vertex_count = vertices;
  options.edge_length = [](const Vec3d& p) { return p.y() > 0 ? 0.5 : 1.0; };
  options.project = [](const Vec3d& p, bool boundary) {
    return boundary ? Vec3d(Vec3d(0, p.y(), p.z()).normalized()) : Vec3d(p.normalized());
  };
  return options;
}

TEST(Remesh, HitsTheVertexCountWithGoodTriangles) {
  const TriangleMesh raw = implicit_surface(sphere, around(1.3, 0.35));
  for (const std::size_t wanted : {60u, 500u, 5000u}) {
    const TriangleMesh mesh = remesh(raw, on_sphere(wanted));
    EXPECT_EQ(mesh.positions.size(), wanted);
    EXPECT_EQ(euler_characteristic(mesh), 2);
    if (wanted >= 500) {
      EXPECT_GT(smallest_angle_mean_deg(mesh), 46.0);
    }
    for (const Vec3f& p : mesh.positions) EXPECT_NEAR(p.norm(), 1.0, 1e-5);
  }
}

TEST(Remesh, FollowsTheWishedSizes) {
  const TriangleMesh mesh = remesh(implicit_surface(sphere, around(1.3, 0.35)), on_sphere(3000));
  double upper = 0, lower = 0;
  for (const Vec3f& p : mesh.positions) (p.y() > 0 ? upper : lower) += 1;
  // Half the edge length on the same area: four times the vertices.
  EXPECT_NEAR(upper / lower, 4.0, 0.8);
}

TEST(Remesh, KeepsTheBoundaryInItsPlane) {
  ImplicitOptions extraction = around(1.3, 0.35);
  extraction.box.min().x() = 0;
  RemeshOptions options = on_sphere(1000);
  options.boundary_cost = 0.5;
  const TriangleMesh half = remesh(implicit_surface(sphere, extraction), options);
  const HalfEdgeMesh edges(half);
  double cost = 0;
  for (std::uint32_t v = 0; v < half.positions.size(); ++v) {
    EXPECT_EQ(edges.on_boundary(v), half.positions[v].x() == 0) << v;
    cost += edges.on_boundary(v) ? 0.5 : 1.0;
  }
  EXPECT_NEAR(cost, 1000.0, 1.0);
}

TEST(Remesh, GivesTheSameBitsAtAnyThreadCount) {
  const TriangleMesh raw = implicit_surface(torus, around(1.6, 0.25));
  RemeshOptions options = on_sphere(800);
  options.project = [](const Vec3d& p, bool) {
    const Vec3d ring = Vec3d(p.x(), 0, p.z()).normalized();
    return Vec3d(ring + 0.35 * (p - ring).normalized());
  };
  const TriangleMesh one = with_threads(1, [&] { return remesh(raw, options); });
  const TriangleMesh two = with_threads(2, [&] { return remesh(implicit_surface(torus, around(1.6, 0.25)), options); });
  EXPECT_EQ(one.triangles, two.triangles);
  EXPECT_EQ(one.positions, two.positions);
  EXPECT_EQ(euler_characteristic(one), 0);
}

TEST(Remesh, RefusesWhatItCannotUse) {
  const TriangleMesh raw = implicit_surface(sphere, around(1.3, 0.35));
  RemeshOptions options = on_sphere(3);
  EXPECT_THROW(remesh(raw, options), Error);
  TriangleMesh folded;
  folded.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  folded.triangles = {{0, 1, 2}, {0, 1, 3}};
  EXPECT_THROW(remesh(folded, on_sphere(10)), Error);
}

}  // namespace
}  // namespace sinew
