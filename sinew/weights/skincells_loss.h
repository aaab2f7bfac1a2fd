// What SkinCells minimises over sampled poses (section 3.5 of the source), and its gradient.
//
//   smoothness * |L X - B L X̄|²  +  location * springs  +  sparsity * |LBS(w) - LBS(top l of w)|²  +  pins * |w -
//   painted|²
//
// all divided by poses × points. X is the skinned position, L one uniform Laplacian step over the neighbour graph, B
// the local rotation from rest to pose (held constant when differentiating), springs tie a point to its closest bone.
// Internal to the skincells method: everything is in loss units, in which a character is about 180 long
// ("centimetres").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/base/eigen_types.h"
#include "sinew/weights/skincells_field.h"
#include "sinew/weights/skincells_kernel.h"

namespace sinew::skincells {

using Matrix34f = Eigen::Matrix<float, 3, 4, Eigen::RowMajor>;

struct LossWeights {
  double smoothness = 1.0;
  double location = 6000.0;
  double sparsity = 1.0;
  double pins = 1000.0;
};

// A spring from a point to the closest point of a bone, which moves rigidly with the bone's cell.
struct Spring {
  std::uint32_t point;
  std::uint32_t cell;
  Vec3f anchor;  // on the bone at rest, loss units
};

// Painted weights of one point.
struct Pin {
  std::uint32_t point;
  std::vector<float> weights;  // one per cell, sum 1
};

struct Problem {
  std::vector<Vec3f> unit_box;  // points where the field is evaluated
  std::vector<Vec3f> rest;      // the same points in loss units
  // Symmetric neighbour graph: neighbours of point i are neighbour[first[i]] … neighbour[first[i+1] - 1].
  std::vector<std::uint32_t> first, neighbour;
  std::vector<Spring> springs;  // at most one per point, sorted by point
  std::vector<Pin> pins;        // at most one per point, sorted by point
  int pose_count = 0;
  std::vector<Matrix34f> transforms;  // [pose][cell], in loss units
};

struct LossTerms {
  double smoothness = 0, location = 0, sparsity = 0, pins = 0;
  double total = 0;  // weighted
};

class Loss {
 public:
  // Keeps a reference to `problem`. Buffers are made for batches of at most `largest_batch` poses.
  Loss(const Problem& problem, int cells, int largest_batch);

  // The loss over these poses and, unless `gradient` is empty, its derivative by every parameter of the field
  // (overwritten). Same bits at any thread count.
  LossTerms evaluate(const SkinCellField& field, const LossWeights& weights, std::span<const int> poses,
                     std::span<double> gradient);

 private:
  void skin(const Cells& cells, std::size_t block, std::span<const int> poses);
  void laplacian_residuals(std::size_t begin, std::size_t end, std::size_t poses);
  LossTerms differentiate(const Cells& cells, std::size_t block, const LossWeights& weights, std::span<const int> poses,
                          std::span<float> gradient) const;
  Vec3f transposed_residual(std::size_t pose, std::size_t point, double& square) const;
  double spring_term(const Matrix34f* transforms, std::size_t point, const Vec3f& x, Vec3f& by_position) const;
  double pin_term(std::size_t index, int used, float factor, std::span<float> by_weight) const;

  const Problem& problem_;
  int cells_;
  std::vector<Block> blocks_;    // the field at `lanes` points each; the last one is padded with its last point
  std::vector<float> posed_;     // [pose][axis][point]: X
  std::vector<float> residual_;  // [pose][axis][point]: first B L X̄, then L X - B L X̄
  std::vector<Vec3f> rest_laplacian_;
  std::vector<std::int32_t> spring_of_, pin_of_;  // per point, -1 for none
};

}  // namespace sinew::skincells
