#include "sinew/flesh/material.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace sinew {
namespace {

// Derivative of the determinant: the columns' cross products.
Mat3d cofactors(const Mat3d& f) {
  Mat3d result;
  result.col(0) = f.col(1).cross(f.col(2));
  result.col(1) = f.col(2).cross(f.col(0));
  result.col(2) = f.col(0).cross(f.col(1));
  return result;
}

}  // namespace

double flesh_energy(const FleshMaterial& material, const Mat3d& f) {
  const double a = material.rest_volume_ratio(), change = f.determinant() - a;
  return 0.5 * material.shear * (f.squaredNorm() - 3.0) +
         0.5 * material.bulk * (change * change - (1.0 - a) * (1.0 - a));
}

Mat3d flesh_stress(const FleshMaterial& material, const Mat3d& f) {
  const double pressure = material.bulk * (f.determinant() - material.rest_volume_ratio());
  return material.shear * f + pressure * cofactors(f);
}

void rotation_variant_svd(const Mat3d& f, Mat3d& u, Vec3d& s, Mat3d& v) {
  Eigen::SelfAdjointEigenSolver<Mat3d> solver;
  solver.computeDirect(f.transpose() * f);
  v = solver.eigenvectors().rowwise().reverse();
  if (v.determinant() < 0) v.col(2) = -v.col(2);
  const Mat3d image = f * v;
  const double scale = std::max(image.col(0).norm(), 1e-30);
  u.col(0) = image.col(0) / scale;
  Vec3d second = image.col(1) - u.col(0) * u.col(0).dot(image.col(1));
  // A line or a point: any direction across will do.
  if (second.norm() < 1e-9 * scale) second = u.col(0).unitOrthogonal();
  u.col(1) = second.normalized();
  u.col(2) = u.col(0).cross(u.col(1));
  for (int i = 0; i < 3; ++i) s[i] = u.col(i).dot(image.col(i));
}

FleshCurvature flesh_curvature(const FleshMaterial& material, const Mat3d& f) {
  FleshCurvature result;
  Vec3d s;
  rotation_variant_svd(f, result.u, s, result.v);
  const double pressure = material.bulk * (s.prod() - material.rest_volume_ratio());
  const double least = FleshCurvature::least * material.shear;
  const Vec3d slope(s[1] * s[2], s[2] * s[0], s[0] * s[1]);

  Mat3d stretch = material.bulk * slope * slope.transpose();
  stretch.diagonal().array() += material.shear;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    stretch(i, j) += pressure * s[k];
    stretch(j, i) += pressure * s[k];
    const double sum = std::max(material.shear - pressure * s[k], least);
    const double difference = std::max(material.shear + pressure * s[k], least);
    result.same(i, j) = result.same(j, i) = 0.5 * (sum + difference);
    result.exchanged(i, j) = result.exchanged(j, i) = 0.5 * (sum - difference);
  }
  // Usually positive definite as it stands; the leading minors tell.
  stretch.diagonal().array() -= least;
  const double minor = stretch(0, 0) * stretch(1, 1) - stretch(0, 1) * stretch(0, 1);
  if (!(stretch(0, 0) > 0 && minor > 0 && stretch.determinant() > 0)) {
    const Eigen::SelfAdjointEigenSolver<Mat3d> solver(stretch);
    const Vec3d values = solver.eigenvalues().cwiseMax(0.0);
    stretch = solver.eigenvectors() * values.asDiagonal() * solver.eigenvectors().transpose();
  }
  stretch.diagonal().array() += least;
  result.stretch = stretch;
  result.same.diagonal().setZero();
  result.exchanged.diagonal().setZero();
  return result;
}

}  // namespace sinew
