// Matrices split for dual quaternion skinning, against Eigen's singular values.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cmath>
#include <limits>

#include "sinew/base/random.h"
#include "sinew/eigen_types.h"
#include "sinew/runtime/skinning.h"
#include "tests/runtime/random_rig.h"

namespace sinew {
namespace {

using test::random_rotation, test::random_vector;

struct Split {
  JointMatrix matrix;
  JointDualQuaternion motion;
  JointMatrix stretch;
  bool stretched = false;

  explicit Split(const Mat3d& linear, const Vec3d& translation = Vec3d::Zero()) {
    for (int column = 0; column < 3; ++column) {
      for (int row = 0; row < 3; ++row) matrix.columns[column][row] = static_cast<float>(linear(row, column));
      matrix.columns[3][column] = static_cast<float>(translation[column]);
      matrix.columns[column][3] = 77.0f;  // is ignored
    }
    const DualQuaternionSplit split = split_for_dual_quaternions({&matrix, 1}, {&motion, 1}, {&stretch, 1});
    EXPECT_EQ(split.status, RuntimeStatus::ok);
    stretched = split.stretched;
  }
  Quatd rotation() const { return {motion.real[3], motion.real[0], motion.real[1], motion.real[2]}; }
  static Mat3d linear_part(const JointMatrix& m) {
    return Eigen::Map<const Eigen::Matrix4f>(&m.columns[0][0]).topLeftCorner<3, 3>().cast<double>();
  }
};

// What makes it the nearest rotation, also where several are: the product with its transpose has the largest trace
// there is, σ₁ + σ₂ ± σ₃, and is symmetric. Where only one is nearest, it is that of the singular vectors.
void expect_nearest(const Mat3d& given) {
  const Split split(given);
  const Mat3d linear = Split::linear_part(split.matrix);  // in floats
  // Rounding of floats, also of those that are not normal.
  const double tiny = 3e-7 * linear.norm() + std::numeric_limits<float>::denorm_min();
  ASSERT_NEAR(split.rotation().norm(), 1.0, 1e-6);
  const Mat3d rotation = split.rotation().normalized().toRotationMatrix();
  const Mat3d stretch = Split::linear_part(split.stretch);
  if (!split.stretched) {
    EXPECT_LT((rotation - linear).norm(), 2e-4);
    EXPECT_EQ(stretch, Mat3d::Identity());
    return;
  }
  EXPECT_EQ(stretch, stretch.transpose());
  EXPECT_LE((rotation * stretch - linear).norm(), 3 * tiny) << linear;
  const Eigen::JacobiSVD<Mat3d> svd(linear, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Vec3d sigma = svd.singularValues();
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  EXPECT_NEAR((rotation.transpose() * linear).trace(), sigma[0] + sigma[1] + sign * sigma[2], 3 * tiny) << linear;
  if (sigma[1] + sign * sigma[2] < 1e-3 * sigma[0]) return;
  const Mat3d nearest = svd.matrixU() * Vec3d(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
  EXPECT_LT((rotation - nearest).norm(), 1e-3) << linear;
}

TEST(SplitForDualQuaternions, FindsTheNearestRotationOfAnyMatrix) {
  Random random(31);
  for (int i = 0; i < 400; ++i) {
    Mat3d matrix;
    for (double& value : matrix.reshaped()) value = random.normal();
    expect_nearest(matrix);
    expect_nearest(-matrix);
    expect_nearest(1e-30 * matrix);
    expect_nearest(1e-42 * matrix);  // not normal floats
    expect_nearest(1e30 * matrix);
    expect_nearest((matrix + matrix.transpose()).eval());
  }
}

TEST(SplitForDualQuaternions, FindsTheNearestRotationWhereDirectionsCollapseOrMirror) {
  Random random(32);
  for (int i = 0; i < 200; ++i) {
    const Mat3d u = random_rotation(random).toRotationMatrix(), v = random_rotation(random).toRotationMatrix();
    for (const Vec3d& sigma :
         {Vec3d(1, 1, 0), Vec3d(1, 0, 0), Vec3d(2, 1, -1), Vec3d(1, 1, -1), Vec3d(-1, -1, -1), Vec3d(1, 1e-4, -1e-4),
          Vec3d(1, 1e-8, 1e-8), Vec3d(3, 3, 3), Vec3d(1, 1, 1 + 1e-3), Vec3d(1e4, 1, 1e-4), Vec3d(1, -1, 1)}) {
      expect_nearest(u * sigma.asDiagonal() * v.transpose());
      expect_nearest(sigma.asDiagonal());
      expect_nearest(sigma.asDiagonal() * v);
    }
  }
}

TEST(SplitForDualQuaternions, ReadsRotationsAsTheyAre) {
  Random random(33);
  for (int i = 0; i < 1000; ++i) {
    Quatd expected = random_rotation(random);
    if (i % 4 == 1) expected = Quatd(Eigen::AngleAxisd(M_PI - 1e-9 * (i % 7), random_vector(random).normalized()));
    if (i % 4 == 2) expected = Quatd(Eigen::AngleAxisd(M_PI, Vec3d::Unit(i % 3)));
    const Vec3d translation = random_vector(random);
    const Split split(expected.toRotationMatrix(), translation);
    EXPECT_FALSE(split.stretched);
    EXPECT_GT(std::abs(split.rotation().dot(expected)), 1 - 1e-6);
    const Quatd dual(split.motion.dual[3], split.motion.dual[0], split.motion.dual[1], split.motion.dual[2]);
    const Quatd moved = dual * split.rotation().conjugate();
    EXPECT_LT((2 * moved.vec() - translation).norm(), 2e-6);
    EXPECT_NEAR(moved.w(), 0, 1e-6);
  }
}

TEST(SplitForDualQuaternions, AnswersForWhatIsNotAMatrix) {
  const Split zero(Mat3d::Zero());
  EXPECT_TRUE(zero.stretched);
  EXPECT_EQ(zero.rotation().coeffs(), Quatd::Identity().coeffs());
  EXPECT_EQ(Split::linear_part(zero.stretch), Mat3d::Zero());
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Mat3d matrix = Mat3d::Identity();
    matrix(1, 2) = bad;
    const Split split(matrix);
    EXPECT_TRUE(split.stretched);
    EXPECT_FALSE(Split::linear_part(split.stretch).allFinite()) << "what is wrong must be seen, not hidden";
  }
}

TEST(SplitForDualQuaternions, RefusesOutputsThatAreTooShort) {
  const JointMatrix matrices[2] = {};
  JointDualQuaternion motions[2];
  JointMatrix stretches[2];
  EXPECT_EQ(split_for_dual_quaternions(matrices, {motions, 1}, stretches).status, RuntimeStatus::output_too_short);
  EXPECT_EQ(split_for_dual_quaternions(matrices, motions, {stretches, 1}).status, RuntimeStatus::output_too_short);
  EXPECT_EQ(split_for_dual_quaternions({}, {}, {}).status, RuntimeStatus::ok);
}

}  // namespace
}  // namespace sinew
