// Trained correctives as plain arrays: what training makes, and what is packed into a .sinewc for real time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/lod.h"

namespace sinew {

// Three numbers per joint of a pose: twice the vector part of the rotation away from rest (w ≥ 0). What networks see.
Eigen::VectorXf pose_features(const Skeleton& skeleton, const Pose& pose);

// values = W₃ tanh(W₂ tanh(W₁ x + b₁) + b₂) + b₃, x the features of `joints`.
struct CorrectiveNetwork {
  std::vector<int> joints;
  std::array<Eigen::MatrixXf, 3> weights;
  std::array<Eigen::VectorXf, 3> biases;

  // One column per pose.
  Eigen::MatrixXf values(const Eigen::MatrixXf& features) const;
};

struct CorrectiveRegion {
  std::uint32_t region = 0;           // which hat function of the partition of unity
  std::vector<std::uint32_t> points;  // of the level, ascending
  Eigen::MatrixXf basis;              // three rows per point, one column per dimension; orthonormal columns
  Eigen::VectorXf value_rms;          // root mean square of each value in training: what rounding is weighed against
  CorrectiveNetwork network;
};

struct CorrectiveModel {
  Skeleton skeleton;
  LodChain chain;                                      // finest first
  std::vector<std::vector<CorrectiveRegion>> regions;  // per level of the chain; culled ones are not there
  double tolerance = 0;      // of the PCA, a length per vertex and frame: rounding adds at most a quarter of it
  bool hierarchical = true;  // false: each level by itself, coarser levels do not add to it (for comparisons)
};

// Displacements of all points of a level (three rows per point), one column per column of features: in floats, without
// rounding, all coarser levels included.
Eigen::MatrixXf model_displacements(const CorrectiveModel& model, std::size_t level, const Eigen::MatrixXf& features);

// The bytes of the file; its length is a multiple of 64. Throws Error(bad_input) when the model does not fit together
// or a network is larger than the format allows.
std::vector<std::byte> pack_correctives(const CorrectiveModel& model);

// Memory that begins at a multiple of 64, also after it was copied: a vector of these.
struct alignas(64) CacheLine {
  std::byte bytes[64];
};

// The bytes of a .sinewc where the runtime wants them: at a multiple of 64.
// They are not looked at; CorrectivePoser refuses what is invalid.
class CorrectiveFile {
 public:
  explicit CorrectiveFile(std::span<const std::byte> bytes);
  std::span<const std::byte> bytes() const;

 private:
  std::vector<CacheLine> storage_;
  std::size_t size_ = 0;
};

}  // namespace sinew
