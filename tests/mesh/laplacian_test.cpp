#include "sinew/mesh/laplacian.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/random.h"

namespace sinew {
namespace {

TriangleMesh grid(int size) {
  TriangleMesh mesh;
  for (int y = 0; y <= size; ++y) {
    for (int x = 0; x <= size; ++x) mesh.positions.push_back(Vec3f(float(x) / size, float(y) / size, 0));
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

void expect_valid(const Laplacian& laplacian) {
  const Eigen::VectorXd rows = laplacian.stiffness * Eigen::VectorXd::Ones(laplacian.stiffness.cols());
  EXPECT_LT(rows.cwiseAbs().maxCoeff(), 1e-6 * std::max(1.0, laplacian.stiffness.coeffs().cwiseAbs().maxCoeff()));
  for (int column = 0; column < laplacian.stiffness.outerSize(); ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(laplacian.stiffness, column); it; ++it) {
      ASSERT_TRUE(std::isfinite(it.value()));
      if (it.row() != it.col()) {
        ASSERT_LE(it.value(), 0.0);
      }
      ASSERT_EQ(it.value(), laplacian.stiffness.coeff(it.col(), it.row()));
    }
  }
}

TEST(RobustLaplacian, IsTheFivePointStencilOnARegularGrid) {
  const TriangleMesh mesh = grid(4);
  const Laplacian laplacian = robust_laplacian(mesh.positions, mesh.triangles, 0.0);
  expect_valid(laplacian);
  EXPECT_NEAR(laplacian.stiffness.coeff(12, 12), 4.0, 1e-6);
  for (int neighbour : {7, 11, 13, 17}) EXPECT_NEAR(laplacian.stiffness.coeff(12, neighbour), -1.0, 1e-6);
  EXPECT_NEAR(laplacian.mass.sum(), 1.0, 1e-6);
}

TEST(RobustLaplacian, HasTheEnergyOfLinearFunctionsOnAnyTriangulationOfThePlane) {
  TriangleMesh mesh = grid(9);
  Random random(5);
  for (Vec3f& p : mesh.positions) {
    if (p.x() > 0 && p.x() < 1 && p.y() > 0 && p.y() < 1) {
      // No further, or a triangle may turn over and cover its neighbours.
      p += Vec3d(random.uniform(-0.025, 0.025), random.uniform(-0.025, 0.025), 0).cast<float>();
    }
  }
  const Laplacian laplacian = robust_laplacian(mesh.positions, mesh.triangles, 0.0);
  expect_valid(laplacian);
  Eigen::VectorXd linear(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    linear[v] = 2.0 * mesh.positions[v].x() - 3.0 * mesh.positions[v].y();
  }
  EXPECT_NEAR(linear.dot(laplacian.stiffness * linear), 13.0, 1e-4);
}

TEST(RobustLaplacian, SurvivesAnything) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed);
    TriangleMesh mesh;
    for (int v = 0; v < 30; ++v) {
      mesh.positions.push_back(
          Vec3d(random.uniform(), random.uniform(), random.uniform() * (seed % 3 ? 1.0 : 1e-7)).cast<float>());
    }
    if (seed % 2) mesh.positions[3] = mesh.positions[4];
    for (int t = 0; t < 60; ++t) {
      const auto a = static_cast<std::uint32_t>(random.below(30));
      const auto b = static_cast<std::uint32_t>((a + 1 + random.below(29)) % 30);
      auto c = static_cast<std::uint32_t>(random.below(30));
      while (c == a || c == b) c = (c + 1) % 30;
      mesh.triangles.push_back({a, b, c});
      if (t % 7 == 0) mesh.triangles.push_back({a, c, b});
    }
    const Laplacian laplacian = robust_laplacian(mesh.positions, mesh.triangles);
    expect_valid(laplacian);
  }
  EXPECT_EQ(robust_laplacian({Vec3f::Zero()}, {}).stiffness.nonZeros(), 0);
}

TEST(RobustLaplacian, DoesNotDependOnTheUnit) {
  TriangleMesh mesh = grid(3);
  mesh.positions[5].z() = 0.3f;
  const Laplacian one = robust_laplacian(mesh.positions, mesh.triangles);
  for (Vec3f& p : mesh.positions) p *= 1024.0f;
  const Laplacian other = robust_laplacian(mesh.positions, mesh.triangles);
  EXPECT_LT((Eigen::MatrixXd(one.stiffness) - Eigen::MatrixXd(other.stiffness)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(CloudLaplacian, OfTheSquaredDistanceIsFourOnAPlane) {
  Random random(3);
  std::vector<Vec3f> points;
  for (int i = 0; i < 4000; ++i) {
    points.push_back(Vec3f(static_cast<float>(random.uniform()), static_cast<float>(random.uniform()), 0));
  }
  const Laplacian laplacian = cloud_laplacian(points);
  Eigen::VectorXd square(points.size()), ones = Eigen::VectorXd::Ones(square.size());
  for (std::size_t i = 0; i < points.size(); ++i) square[i] = points[i].cast<double>().squaredNorm();
  EXPECT_LT((laplacian.stiffness * ones).cwiseAbs().maxCoeff(), 1e-12);
  const Eigen::VectorXd integrated = -(laplacian.stiffness * square);
  double inner = 0, mass = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if ((points[i].head<2>() - Eigen::Vector2f(0.5f, 0.5f)).cwiseAbs().maxCoeff() > 0.4f) continue;
    inner += integrated[i];
    mass += laplacian.mass[i];
  }
  EXPECT_NEAR(inner / mass, 4.0, 0.4);
  EXPECT_NEAR(mass, 0.64, 0.1);
}

TEST(CloudLaplacian, SurvivesPointsAtOnePlace) {
  const Laplacian laplacian = cloud_laplacian(std::vector<Vec3f>(20, Vec3f(1, 2, 3)));
  EXPECT_TRUE(laplacian.mass.allFinite());
  EXPECT_TRUE(laplacian.stiffness.coeffs().allFinite());
}

}  // namespace
}  // namespace sinew
