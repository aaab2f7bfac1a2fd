#include "sinew/skin_weights.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/error.h"

namespace sinew {

float SkinWeights::weight_of(std::size_t vertex, int joint) const {
  float sum = 0;
  for (std::size_t slot = vertex * influences; slot < (vertex + 1) * influences; ++slot) {
    if (joints[slot] == joint) sum += weights[slot];
  }
  return sum;
}

SkinWeights make_skin_weights(std::size_t vertex_count, int influences) {
  SkinWeights result;
  result.influences = influences;
  result.joints.assign(vertex_count * influences, 0);
  result.weights.assign(vertex_count * influences, 0.0f);
  return result;
}

bool set_influences(SkinWeights& weights, std::size_t vertex, std::vector<Influence> influences) {
  std::erase_if(influences, [](const Influence& i) { return !(i.weight > 0.0) || !std::isfinite(i.weight); });
  std::sort(influences.begin(), influences.end(),
            [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  std::size_t merged = 0;
  for (std::size_t i = 0; i < influences.size(); ++i) {
    if (merged > 0 && influences[merged - 1].joint == influences[i].joint) {
      influences[merged - 1].weight += influences[i].weight;
    } else {
      influences[merged++] = influences[i];
    }
  }
  influences.resize(merged);
  std::stable_sort(influences.begin(), influences.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  if (influences.size() > static_cast<std::size_t>(weights.influences)) influences.resize(weights.influences);

  double sum = 0.0;
  for (const Influence& i : influences) sum += i.weight;
  const std::size_t base = vertex * weights.influences;
  std::fill_n(weights.joints.begin() + base, weights.influences, std::uint16_t{0});
  std::fill_n(weights.weights.begin() + base, weights.influences, 0.0f);
  std::size_t slot = base;
  for (const Influence& i : influences) {
    const auto weight = static_cast<float>(i.weight / sum);
    if (weight <= 0.0f) break;  // too small for a float
    weights.joints[slot] = i.joint;
    weights.weights[slot++] = weight;
  }
  return slot > base;
}

SkinWeights sparsify(const Eigen::MatrixXd& dense, int influences) {
  SkinWeights result = make_skin_weights(dense.rows(), influences);
  parallel_for(dense.rows(), 1024, [&](std::size_t begin, std::size_t end) {
    std::vector<Influence> row;
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      row.clear();
      for (Eigen::Index joint = 0; joint < dense.cols(); ++joint) {
        if (dense(vertex, joint) > 0.0) row.push_back({static_cast<std::uint16_t>(joint), dense(vertex, joint)});
      }
      set_influences(result, vertex, row);
    }
  });
  return result;
}

Eigen::MatrixXd densify(const SkinWeights& weights, int joint_count) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(weights.vertex_count(), joint_count);
  for (std::size_t slot = 0; slot < weights.weights.size(); ++slot) {
    if (weights.weights[slot] != 0) dense(slot / weights.influences, weights.joints[slot]) += weights.weights[slot];
  }
  return dense;
}

SkinWeights with_influences(const SkinWeights& weights, int influences) {
  SkinWeights result = make_skin_weights(weights.vertex_count(), influences);
  std::vector<Influence> row;
  for (std::size_t vertex = 0; vertex < weights.vertex_count(); ++vertex) {
    row.clear();
    for (std::size_t slot = vertex * weights.influences; slot < (vertex + 1) * weights.influences; ++slot) {
      if (weights.weights[slot] > 0) row.push_back({weights.joints[slot], weights.weights[slot]});
    }
    if (row.size() > static_cast<std::size_t>(influences)) {
      set_influences(result, vertex, row);
      continue;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
      result.joints[vertex * influences + i] = row[i].joint;
      result.weights[vertex * influences + i] = static_cast<float>(row[i].weight);
    }
  }
  return result;
}

SkinWeights scatter(const SkinWeights& welded, const std::vector<std::uint32_t>& welded_of) {
  SkinWeights result = make_skin_weights(welded_of.size(), welded.influences);
  for (std::size_t vertex = 0; vertex < welded_of.size(); ++vertex) {
    const std::size_t from = static_cast<std::size_t>(welded_of[vertex]) * welded.influences;
    const std::size_t to = vertex * welded.influences;
    std::copy_n(welded.joints.begin() + from, welded.influences, result.joints.begin() + to);
    std::copy_n(welded.weights.begin() + from, welded.influences, result.weights.begin() + to);
  }
  return result;
}

std::size_t count_unweighted(const SkinWeights& weights) {
  std::size_t count = 0;
  for (std::size_t vertex = 0; vertex < weights.vertex_count(); ++vertex) {
    const auto begin = weights.weights.begin() + vertex * weights.influences;
    count += std::all_of(begin, begin + weights.influences, [](float w) { return w == 0.0f; });
  }
  return count;
}

void check_skin_weights(const SkinWeights& weights, std::size_t vertex_count, int joint_count, bool allow_unweighted) {
  if (weights.influences < 1 || weights.joints.size() != weights.weights.size() ||
      weights.weights.size() != vertex_count * weights.influences) {
    throw Error(ErrorCode::weights_invalid, "skin weights for " + std::to_string(weights.vertex_count()) +
                                                " vertices, but the mesh has " + std::to_string(vertex_count));
  }
  for (std::size_t vertex = 0; vertex < vertex_count; ++vertex) {
    const auto fault = [vertex](const std::string& what) {
      return Error(ErrorCode::weights_invalid, "vertex " + std::to_string(vertex) + what);
    };
    double sum = 0.0;
    const std::size_t base = vertex * weights.influences;
    for (int slot = 0; slot < weights.influences; ++slot) {
      const float weight = weights.weights[base + slot];
      const int joint = weights.joints[base + slot];
      if (!(weight >= 0.0f) || !std::isfinite(weight)) throw fault(" has a negative or non-finite weight");
      if (joint >= joint_count) throw fault(" uses joint " + std::to_string(joint) + ", which does not exist");
      if (slot > 0 && weight > weights.weights[base + slot - 1]) throw fault(": weights are not sorted");
      if (weight == 0.0f && joint != 0) throw fault(": an unused slot does not name joint 0");
      for (int other = 0; other < slot && weight > 0.0f; ++other) {
        if (weights.joints[base + other] == joint) throw fault(" names joint " + std::to_string(joint) + " twice");
      }
      sum += weight;
    }
    if (sum == 0.0 && allow_unweighted) continue;
    if (std::abs(sum - 1.0) > 1e-6) throw fault(": weights sum to " + number_text(sum, 8));
  }
}

}  // namespace sinew
