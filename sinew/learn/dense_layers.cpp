#include "sinew/learn/dense_layers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "sinew/base/multiversion.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace {

// Eight floats that add and multiply at once: GCC's and Clang's own notation, on any processor.
using Lanes = float __attribute__((vector_size(32)));
constexpr std::size_t panel_width = 16, rows_at_once = 4;

// Four rows of a times one panel of b (inner × panel_width, packed): all sums stay in registers.
SINEW_MULTIVERSION void multiply_panel(const std::array<const float*, rows_at_once>& a, const float* panel,
                                       std::size_t inner, float* out) {
  Lanes s00{}, s01{}, s10{}, s11{}, s20{}, s21{}, s30{}, s31{};
  for (std::size_t k = 0; k < inner; ++k) {
    Lanes left, right;
    std::memcpy(&left, panel + panel_width * k, sizeof(Lanes));
    std::memcpy(&right, panel + panel_width * k + 8, sizeof(Lanes));
    s00 += a[0][k] * left, s01 += a[0][k] * right;
    s10 += a[1][k] * left, s11 += a[1][k] * right;
    s20 += a[2][k] * left, s21 += a[2][k] * right;
    s30 += a[3][k] * left, s31 += a[3][k] * right;
  }
  const Lanes sums[] = {s00, s01, s10, s11, s20, s21, s30, s31};
  std::memcpy(out, sums, sizeof(sums));
}

// Rows [begin, end) of c = a · b. pack(first, width, panel) writes columns [first, first + width) of b into a panel, and
// zeros behind them.
template <class Pack>
void multiply_rows(const NetMatrix& a, const Pack& pack, NetMatrix& c, std::size_t begin, std::size_t end) {
  const auto inner = static_cast<std::size_t>(a.cols()), columns = static_cast<std::size_t>(c.cols());
  std::vector<float> panel(inner * panel_width);
  for (std::size_t first = 0; first < columns; first += panel_width) {
    const std::size_t width = std::min(panel_width, columns - first);
    pack(first, width, panel.data());
    for (std::size_t row = begin; row < end; row += rows_at_once) {
      std::array<const float*, rows_at_once> rows;
      for (std::size_t r = 0; r < rows_at_once; ++r) rows[r] = a.data() + std::min(row + r, end - 1) * inner;
      float sums[rows_at_once * panel_width];
      multiply_panel(rows, panel.data(), inner, sums);
      for (std::size_t r = 0; r < std::min(rows_at_once, end - row); ++r) {
        std::copy_n(sums + r * panel_width, width, c.data() + (row + r) * columns + first);
      }
    }
  }
}

// What a 3 × 3 kernel sees around pixels of a picture, one row of a panel per channel and tap: with it a convolution is
// a product of matrices. Nothing is seen beyond the borders: zeros.
class KernelTaps {
 public:
  KernelTaps(const FeatureMap& x, int stride, int width) : x_(x), stride_(stride), width_(width) {}

  // Pixels [first, first + count) of the result, whose rows have `width` of them.
  void operator()(std::size_t first, std::size_t count, float* panel) const {
    std::fill_n(panel, 9 * x_.values.rows() * static_cast<Eigen::Index>(panel_width), 0.0f);
    for (std::size_t done = 0; done < count;) {
      const int i = static_cast<int>(first + done) / width_, j = static_cast<int>(first + done) % width_;
      const int run = std::min(static_cast<int>(count - done), width_ - j);
      pack_run(i, j, run, panel + done);
      done += static_cast<std::size_t>(run);
    }
  }

 private:
  // `run` neighbours from row i and column j on.
  void pack_run(int i, int j, int run, float* panel) const {
    for (int tap = 0; tap < 9; ++tap) {
      const int source_i = i * stride_ + tap / 3 - 1, right = tap % 3 - 1;
      if (source_i < 0 || source_i >= x_.height) continue;
      const int begin = j * stride_ + right < 0 ? 1 : 0;
      const int end = std::min(run, (x_.width - 1 - right + stride_) / stride_ - j);
      for (Eigen::Index channel = 0; channel < x_.values.rows(); ++channel) {
        const float* source = x_.values.row(channel).data() + source_i * x_.width + j * stride_ + right;
        float* out = panel + (9 * channel + tap) * static_cast<Eigen::Index>(panel_width);
        for (int k = begin; k < end; ++k) out[k] = source[k * stride_];
      }
    }
  }

  const FeatureMap& x_;
  int stride_, width_;
};

}  // namespace

