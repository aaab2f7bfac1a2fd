#include "sinew/flesh/material.h"

#include <gtest/gtest.h>

#include "sinew/base/random.h"

namespace sinew {
namespace {

Mat3d random_matrix(Random& random, double size) {
  Mat3d m;
  for (int i = 0; i < 9; ++i) m(i % 3, i / 3) = random.uniform(-size, size);
  return m;
}

TEST(FleshMaterial, RestsInAnyRotation) {
  const FleshMaterial material;
  const Mat3d turn = Eigen::AngleAxisd(1.1, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
  EXPECT_NEAR(flesh_energy(material, turn), 0.0, 1e-12);
  EXPECT_LT(flesh_stress(material, turn).norm(), 1e-12);
  EXPECT_GT(flesh_energy(material, 1.1 * turn), 0.0);
}

TEST(FleshMaterial, StressIsTheSlopeOfTheEnergyEvenTurnedInsideOut) {
  const FleshMaterial material;
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Mat3d f = (trial % 2 == 0 ? 1.0 : -0.5) * Mat3d::Identity() + random_matrix(random, 0.8);
    const Mat3d direction = random_matrix(random, 1.0);
    const double h = 1e-5;
    const double slope =
        (flesh_energy(material, f + h * direction) - flesh_energy(material, f - h * direction)) / (2 * h);
    EXPECT_NEAR(flesh_stress(material, f).cwiseProduct(direction).sum(), slope, 1e-6 * (1 + std::abs(slope)));
  }
}

TEST(FleshMaterial, CurvatureIsTheSlopeOfTheStressWhereNothingWasRaised) {
  const FleshMaterial material;
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    // Swollen until the pressure vanishes: all eigenvalues are positive.
    const Mat3d f = 1.0103 * Mat3d::Identity() + random_matrix(random, 0.001);
    const Mat3d direction = random_matrix(random, 1.0);
    const FleshCurvature curvature = flesh_curvature(material, f);
    const Mat3d local = curvature.u.transpose() * direction * curvature.v;
    Mat3d answer = Mat3d::Zero();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        answer(i, i) += curvature.stretch(i, j) * local(j, j);
        if (i != j) answer(i, j) += curvature.same(i, j) * local(i, j) + curvature.exchanged(i, j) * local(j, i);
      }
    }
    const double h = 1e-6;
    const Mat3d slope =
        (flesh_stress(material, f + h * direction) - flesh_stress(material, f - h * direction)) / (2 * h);
    EXPECT_LT((curvature.u * answer * curvature.v.transpose() - slope).norm(), 1e-5 * slope.norm());
  }
}

TEST(FleshMaterial, DecompositionKeepsRotations) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat3d f = random_matrix(random, 1.0);
    Mat3d u, v;
    Vec3d s;
    rotation_variant_svd(f, u, s, v);
    EXPECT_LT((u * s.asDiagonal() * v.transpose() - f).norm(), 1e-6);
    EXPECT_NEAR(u.determinant(), 1.0, 1e-9);
    EXPECT_NEAR(v.determinant(), 1.0, 1e-9);
  }
}

}  // namespace
}  // namespace sinew
