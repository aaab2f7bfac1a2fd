// Skinning weights: for every vertex, at most `influences` joints and how much each one moves it.
//
// Valid weights are non-negative, sum to 1 per vertex within 1e-6, are sorted strongest first, name no joint twice, and
// pad unused slots with joint 0 and weight 0: exactly what glTF wants in JOINTS_n and WEIGHTS_n.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/eigen_types.h"
#include "sinew/export.h"

namespace sinew {

struct SINEW_API SkinWeights {
  int influences = 0;                 // slots per vertex
  std::vector<std::uint16_t> joints;  // vertex-major: [vertex * influences + slot]
  std::vector<float> weights;         // same layout

  std::size_t vertex_count() const {
    return influences > 0 ? weights.size() / static_cast<std::size_t>(influences) : 0;
  }
  bool empty() const { return weights.empty(); }
  // Sum of the slots of `vertex` that name `joint`.
  float weight_of(std::size_t vertex, int joint) const;
};

struct Influence {
  std::uint16_t joint;
  double weight;
};

// Empty weights (all zero) for filling by set_influences.
SINEW_API SkinWeights make_skin_weights(std::size_t vertex_count, int influences);

// Writes one vertex: merges double joints, drops what is not positive and finite, keeps the strongest `influences`
// (ties: the smaller joint index), normalises and sorts. Returns false and leaves the vertex without weight when
// nothing was left.
SINEW_API bool set_influences(SkinWeights& weights, std::size_t vertex, std::vector<Influence> influences);

// Dense weights (one row per vertex, one column per joint) to at most `influences` per vertex, as set_influences does.
SINEW_API SkinWeights sparsify(const Eigen::MatrixXd& dense, int influences);
SINEW_API Eigen::MatrixXd densify(const SkinWeights& weights, int joint_count);

// The same weights in another number of slots. Where there are too few, the strongest stay and are normalised again;
// all other vertices keep their weights to the bit.
SINEW_API SkinWeights with_influences(const SkinWeights& weights, int influences);

// Gives every vertex that the weld joined to another one the weights of `welded` (one entry per welded vertex).
SINEW_API SkinWeights scatter(const SkinWeights& welded, const std::vector<std::uint32_t>& welded_of);

// Number of vertices whose weights are all zero.
SINEW_API std::size_t count_unweighted(const SkinWeights& weights);

// Throws Error(bad_input) naming the first vertex that breaks the rules above.
// Unweighted vertices are allowed only when `allow_unweighted`.
SINEW_API void check_skin_weights(const SkinWeights& weights, std::size_t vertex_count, int joint_count,
                                  bool allow_unweighted = false);

}  // namespace sinew
