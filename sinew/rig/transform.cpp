#include "sinew/transform.h"

#include "sinew/base/rotation.h"

namespace sinew {

Affine3d Transform::matrix() const {
  Affine3d result = Affine3d::Identity();
  result.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
  result.translation() = translation;
  return result;
}

Transform Transform::from_matrix(const Affine3d& matrix) {
  Transform result;
  result.translation = matrix.translation();
  const Mat3d linear = matrix.linear();
  Vec3d scale(linear.col(0).norm(), linear.col(1).norm(), linear.col(2).norm());
  if (linear.determinant() < 0) scale.x() = -scale.x();
  // The nearest rotation of the columns without their scale; a column of length zero leaves its axis free.
  Mat3d columns = Mat3d::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    if (scale[axis] != 0) columns.col(axis) = linear.col(axis) / scale[axis];
  }
  result.rotation = Quatd(split_rotation(columns).rotation).normalized();
  result.scale = scale;
  return result;
}

Transform interpolate(const Transform& a, const Transform& b, double t) {
  Transform result;
  result.translation = a.translation + t * (b.translation - a.translation);
  result.rotation = a.rotation.slerp(t, b.rotation).normalized();
  result.scale = a.scale + t * (b.scale - a.scale);
  return result;
}

}  // namespace sinew
