// What SkinCells minimises over sampled poses (section 3.5 of the source), and its gradient.
//
//   smoothness * |L X - B L X̄|²  +  location * springs  +  sparsity * |LBS(w) - LBS(top l of w)|²
//     +  stretch * (relative change of an edge's length)²  +  collision * depth²
//
// all divided by poses × points. X is the skinned position, L one uniform Laplacian step over the neighbour graph, B
// the local rotation from rest to pose (held constant when differentiating), springs tie a point to its closest bone.
// The stretch of edges is not in the source: L X alone does not see a row of points that is pulled apart evenly. It is
// relative, so that a coarse mesh is not held by its long edges.
// Internal to the skincells method: everything is in loss units,
// in which a character is about 180 long ("centimetres").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/eigen_types.h"
#include "sinew/weights/skincells/skincells_field.h"
#include "sinew/weights/skincells/skincells_kernel.h"

namespace sinew::skincells {

using Matrix34f = Eigen::Matrix<float, 3, 4, Eigen::RowMajor>;

struct LossWeights {
  double smoothness = 1.0;
  double location = 6000.0;
  double sparsity = 1.0;
  double stretch = 0.0;
  double collision = 100.0;
};

// A spring from a point to the closest point of a bone, which moves rigidly with the bone's cell.
struct Spring {
  std::uint32_t point;
  std::uint32_t cell;
  Vec3f anchor;  // on the bone at rest, loss units
};

// What must not be entered: the body under a garment, in every pose of a problem.
class Body {
 public:
  virtual ~Body() = default;
  // Squared depth (loss units) under the body's skin of point `point` of the problem, which is at `position` in this
  // pose; `by_position` receives half its derivative.
  virtual double penalty(int pose, std::size_t point, const Vec3f& position, Vec3f& by_position) const = 0;
};

// Where the weights of a problem's points come from: a field, or anything else whose parameters are to be optimised.
class WeightModel {
 public:
  virtual ~WeightModel() = default;
  // Fills weight and active of the block of points index * lanes …, whose x is given. Called by several threads.
  virtual void weigh(std::size_t index, Block& block) const = 0;
  // Adds the derivative by the model's parameters of a loss whose derivative by the weights is `by_weight`
  // [cell][lane]; lanes at and beyond `used` are left out.
  virtual void backpropagate(std::size_t index, Block& block, std::span<const float> by_weight, int used,
                             std::span<float> gradient) const = 0;
  // When points may have more influences than will be kept: how many are. Otherwise 0.
  virtual int kept_influences() const { return 0; }
};

struct Problem {
  std::vector<Vec3f> unit_box;  // points where the field is evaluated
  std::vector<Vec3f> rest;      // the same points in loss units
  // Symmetric neighbour graph: neighbours of point i are neighbour[first[i]] … neighbour[first[i+1] - 1].
  std::vector<std::uint32_t> first, neighbour;
  std::vector<Spring> springs;  // at most one per point, sorted by point
  int pose_count = 0;
  std::vector<Matrix34f> transforms;  // [pose][cell], in loss units
  const Body* body = nullptr;         // not owned
};

struct LossTerms {
  double smoothness = 0, location = 0, sparsity = 0, stretch = 0, collision = 0;
  double total = 0;  // weighted

  LossTerms& operator+=(const LossTerms& other);
};

class Loss {
 public:
  // Keeps a reference to `problem`. Buffers are made for batches of at most `largest_batch` poses.
  Loss(const Problem& problem, int cells, int largest_batch);

  // The loss over these poses and, unless `gradient` is empty, its derivative by every parameter of the field
  // (overwritten). Same bits at any thread count.
  LossTerms evaluate(const SkinCellField& field, const LossWeights& weights, std::span<const int> poses,
                     std::span<double> gradient);
  LossTerms evaluate(const WeightModel& model, const LossWeights& weights, std::span<const int> poses,
                     std::span<double> gradient);

 private:
  struct Scratch;
  void skin(const WeightModel& model, std::size_t block, std::span<const int> poses);
  void laplacian_residuals(std::size_t begin, std::size_t end, std::size_t poses);
  LossTerms differentiate(const WeightModel& model, std::size_t block, const LossWeights& weights,
                          std::span<const int> poses, Scratch& scratch, std::span<float> gradient);
  void pose_terms(int kept_influences, std::size_t block, const LossWeights& weights, std::span<const int> poses,
                  Scratch& scratch, LossTerms& terms) const;
  double transposed_residuals(std::size_t point, std::span<float> result) const;
  double edge_term(std::size_t point, std::span<float> by_position) const;
  double spring_term(const Matrix34f* transforms, std::size_t point, const Vec3f& x, Vec3f& by_position) const;

  const Problem& problem_;
  int cells_;
  std::vector<Block> blocks_;    // the weights at `lanes` points each; the last one is padded with its last point
  std::vector<float> posed_;     // [point][pose][axis]: X
  std::vector<float> residual_;  // [point][pose][axis]: first B L X̄, then L X - B L X̄
  std::vector<Vec3f> rest_laplacian_;
  std::vector<float> rest_length_;             // of every entry of problem.neighbour
  std::vector<std::vector<float>> gradients_;  // per chunk of blocks
  std::vector<std::int32_t> spring_of_;        // per point, -1 for none
};

}  // namespace sinew::skincells
