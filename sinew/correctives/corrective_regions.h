// Where correctives act: the partition of unity, and for one region its principal directions and the joints it needs.
//
// Zheng and Barbič 2024, section 5. An extra level M₀ of about a hundred points, coarser than the coarsest level, is
// never drawn; prolonged to a level, the hat functions of its points are non-negative and sum to 1 there. Each is a
// region. Its residuals, weighted by the hat function, are reduced by PCA to a tolerance that all regions share; a
// region that needs no dimension is culled.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/lod.h"

namespace sinew {

struct RegionWeight {
  std::uint32_t region;
  float weight;
};

// Per level of the chain and point: the regions it belongs to, weights positive and summing to 1.
struct RegionPartition {
  std::size_t region_count = 0;
  std::vector<std::vector<std::vector<RegionWeight>>> weights;  // [level][point]
};

// `regions`: how many points M₀ should have; surfaces in many pieces may need more.
// Weights below 1e-3 are given to the others.
RegionPartition make_regions(const LodChain& chain, std::size_t regions);

// Principal directions of the columns of `shapes` (not centred: the mean counts like any other direction). As few as
// leave at most `tail` of the sum of squares, and at most `most`.
struct Principal {
  Eigen::MatrixXf basis;   // orthonormal columns, strongest first; none when the shapes themselves are below the tail
  Eigen::MatrixXf values;  // basisᵀ · shapes
  double left = 0;         // sum of squares that is left
};
Principal principal_directions(const Eigen::MatrixXf& shapes, double tail, int most, std::uint64_t seed);

// Which joints matter to which values: one quadratic model for all samples, solved per region.
//
// Perturbing a joint's rotation about its rest, all else equal, changes the model's values by a sum of squares: the
// joint's importance. Joints that always move together in training cannot be told apart by data alone; the ridge
// penalty grows with the number of joints between a joint and the region's own, so the nearer one gets the credit.
class JointInfluence {
 public:
  // `features`: three rows per joint (pose_features), one column per sample. Roots are left out: turning the whole
  // character deforms nothing.
  JointInfluence(const Skeleton& skeleton, const Eigen::MatrixXf& features);

  // `own`: how much of the region each joint moves, one entry per joint. Returns the joints whose importance is at
  // least `least` (mean sum of squares per sample), the most important first, at most `most` and at least one.
  std::vector<int> select(const Eigen::MatrixXf& values, const Eigen::VectorXf& own, double least, int most) const;

 private:
  const Skeleton& skeleton_;
  std::vector<int> joints_;    // that move in training
  Eigen::MatrixXf quadratic_;  // nine rows per joint, standardised
  Eigen::MatrixXf gram_;
};

}  // namespace sinew