NetMatrix multiply(const NetMatrix& a, const NetMatrix& b) {
  NetMatrix c(a.rows(), b.cols());
  const auto pack = [&](std::size_t first, std::size_t width, float* panel) {
    for (Eigen::Index k = 0; k < b.rows(); ++k, panel += panel_width) {
      const float* from = b.row(k).data() + first;
      std::fill(std::copy(from, from + width, panel), panel + panel_width, 0.0f);
    }
  };
  parallel_for(static_cast<std::size_t>(a.rows()), 64,
               [&](std::size_t begin, std::size_t end) { multiply_rows(a, pack, c, begin, end); });
  return c;
}

LinearLayer LinearLayer::read(const NetworkFile& file, const std::string& name, int inputs, int outputs) {
  const auto in = static_cast<std::uint32_t>(inputs), out = static_cast<std::uint32_t>(outputs);
  LinearLayer layer;
  layer.weight = Eigen::Map<const NetMatrix>(file.array(name + ".w", {in, out}).values.data(), inputs, outputs);
  layer.bias = Eigen::Map<const Eigen::RowVectorXf>(file.array(name + ".b", {out}).values.data(), outputs);
  return layer;
}

NetMatrix LinearLayer::operator()(const NetMatrix& x) const {
  NetMatrix y = multiply(x, weight);
  y.rowwise() += bias;
  return y;
}

NormLayer NormLayer::read(const NetworkFile& file, const std::string& name, int size) {
  const auto count = static_cast<std::uint32_t>(size);
  NormLayer layer;
  layer.scale = Eigen::Map<const Eigen::RowVectorXf>(file.array(name + ".w", {count}).values.data(), size);
  layer.shift = Eigen::Map<const Eigen::RowVectorXf>(file.array(name + ".b", {count}).values.data(), size);
  return layer;
}

NetMatrix NormLayer::operator()(const NetMatrix& x) const {
  NetMatrix y = x;
  for (Eigen::Index row = 0; row < y.rows(); ++row) {
    const float mean = y.row(row).mean();
    y.row(row).array() -= mean;
    const float variance = y.row(row).squaredNorm() / static_cast<float>(y.cols());
    y.row(row) = (y.row(row).array() / std::sqrt(variance + 1e-5f) * scale.array() + shift.array()).matrix();
  }
  return y;
}

void rectify(NetMatrix& x) { x = x.cwiseMax(0.0f); }

void soften_rows(NetMatrix& x) {
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    const float largest = x.row(row).maxCoeff();
    x.row(row) = (x.row(row).array() - largest).exp().matrix();
    x.row(row) /= x.row(row).sum();
  }
}

ConvLayer ConvLayer::read(const NetworkFile& file, const std::string& name, int inputs, int outputs) {
  const auto in = static_cast<std::uint32_t>(inputs), out = static_cast<std::uint32_t>(outputs);
  ConvLayer layer;
  layer.weight =
      Eigen::Map<const NetMatrix>(file.array(name + ".w", {out, in, 3, 3}).values.data(), outputs, 9 * inputs);
  layer.bias = Eigen::Map<const Eigen::VectorXf>(file.array(name + ".b", {out}).values.data(), outputs);
  return layer;
}

FeatureMap ConvLayer::operator()(const FeatureMap& x, int stride) const {
  FeatureMap y;
  y.height = (x.height + stride - 1) / stride;
  y.width = (x.width + stride - 1) / stride;
  y.values.resize(weight.rows(), static_cast<Eigen::Index>(y.height) * y.width);
  multiply_rows(weight, KernelTaps(x, stride, y.width), y.values, 0, static_cast<std::size_t>(weight.rows()));
  y.values.colwise() += bias;
  return y;
}

FeatureMap enlarge_and_join(const FeatureMap& x, const FeatureMap& skip) {
  FeatureMap y{skip.height, skip.width, NetMatrix(x.values.rows() + skip.values.rows(), skip.values.cols())};
  for (Eigen::Index channel = 0; channel < x.values.rows(); ++channel) {
    const float* source = x.values.row(channel).data();
    float* out = y.values.row(channel).data();
    for (int i = 0; i < y.height; ++i) {
      for (int j = 0; j < y.width; ++j) out[i * y.width + j] = source[i / 2 * x.width + j / 2];
    }
  }
  y.values.bottomRows(skip.values.rows()) = skip.values;
  return y;
}

}  // namespace sinew
