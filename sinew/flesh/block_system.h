// Sparse symmetric systems of 3 × 3 blocks, and conjugate gradients on them: the inner loop of the flesh solver.
//
//   A = L + D + Lᵀ + extra,      M = (P + L) P⁻¹ (P + L)ᵀ,
//
// where `extra` is a sum of few rank-one terms (contacts) that is only multiplied, and P = D + the diagonal blocks of
// `extra` (symmetric Gauss-Seidel: with bones everywhere in the body, errors are short-lived, and a dozen sweeps do).
// With this M one iteration needs one forward and one backward substitution and no multiplication by A at all
// (Eisenstat, "Efficient Implementation of a Class of Preconditioned Conjugate Gradient Methods", 1981): every entry of
// the matrix is read twice: by rows of L going forward, by rows of Lᵀ, of which a copy is kept, going back, so that
// both ways only gather. Blocks are in floats; the answer is a Newton direction, which needs one or two digits.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/eigen_types.h"

namespace sinew {

// stiffness * rowᵀ row, where row has the entries weights[k] * direction at the nodes.
struct RankOneTerm {
  double stiffness = 0;
  Vec3d direction = Vec3d::Zero();
  std::vector<std::uint32_t> nodes;
  std::vector<double> weights;
};

class BlockSystem {
 public:
  // `cells`: nodes that are coupled with each other.
  BlockSystem(std::size_t node_count, const std::vector<std::array<std::uint32_t, 8>>& cells);

  std::size_t node_count() const { return diagonal_.size(); }
  void set_zero();
  // Adds to the block of nodes a and b of a cell (and to its mirror image). For a == b the block must be symmetric.
  void add(std::size_t cell, int a, int b, const Eigen::Matrix3f& block);

  // One number per coupling, for parts that never change: `scalars[k]` times the identity is added to block k.
  std::size_t coupling_count() const { return columns_.size() + diagonal_.size(); }
  std::size_t coupling(std::size_t cell, int a, int b) const;
  void add_scalars(const std::vector<float>& scalars);
  void add_to_diagonal(float value);

  // After all blocks are in. `extra` must stay alive until the last solve.
  void factorise(const std::vector<RankOneTerm>& extra);
  // Solves A x = right until the residual, measured by M⁻¹, is `tolerance` times its first value.
  // Returns the number of iterations.
  int solve(const std::vector<Vec3d>& right, double tolerance, int most_iterations, std::vector<Vec3d>& x) const;

  // A x, for tests.
  std::vector<Vec3d> multiply(const std::vector<Vec3d>& x) const;

 private:
  using Block = Eigen::Matrix<float, 4, 3>;  // a column fills a vector register; the fourth row is zero
  using Lane = Eigen::Matrix<float, 4, 1>;

  void forward(std::vector<Lane>& x) const;   // x ← (P + L)⁻¹ x
  void backward(std::vector<Lane>& x) const;  // x ← (P + L)⁻ᵀ x
  void add_extra(const std::vector<Lane>& x, std::vector<Lane>& result) const;

  std::vector<std::uint32_t> row_begin_;  // couplings of row i with smaller nodes
  std::vector<std::uint32_t> columns_;
  std::vector<Block> lower_;
  std::vector<std::uint32_t> upper_begin_;  // couplings of row i with larger nodes
  std::vector<std::uint32_t> upper_columns_;
  std::vector<std::uint32_t> mirror_;  // per block of lower_: its transpose in upper_
  std::vector<Block> upper_;
  std::vector<Eigen::Matrix3f> diagonal_;
  std::vector<Block> pivot_;                          // P
  std::vector<Block> pivot_inverse_;                  // P⁻¹
  std::vector<Block> middle_;                         // D - 2 P
  std::vector<std::array<std::uint32_t, 36>> slots_;  // per cell: couplings of its corners, a >= b
  std::vector<std::array<std::uint32_t, 8>> cells_;
  const std::vector<RankOneTerm>* extra_ = nullptr;
};

}  // namespace sinew
