#include "sinew/fit/stand_upright.h"

namespace sinew {
namespace {

// Quarter turns that bring `up`, a positive or negative axis, to y. z goes to y as modelling programs do it on export:
// what faced -y then faces z, the forward of glTF.
Mat3d turn_to_y(int axis, double sign) {
  Mat3d turn = Mat3d::Identity();
  if (axis == 0) {
    turn << 0, -sign, 0, sign, 0, 0, 0, 0, 1;
  } else if (axis == 1) {
    turn = Vec3d(1, sign, sign).asDiagonal();
  } else {
    turn << 1, 0, 0, 0, 0, sign, 0, -sign, 0;
  }
  return turn;
}

}  // namespace

UpAxis stand_upright(TriangleMesh& mesh, FitResult& fit) {
  UpAxis up;
  fit.frame.up.cwiseAbs().maxCoeff(&up.axis);
  up.negative = fit.frame.up[up.axis] < 0;
  if (up.is_y()) return up;
  const Mat3d turn = turn_to_y(up.axis, up.negative ? -1.0 : 1.0);
  const Eigen::Matrix3f turn_float = turn.cast<float>();
  for (Vec3f& position : mesh.positions) position = turn_float * position;
  for (Vec3f& normal : mesh.normals) normal = turn_float * normal;
  for (Vec4f& tangent : mesh.tangents) tangent.head<3>() = turn_float * Vec3f(tangent.head<3>());
  for (Affine3d& rest : fit.skeleton.rest) rest = Affine3d(turn) * rest;
  for (Vec3d* direction : {&fit.frame.left, &fit.frame.up, &fit.frame.forward}) *direction = turn * *direction;
  return up;
}

}  // namespace sinew
