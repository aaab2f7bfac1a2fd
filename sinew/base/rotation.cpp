#include "sinew/base/rotation.h"

#include <Eigen/SVD>

namespace sinew {

Quatd rotation_between(const Vec3d& from, const Vec3d& to) {
  const Vec3d a = from.stableNormalized(), b = to.stableNormalized();
  if (a.isZero() || b.isZero()) return Quatd::Identity();
  // Half the angle lies on the way from a to a + b; its cosine and sine are the quaternion's.
  const Vec3d half = a + b;
  if (half.norm() < 1e-9) {
    const Vec3d axis = a.unitOrthogonal();
    return Quatd(0, axis.x(), axis.y(), axis.z());
  }
  const Vec3d middle = half.normalized(), axis = a.cross(middle);
  return Quatd(a.dot(middle), axis.x(), axis.y(), axis.z()).normalized();
}

RotationAndStretch split_rotation(const Mat3d& matrix) noexcept {
  const Eigen::JacobiSVD<Mat3d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3d &u = svd.matrixU(), &v = svd.matrixV();
  const Vec3d sign(1, 1, (u * v.transpose()).determinant() < 0 ? -1 : 1);
  return {u * sign.asDiagonal() * v.transpose(),
          v * svd.singularValues().cwiseProduct(sign).asDiagonal() * v.transpose()};
}

}  // namespace sinew
