// The few operations that the networks consist of, in plain floats: no library is needed to run them.
//
// A matrix holds one row per point or joint. Same bits at any thread count.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <string>
#include <vector>

#include "sinew/learn/network_file.h"

namespace sinew {

using NetMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// a · b, in parallel over rows of a.
NetMatrix multiply(const NetMatrix& a, const NetMatrix& b);

// y = x W + bias.
struct LinearLayer {
  NetMatrix weight;  // inputs × outputs
  Eigen::RowVectorXf bias;

  // Arrays NAME.w and NAME.b.
  static LinearLayer read(const NetworkFile& file, const std::string& name, int inputs, int outputs);
  NetMatrix operator()(const NetMatrix& x) const;
};

// Every row to mean 0 and variance 1, then scaled and shifted.
struct NormLayer {
  Eigen::RowVectorXf scale, shift;

  static NormLayer read(const NetworkFile& file, const std::string& name, int size);
  NetMatrix operator()(const NetMatrix& x) const;
};

void rectify(NetMatrix& x);  // max(x, 0)

// Every row to non-negative numbers that sum to 1.
void soften_rows(NetMatrix& x);

inline float softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }

// A picture as rows: channels × (height · width).
struct FeatureMap {
  int height = 0, width = 0;
  NetMatrix values;
};

// 3×3 convolution with zeros around, every `stride`-th pixel; arrays NAME.w (outputs × inputs × 3 × 3) and NAME.b.
struct ConvLayer {
  NetMatrix weight;  // outputs × (inputs · 9)
  Eigen::VectorXf bias;

  static ConvLayer read(const NetworkFile& file, const std::string& name, int inputs, int outputs);
  FeatureMap operator()(const FeatureMap& x, int stride = 1) const;
};

// Twice the size by repeating pixels, then the channels of `skip` (of that size) below.
FeatureMap enlarge_and_join(const FeatureMap& x, const FeatureMap& skip);

}  // namespace sinew
