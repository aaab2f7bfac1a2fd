// Matrices to dual quaternions and stretches.
//
// The rotation nearest to a matrix A maximises trace(Rᵀ A), which is a quadratic form in the rotation's quaternion: the
// quaternion is the eigenvector of a symmetric 4 × 4 matrix for its largest eigenvalue (Horn, "Closed-form solution of
// absolute orientation using unit quaternions", 1987, section 4A). Jacobi's method finds it for every A: mirrored,
// singular, zero. In doubles, so that neither squares nor differences of floats overflow or vanish.
#include <cmath>

#include "sinew/runtime/skinning_input.h"

namespace sinew {
namespace {

struct Quaternion {
  double x, y, z, w;
};

struct Matrix3 {
  double rows[3][3];

  double operator()(int row, int column) const noexcept { return rows[row][column]; }
  double& operator()(int row, int column) noexcept { return rows[row][column]; }
};

bool is_rotation(const Matrix3& m) noexcept {
  constexpr double tolerance = 1e-4;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double dot = m(0, i) * m(0, j) + m(1, i) * m(1, j) + m(2, i) * m(2, j);
      if (!(std::fabs(dot - (i == j ? 1.0 : 0.0)) < tolerance)) return false;
    }
  }
  const double determinant = m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) -
                             m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0)) +
                             m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
  return determinant > 0;
}

Quaternion normalised(const Quaternion& q) noexcept {
  const double scale = 1.0 / std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

// Of a matrix that is a rotation. The largest component comes first, because the others are divided by it.
Quaternion quaternion_of(const Matrix3& m) noexcept {
  const double trace = m(0, 0) + m(1, 1) + m(2, 2);
  if (trace > 0) {
    const double twice = std::sqrt(trace + 1.0), scale = 0.5 / twice;
    return {(m(2, 1) - m(1, 2)) * scale, (m(0, 2) - m(2, 0)) * scale, (m(1, 0) - m(0, 1)) * scale, 0.5 * twice};
  }
  int i = m(1, 1) > m(0, 0) ? 1 : 0;
  if (m(2, 2) > m(i, i)) i = 2;
  const int j = (i + 1) % 3, k = (j + 1) % 3;
  const double twice = std::sqrt(m(i, i) - m(j, j) - m(k, k) + 1.0), scale = 0.5 / twice;
  double axis[3];
  axis[i] = 0.5 * twice;
  axis[j] = (m(j, i) + m(i, j)) * scale;
  axis[k] = (m(k, i) + m(i, k)) * scale;
  return {axis[0], axis[1], axis[2], (m(k, j) - m(j, k)) * scale};
}

Matrix3 matrix_of(const Quaternion& q) noexcept {
  const double x = 2 * q.x, y = 2 * q.y, z = 2 * q.z;
  return {{{1 - (q.y * y + q.z * z), q.x * y - q.w * z, q.x * z + q.w * y},
           {q.x * y + q.w * z, 1 - (q.x * x + q.z * z), q.y * z - q.w * x},
           {q.x * z - q.w * y, q.y * z + q.w * x, 1 - (q.x * x + q.y * y)}}};
}

// One Jacobi rotation: makes matrix[p][q] zero and gathers the rotations in `vectors`, whose columns end up as the
// eigenvectors.
void rotate_away(double (&matrix)[4][4], double (&vectors)[4][4], int p, int q) noexcept {
  const double middle = matrix[p][q];
  if (middle == 0) return;
  const double ratio = (matrix[q][q] - matrix[p][p]) / (2 * middle);
  const double tangent = (ratio < 0 ? -1.0 : 1.0) / (std::fabs(ratio) + std::sqrt(ratio * ratio + 1.0));
  const double cosine = 1.0 / std::sqrt(tangent * tangent + 1.0), sine = tangent * cosine;
  matrix[p][p] -= tangent * middle;
  matrix[q][q] += tangent * middle;
  matrix[p][q] = matrix[q][p] = 0;
  for (int i = 0; i < 4; ++i) {
    if (i != p && i != q) {
      const double a = matrix[i][p], b = matrix[i][q];
      matrix[i][p] = matrix[p][i] = cosine * a - sine * b;
      matrix[i][q] = matrix[q][i] = sine * a + cosine * b;
    }
    const double a = vectors[i][p], b = vectors[i][q];
    vectors[i][p] = cosine * a - sine * b;
    vectors[i][q] = sine * a + cosine * b;
  }
}

Quaternion nearest_rotation(const Matrix3& m) noexcept {
  // Rows and columns: w x y z.
  const double wx = m(2, 1) - m(1, 2), wy = m(0, 2) - m(2, 0), wz = m(1, 0) - m(0, 1);
  const double xy = m(0, 1) + m(1, 0), xz = m(0, 2) + m(2, 0), yz = m(1, 2) + m(2, 1);
  double form[4][4] = {{m(0, 0) + m(1, 1) + m(2, 2), wx, wy, wz},
                       {wx, m(0, 0) - m(1, 1) - m(2, 2), xy, xz},
                       {wy, xy, m(1, 1) - m(0, 0) - m(2, 2), yz},
                       {wz, xz, yz, m(2, 2) - m(0, 0) - m(1, 1)}};
  double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  // Each sweep about squares what is left beside the diagonal: five are the rule. A matrix that holds infinities or
  // what is not a number ends the loop and comes out as its stretch.
  constexpr int most_sweeps = 16;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double beside = 0, diagonal = 0;
    for (int i = 0; i < 4; ++i) {
      diagonal += std::fabs(form[i][i]);
      for (int j = i + 1; j < 4; ++j) beside += std::fabs(form[i][j]);
    }
    if (!(beside > 1e-17 * diagonal)) break;
    for (int p = 0; p < 3; ++p) {
      for (int q = p + 1; q < 4; ++q) rotate_away(form, vectors, p, q);
    }
  }
  int largest = 0;
  for (int i = 1; i < 4; ++i) {
    if (form[i][i] > form[largest][largest]) largest = i;
  }
  return {vectors[1][largest], vectors[2][largest], vectors[3][largest], vectors[0][largest]};
}

