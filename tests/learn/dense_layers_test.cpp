#include "sinew/learn/dense_layers.h"

#include <gtest/gtest.h>

#include "sinew/base/parallel.h"
#include "sinew/base/random.h"
#include "sinew/error.h"

namespace sinew {
namespace {

NetMatrix random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  NetMatrix m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = static_cast<float>(random.normal());
  return m;
}

TEST(DenseLayers, ProductOfAnySize) {
  for (const auto& [n, k, m] : {std::array{1, 1, 1}, std::array{7, 5, 63}, std::array{200, 33, 130}}) {
    const NetMatrix a = random_matrix(n, k, 1), b = random_matrix(k, m, 2);
    const Eigen::MatrixXd expected = a.cast<double>() * b.cast<double>();
    const auto run = [&] { return multiply(a, b); };
    const NetMatrix one = with_threads(1, run), two = with_threads(2, run);
    EXPECT_LT((one.cast<double>() - expected).cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_EQ(one, two);
  }
}

TEST(DenseLayers, RowsSoftenedAndNormalised) {
  NetMatrix x = 30 * random_matrix(5, 9, 3);
  soften_rows(x);
  EXPECT_GE(x.minCoeff(), 0);
  for (Eigen::Index i = 0; i < x.rows(); ++i) EXPECT_NEAR(x.row(i).sum(), 1, 1e-5);
  NormLayer norm{Eigen::RowVectorXf::Constant(9, 2), Eigen::RowVectorXf::Constant(9, 0.5f)};
  const NetMatrix y = norm(random_matrix(4, 9, 4));
  for (Eigen::Index i = 0; i < y.rows(); ++i) {
    EXPECT_NEAR(y.row(i).mean(), 0.5, 1e-5);
    EXPECT_NEAR((y.row(i).array() - 0.5f).square().mean(), 4, 1e-3);
  }
}

// Against the sum written out.
TEST(DenseLayers, Convolution) {
  NetworkFile file;
  const NetMatrix w = random_matrix(1, 4 * 3 * 9, 5);
  file.arrays["c.w"] = {{4, 3, 3, 3}, std::vector<float>(w.data(), w.data() + w.size())};
  file.arrays["c.b"] = {{4}, {0.1f, 0.2f, 0.3f, 0.4f}};
  const ConvLayer layer = ConvLayer::read(file, "c", 3, 4);
  // Rows shorter and longer than what is multiplied at once, even and odd.
  for (const auto& [height, width] : {std::pair{6, 8}, {5, 7}, {3, 33}, {1, 1}}) {
    const FeatureMap x{height, width, random_matrix(3, height * width, 6)};
    for (const int stride : {1, 2}) {
      const FeatureMap y = layer(x, stride);
      ASSERT_EQ(y.height, (height + stride - 1) / stride);
      ASSERT_EQ(y.width, (width + stride - 1) / stride);
      for (int out = 0; out < 4; ++out) {
        for (int i = 0; i < y.height; ++i) {
          for (int j = 0; j < y.width; ++j) {
            double sum = 0.1 * (out + 1);
            for (int in = 0; in < 3; ++in) {
              for (int di = -1; di <= 1; ++di) {
                for (int dj = -1; dj <= 1; ++dj) {
                  const int si = i * stride + di, sj = j * stride + dj;
                  if (si < 0 || sj < 0 || si >= height || sj >= width) continue;
                  sum += w(0, ((out * 3 + in) * 3 + di + 1) * 3 + dj + 1) * x.values(in, si * width + sj);
                }
              }
            }
            EXPECT_NEAR(y.values(out, i * y.width + j), sum, 1e-4);
          }
        }
      }
    }
  }
}

TEST(DenseLayers, EnlargedPicturesRepeatPixels) {
  const FeatureMap small{2, 2, random_matrix(1, 4, 7)}, skip{4, 4, random_matrix(2, 16, 8)};
  const FeatureMap both = enlarge_and_join(small, skip);
  EXPECT_EQ(both.values.rows(), 3);
  EXPECT_EQ(both.values(0, 0), small.values(0, 0));
  EXPECT_EQ(both.values(0, 15), small.values(0, 3));
  EXPECT_EQ(both.values(0, 2), small.values(0, 1));
  EXPECT_EQ(NetMatrix(both.values.bottomRows(2)), skip.values);
}

TEST(NetworkFileTest, RoundTripAndEveryCut) {
  NetworkFile file;
  file.description = "{\"a\":1}";
  file.arrays["x"] = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  file.arrays["y"] = {{}, {7}};
  const std::vector<std::byte> bytes = to_bytes(file);
  const NetworkFile back = parse_network_file(bytes);
  EXPECT_EQ(back.description, file.description);
  EXPECT_EQ(back.array("x", {2, 3}).values, file.arrays["x"].values);
  EXPECT_THROW(back.array("x", {3, 2}), Error);
  EXPECT_THROW(back.array("z", {1}), Error);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(parse_network_file(std::span(bytes).first(size)), Error) << size;
  }
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(parse_network_file(longer), Error);
}

TEST(NetworkFileTest, ChangedBytesNeverCrash) {
  NetworkFile file;
  file.arrays["x"] = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  const std::vector<std::byte> bytes = to_bytes(file);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {1, 128, 255}) {
      std::vector<std::byte> changed = bytes;
      changed[i] ^= static_cast<std::byte>(flip);
      try {
        parse_network_file(changed);
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace sinew
