// The network of the learned method: numbers about the candidates of a vertex in, weights of these candidates out.
//
//   h_c = relu(A x_c + a)                                  every candidate by itself
//   m   = mean of h_c, weighted by heat;  x = largest h_c  what the vertex's candidates are together
//   g_c = relu(B h_c + M m + X x + b)
//   weights = softmax(v · g_c + s log(heat_c))             heat goes past the network: with v = 0 it is the answer
//
// The same network serves every candidate of every vertex, so any skeleton with any number of joints can be bound.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/learn/dense_layers.h"
#include "sinew/weights/auto/candidate_features.h"

namespace sinew {

// Vertices as the network takes them: the candidates of all of them one after the other.
struct CandidateBatch {
  std::vector<int> begin;   // per vertex: its first row; one more at the end
  NetMatrix features;       // one row per candidate
  std::vector<float> heat;  // per row

  std::size_t vertex_count() const { return begin.empty() ? 0 : begin.size() - 1; }
};

struct RefinerNetwork {
  Eigen::RowVectorXf mean, scale;  // of the features: x ← (x − mean) · scale
  NetMatrix first;                 // features × hidden
  Eigen::RowVectorXf first_bias;
  NetMatrix second, from_mean, from_largest;  // hidden × hidden
  Eigen::RowVectorXf second_bias;
  Eigen::VectorXf last;  // hidden
  float skip = 1;        // s

  int hidden() const { return static_cast<int>(last.size()); }
};

// What training needs of a run; `weights` is what everybody else needs.
struct RefinerPass {
  NetMatrix inputs, first, second;  // one row per candidate; layers after relu
  NetMatrix mean, largest;          // one row per vertex
  std::vector<float> share;         // per row: in the mean
  std::vector<float> weights;       // per row: sum 1 over a vertex
};
RefinerPass run_refiner(const RefinerNetwork& network, const CandidateBatch& batch);

// Heat as the skip connection sees it.
constexpr float refiner_least_heat = 1e-3f;

// Arrays whose names begin with `prefix`. Throws Error(bad_input) when one is missing or of another shape.
RefinerNetwork read_refiner(const NetworkFile& file, const std::string& prefix);
void write_refiner(const RefinerNetwork& network, const std::string& prefix, NetworkFile& file);

}  // namespace sinew
