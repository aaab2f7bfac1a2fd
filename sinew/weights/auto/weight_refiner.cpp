#include "sinew/weights/auto/weight_refiner.h"

#include <algorithm>
#include <cmath>

#include "sinew/error.h"

namespace sinew {
namespace {

constexpr float least_share = 0.05f;  // of every candidate in the mean, so that cold ones are seen too

void pool(const CandidateBatch& batch, RefinerPass& pass) {
  const auto vertices = static_cast<Eigen::Index>(batch.vertex_count());
  const Eigen::Index hidden = pass.first.cols();
  pass.mean.setZero(vertices, hidden);
  pass.largest.resize(vertices, hidden);
  pass.share.resize(batch.heat.size());
  for (Eigen::Index v = 0; v < vertices; ++v) {
    const int begin = batch.begin[v], end = batch.begin[v + 1];
    float total = 0;
    for (int row = begin; row < end; ++row) total += batch.heat[row] + least_share;
    for (int row = begin; row < end; ++row) {
      pass.share[row] = (batch.heat[row] + least_share) / total;
      pass.mean.row(v) += pass.share[row] * pass.first.row(row);
    }
    pass.largest.row(v) = pass.first.row(begin);
    for (int row = begin + 1; row < end; ++row) pass.largest.row(v) = pass.largest.row(v).cwiseMax(pass.first.row(row));
  }
}

}  // namespace

RefinerPass run_refiner(const RefinerNetwork& network, const CandidateBatch& batch) {
  RefinerPass pass;
  pass.inputs = batch.features;
  pass.inputs.rowwise() -= network.mean;
  pass.inputs.array().rowwise() *= network.scale.array();
  pass.first = multiply(pass.inputs, network.first);
  pass.first.rowwise() += network.first_bias;
  rectify(pass.first);
  pool(batch, pass);
  NetMatrix context = multiply(pass.mean, network.from_mean);
  context += multiply(pass.largest, network.from_largest);
  context.rowwise() += network.second_bias;
  pass.second = multiply(pass.first, network.second);
  for (std::size_t v = 0; v < batch.vertex_count(); ++v) {
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) {
      pass.second.row(row) += context.row(static_cast<Eigen::Index>(v));
    }
  }
  rectify(pass.second);
  pass.weights.resize(batch.heat.size());
  for (std::size_t v = 0; v < batch.vertex_count(); ++v) {
    float largest = -1e30f, sum = 0;
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) {
      pass.weights[row] = pass.second.row(row).dot(network.last) +
                          network.skip * std::log(std::max(batch.heat[row], refiner_least_heat));
      largest = std::max(largest, pass.weights[row]);
    }
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) {
      sum += pass.weights[row] = std::exp(pass.weights[row] - largest);
    }
    for (int row = batch.begin[v]; row < batch.begin[v + 1]; ++row) pass.weights[row] /= sum;
  }
  return pass;
}

RefinerNetwork read_refiner(const NetworkFile& file, const std::string& prefix) {
  constexpr std::uint32_t features = candidate_feature_count;
  const auto bias = file.arrays.find(prefix + "first.b");
  if (bias == file.arrays.end() || bias->second.shape.size() != 1 || bias->second.shape[0] == 0) {
    throw Error(ErrorCode::network_invalid, "this is not a weight model: array '" + prefix + "first.b' is missing");
  }
  const std::uint32_t hidden = bias->second.shape[0];
  const auto row = [&](const char* name, std::uint32_t size) {
    return Eigen::RowVectorXf(Eigen::Map<const Eigen::RowVectorXf>(file.array(prefix + name, {size}).values.data(),
                                                                   static_cast<Eigen::Index>(size)));
  };
  const auto matrix = [&](const char* name, std::uint32_t rows) {
    return NetMatrix(Eigen::Map<const NetMatrix>(file.array(prefix + name, {rows, hidden}).values.data(),
                                                 static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(hidden)));
  };
  RefinerNetwork network;
  network.mean = row("features.mean", features);
  network.scale = row("features.scale", features);
  network.first = matrix("first.w", features);
  network.first_bias = row("first.b", hidden);
  network.second = matrix("second.w", hidden);
  network.from_mean = matrix("second.mean", hidden);
  network.from_largest = matrix("second.largest", hidden);
  network.second_bias = row("second.b", hidden);
  network.last = row("last.w", hidden).transpose();
  network.skip = file.array(prefix + "last.skip", {1}).values[0];
  return network;
}

void write_refiner(const RefinerNetwork& network, const std::string& prefix, NetworkFile& file) {
  const auto put = [&](const char* name, const auto& values, bool vector) {
    NetworkArray& array = file.arrays[prefix + name];
    if (!vector) array.shape.push_back(static_cast<std::uint32_t>(values.rows()));
    array.shape.push_back(static_cast<std::uint32_t>(vector ? values.size() : values.cols()));
    array.values.assign(values.data(), values.data() + values.size());
  };
  put("features.mean", network.mean, true);
  put("features.scale", network.scale, true);
  put("first.w", network.first, false);
  put("first.b", network.first_bias, true);
  put("second.w", network.second, false);
  put("second.mean", network.from_mean, false);
  put("second.largest", network.from_largest, false);
  put("second.b", network.second_bias, true);
  put("last.w", network.last, true);
  put("last.skip", Eigen::Map<const Eigen::RowVectorXf>(&network.skip, 1), true);
}

}  // namespace sinew
