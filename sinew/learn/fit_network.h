// The networks that place joints (Hong et al., "ASMR", 2025, section 3.2), run in plain floats.
//
// A mesh encoder in the manner of PointNet over places of the surface (position, normal, features of pictures); a
// skeleton encoder of graph attention, whose attention knows how two joints are related in the hierarchy; a decoder in
// which every joint looks at the surface, first everywhere, then near the place it was given first, and stands at the
// mean of what it looks at plus a small offset. Everything in body space (body_space.h). Files also hold the layers
// fit.match… and fit.pair…, which give weights (section 3.3): training needs them, placing joints does not.
#pragma once

#include <array>
#include <vector>

#include "sinew/learn/dense_layers.h"
#include "sinew/learn/skeleton_graph.h"

namespace sinew {

// Sizes shared with the training program.
namespace fit_network_size {
inline constexpr int hidden = 96, local = 64, code = 64, heads = 4, wide = 128;
inline constexpr int skeleton_layers = 3, decoder_layers = 2, looks = 8;
}  // namespace fit_network_size

// One row per place: position, normal, features.
using MeshInputs = NetMatrix;

struct MeshCode {
  NetMatrix places;           // rows of three
  NetMatrix code;             // one row per place
  Eigen::RowVectorXf global;  // of the whole body
};

class FitNetwork {
 public:
  // Arrays fit.… of the file. Throws Error(bad_input) when they are missing or do not fit together.
  explicit FitNetwork(const NetworkFile& file);

  // Columns of picture features that the encoder expects, the last one saying how much was seen.
  int feature_count() const { return features_; }

  MeshCode encode(const MeshInputs& inputs) const;

  // Where the joints of a graph that stands in body space (skeleton_graph.h) belong in the body.
  std::vector<Vec3d> place_joints(const MeshCode& mesh, const SkeletonGraph& graph) const;

 private:
  struct Attention {
    LinearLayer query, key, value, out, wide, narrow;
    NormLayer after_attention, after_mlp;
  };
  NetMatrix first_layers(const MeshInputs& inputs) const;
  NetMatrix last_layers(const NetMatrix& local, const Eigen::RowVectorXf& global) const;
  NetMatrix encode_skeleton(const SkeletonGraph& graph) const;
  static Attention read_attention(const NetworkFile& file, const std::string& name);

  int features_ = 0;
  std::array<LinearLayer, 5> mesh_;
  LinearLayer joint_;
  std::array<Attention, fit_network_size::skeleton_layers> skeleton_;
  std::array<NetMatrix, fit_network_size::skeleton_layers> hop_bias_;  // heads × hop_kinds
  std::array<Attention, fit_network_size::decoder_layers> decoder_;
  std::array<LinearLayer, fit_network_size::decoder_layers> seen_, place_, mix_, offset_;
  Eigen::RowVectorXf nearness_;  // per look of the second layer
};

}  // namespace sinew
