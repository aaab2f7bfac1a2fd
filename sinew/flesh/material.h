// Near-incompressible flesh: stable neo-Hookean elasticity of one point.
//
// Smith, de Goes and Kim, "Stable Neo-Hookean Flesh Simulation" (2018), in the form without the logarithm:
//
//   energy(F) = shear/2 (|F|² - 3) + bulk/2 (J - a)² - bulk/2 (1 - a)²,   J = det F,   a = 1 + shear / bulk
//
// Defined for every F, flattened and turned inside out as well; zero with zero stress at any rotation; and its second
// derivative has eigenvalues in closed form, so that it is made positive semi-definite without an iteration.
#pragma once

#include "sinew/eigen_types.h"

namespace sinew {

struct FleshMaterial {
  double shear = 1.0;
  double bulk = 32.0;  // Lamé's first parameter: 32 times the shear modulus is a Poisson ratio of 0.485

  double rest_volume_ratio() const { return 1.0 + shear / bulk; }
};

// Per unit of rest volume.
double flesh_energy(const FleshMaterial& material, const Mat3d& deformation);
// Derivative of the energy by F: the first Piola-Kirchhoff stress.
Mat3d flesh_stress(const FleshMaterial& material, const Mat3d& deformation);

// The second derivative in the frame of the singular value decomposition F = U diag(s) Vᵀ (U, V rotations, s[2] may be
// negative), with eigenvalues below `least` shear moduli raised to it. Of the 81 entries these are not zero:
struct FleshCurvature {
  static constexpr double least = 0.05;
  Mat3d u, v;
  Mat3d stretch;    // (i, j): between F_ii and F_jj
  Mat3d same;       // (i, j), i ≠ j: F_ij with itself
  Mat3d exchanged;  // (i, j), i ≠ j: F_ij with F_ji
};
FleshCurvature flesh_curvature(const FleshMaterial& material, const Mat3d& deformation);

// Rotations u, v and stretches s with F = u diag(s) vᵀ; s[0] >= s[1] >= |s[2]|.
void rotation_variant_svd(const Mat3d& f, Mat3d& u, Vec3d& s, Mat3d& v);

}  // namespace sinew
