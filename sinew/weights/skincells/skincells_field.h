// SkinCells: sparse skin weights as a field in space ("SkinCells: Sparse Skinning using Voronoi Cells", section 3.3).
//
// Every joint has a cell: a few sites with a centre p, a metric F (lower triangular) and a soft core t, and per cell a
// falloff r and a relaxation c.
// With d_j the smallest site distance of cell j and D the (l+1)-th smallest d_j at a point,
//
//   w_j = ( max(c_j, D - d_j) / d_j ) ^ r_j,   then normalised,
//
// so that with c = 0 at most l weights are non-zero anywhere in space, and the field is continuous. One field serves
// every level of detail, garment or point cloud of a character; it costs 62 floats per joint with six sites.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/eigen_types.h"
#include "sinew/skin_weights.h"

namespace sinew {

struct SkinCellField {
  int max_influences = 4;  // l, at least 1
  int sites_per_cell = 6;  // m, at least 1
  // Character space → the unit box in which all parameters live: x' = (x - origin) * scale.
  Vec3d origin = Vec3d::Zero();
  double scale = 1.0;
  // The joint of each cell. Indices into the skeleton the field was made for; names to find them in another one.
  std::vector<int> joints;
  std::vector<std::string> joint_names;
  // Per cell: m sites of 10 floats (centre x y z; metric F00 F10 F11 F20 F21 F22; ln t), then ln c and ln r.
  std::vector<float> parameters;
  // Multiplies every c: 1 while optimising, 0 in a finished field.
  float relaxation = 0.0f;

  static constexpr int site_stride = 10;
  int cell_count() const { return static_cast<int>(joints.size()); }
  int cell_stride() const { return sites_per_cell * site_stride + 2; }
  Vec3f to_unit_box(const Vec3d& point) const { return ((point - origin) * scale).cast<float>(); }
};

// Throws Error(bad_input) unless sizes agree and every parameter is finite and within what evaluation can bear.
void check_field(const SkinCellField& field);

// Brings every parameter into the range that evaluation and the file format can bear; an optimiser rarely comes near.
void clamp_parameters(SkinCellField& field);

// Weights at the points (character space). A field with relaxation keeps the strongest l.
// Never NaN, for any finite point.
SkinWeights evaluate_field(const SkinCellField& field, const std::vector<Vec3f>& points);

// All weights at one point, one entry per cell: for tests and pictures.
std::vector<double> field_weights(const SkinCellField& field, const Vec3d& point);

}  // namespace sinew