// Rᵀ A, which is symmetric when R is the nearest rotation; the mean with its mirror image takes away the rounding.
void write_stretch(const Matrix3& rotation, const Matrix3& matrix, float* stretch) noexcept {
  Matrix3 product;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      product(i, j) = rotation(0, i) * matrix(0, j) + rotation(1, i) * matrix(1, j) + rotation(2, i) * matrix(2, j);
    }
  }
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      stretch[4 * column + row] = static_cast<float>(0.5 * (product(row, column) + product(column, row)));
    }
  }
}

}  // namespace

bool split_joint(const float* matrix, float* dual_quaternion, float* stretch) noexcept {
  Matrix3 linear;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) linear(row, column) = matrix[4 * column + row];
  }
  const float* translation = matrix + 12;
  const double tx = 0.5 * translation[0], ty = 0.5 * translation[1], tz = 0.5 * translation[2];
  for (int i = 0; i < 16; ++i) stretch[i] = i % 5 == 0 ? 1.0f : 0.0f;
  const bool rigid = is_rotation(linear);
  const Quaternion q = normalised(rigid ? quaternion_of(linear) : nearest_rotation(linear));
  if (!rigid) write_stretch(matrix_of(q), linear, stretch);
  const double values[8] = {q.x,
                            q.y,
                            q.z,
                            q.w,
                            tx * q.w + ty * q.z - tz * q.y,
                            ty * q.w + tz * q.x - tx * q.z,
                            tz * q.w + tx * q.y - ty * q.x,
                            -(tx * q.x + ty * q.y + tz * q.z)};
  for (int i = 0; i < 8; ++i) dual_quaternion[i] = static_cast<float>(values[i]);
  return !rigid;
}

}  // namespace sinew
