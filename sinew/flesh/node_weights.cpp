#include "sinew/flesh/node_weights.h"

#include <algorithm>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

// Nodes joined by an edge of a cell.
std::vector<std::vector<std::uint32_t>> node_neighbours(const FleshLattice& lattice) {
  std::vector<std::vector<std::uint32_t>> neighbours(lattice.node_count());
  for (const auto& corners : lattice.corners) {
    for (int corner = 0; corner < 8; ++corner) {
      for (int axis = 0; axis < 3; ++axis) neighbours[corners[corner]].push_back(corners[corner ^ (1 << axis)]);
    }
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

}  // namespace

SkinWeights node_weights(const FleshLattice& lattice, const SkinWeights& skin, int joint_count) {
  using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto count = static_cast<Eigen::Index>(lattice.node_count());
  Dense dense = Dense::Zero(count, joint_count);
  for (std::size_t v = 0; v < lattice.skin.size(); ++v) {
    const std::array<double, 8> weights = corner_weights(lattice.skin[v].local);
    for (int corner = 0; corner < 8; ++corner) {
      const std::uint32_t node = lattice.corners[lattice.skin[v].cell][corner];
      for (int slot = 0; slot < skin.influences; ++slot) {
        const std::size_t at = v * static_cast<std::size_t>(skin.influences) + slot;
        dense(node, skin.joints[at]) += weights[corner] * skin.weights[at];
      }
    }
  }
  std::vector<char> given(lattice.node_count(), 0);
  for (Eigen::Index node = 0; node < count; ++node) {
    const double sum = dense.row(node).sum();
    if (sum <= 1e-12) continue;
    given[node] = 1;
    dense.row(node) /= sum;
  }
  // Layer by layer inwards first, then some rounds of averaging of what lies inside.
  const auto neighbours = node_neighbours(lattice);
  constexpr int rounds = 60;
  Dense next = dense;
  for (int round = 0; round < rounds; ++round) {
    parallel_for(lattice.node_count(), 512, [&](std::size_t begin, std::size_t end) {
      for (std::size_t node = begin; node < end; ++node) {
        if (given[node]) continue;
        next.row(node).setZero();
        for (std::uint32_t other : neighbours[node]) next.row(node) += dense.row(other);
        const double sum = next.row(node).sum();
        if (sum > 0) next.row(node) /= sum;
      }
    });
    std::swap(dense, next);
  }
  return sparsify(dense, 4);
}

}  // namespace sinew
