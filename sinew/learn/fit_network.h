// The networks that place joints and give weights (Hong et al., "ASMR", 2025, sections 3.2, 3.3), run in plain floats.
//
// A mesh encoder in the manner of PointNet over places of the surface (position, normal, features of pictures); a
// skeleton encoder of graph attention, whose attention knows how two joints are related in the hierarchy; a decoder in
// which every joint looks at the surface, first everywhere, then near the place it was given first, and stands at the
// mean of what it looks at plus a small offset; weights by attention between vertices and joints, and from how far the
// vertex is from the joint's bone. Everything in body space (body_space.h).
#pragma once

#include <array>
#include <vector>

#include "sinew/learn/dense_layers.h"
#include "sinew/learn/skeleton_graph.h"
#include "sinew/rig/bone.h"

namespace sinew {

// Sizes shared with the training program.
namespace fit_network_size {
inline constexpr int hidden = 96, local = 64, code = 64, heads = 4, wide = 128;
inline constexpr int skeleton_layers = 3, decoder_layers = 2, looks = 8, pair_inputs = 4, pair_hidden = 16, match = 32;
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
  // Codes of further places of the same body.
  NetMatrix encode_more(const MeshInputs& inputs, const MeshCode& code) const;

  // Where the joints of a graph that stands in body space (skeleton_graph.h) belong in the body.
  std::vector<Vec3d> place_joints(const MeshCode& mesh, const SkeletonGraph& graph) const;

  // Weights of places for the joints of a graph that lies in the body: one row per place, rows sum to 1. `pairs`: what
  // is known of every place and joint, pair_inputs columns, one row per place · joint (pair_row).
  NetMatrix weights(const NetMatrix& place_codes, const SkeletonGraph& graph, const NetMatrix& pairs) const;

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
  LinearLayer match_place_, match_joint_, pair1_, pair2_;
};

// Inputs of `pairs` for a place: distance to the joint's bone, how much further than the nearest bone that is, where
// along the bone it lies, and 1 for a bone without length. `bones`: in order of their joints, which are counted as in the
// graph; every joint of the graph has at least one.
NetMatrix pair_inputs(const NetMatrix& places, const std::vector<Bone>& bones);

}  // namespace sinew
