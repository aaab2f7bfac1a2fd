#include "sinew/base/rotation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/random.h"

namespace sinew {
namespace {

Vec3d random_direction(Random& random) {
  return Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
}

TEST(RotationBetween, TakesOneDirectionToTheOtherTheShortWay) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3d from = random_direction(random), to = random_direction(random);
    const Quatd turn = rotation_between(3.0 * from, 0.01 * to);
    EXPECT_NEAR((turn * from - to).norm(), 0.0, 1e-12);
    EXPECT_NEAR(turn.angularDistance(Quatd::Identity()), std::acos(from.dot(to)), 1e-7);
    EXPECT_NEAR(turn.norm(), 1.0, 1e-12);
  }
}

TEST(RotationBetween, NearlyOppositeAndOppositeDirections) {
  Random random(2);
  for (const double off : {0.0, 1e-12, 1e-9, 1e-6, 1e-3}) {
    const Vec3d from = random_direction(random);
    const Vec3d to = (-from + off * random_direction(random)).normalized();
    EXPECT_NEAR((rotation_between(from, to) * from - to).norm(), 0.0, 2e-9) << off;
  }
}

TEST(RotationBetween, EqualDirectionsAndZeroTurnNothing) {
  const Vec3d x = Vec3d::UnitX();
  EXPECT_NEAR(rotation_between(x, 5 * x).angularDistance(Quatd::Identity()), 0.0, 1e-12);
  EXPECT_EQ(rotation_between(x, Vec3d::Zero()).w(), 1.0);
  EXPECT_EQ(rotation_between(Vec3d::Zero(), x).w(), 1.0);
}

TEST(SplitRotation, GivesBackTheMatrixAsARotationTimesASymmetricStretch) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Mat3d matrix = Mat3d::NullaryExpr([&](Eigen::Index, Eigen::Index) { return random.uniform(-2, 2); });
    const RotationAndStretch parts = split_rotation(matrix);
    EXPECT_NEAR((parts.rotation * parts.stretch - matrix).norm(), 0.0, 1e-12);
    EXPECT_NEAR((parts.rotation.transpose() * parts.rotation - Mat3d::Identity()).norm(), 0.0, 1e-12);
    EXPECT_NEAR(parts.rotation.determinant(), 1.0, 1e-12);
    EXPECT_NEAR((parts.stretch - parts.stretch.transpose()).norm(), 0.0, 1e-12);
    EXPECT_EQ(parts.stretch.determinant() < 0, matrix.determinant() < 0);
  }
}

TEST(SplitRotation, OfMatricesThatFlattenIsStillARotation) {
  for (const Mat3d& matrix :
       {Mat3d(Mat3d::Zero()), Mat3d(Vec3d(1, 0, 0).asDiagonal()), Mat3d(Vec3d(0, 2, 3).asDiagonal())}) {
    const RotationAndStretch parts = split_rotation(matrix);
    EXPECT_NEAR(parts.rotation.determinant(), 1.0, 1e-12);
    EXPECT_NEAR((parts.rotation * parts.stretch - matrix).norm(), 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace sinew
