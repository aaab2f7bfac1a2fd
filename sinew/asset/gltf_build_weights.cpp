#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sinew/asset/gltf_build.h"

namespace sinew::gltf {
namespace {

// Makes the float sum, added up in order of slots as readers do, exactly 1 by correcting the largest weight.
void make_sum_exact(std::span<float> weights) {
  for (int attempt = 0; attempt < 4; ++attempt) {
    float sum = 0.0f;
    for (const float weight : weights) sum += weight;
    if (sum == 1.0f) return;
    weights[0] += 1.0f - sum;
  }
}

// Slots needed by the vertices of the part, at most `limit` (0: no limit).
std::size_t slots_needed(const SkinWeights& weights, const Part& part, int limit) {
  const auto stride = static_cast<std::size_t>(weights.influences);
  std::size_t needed = 1;
  for (std::size_t vertex = part.first_vertex; vertex < part.first_vertex + part.vertex_count; ++vertex) {
    while (needed < stride && weights.weights[vertex * stride + needed] > 0.0f) ++needed;
  }
  return limit > 0 ? std::min(needed, static_cast<std::size_t>(limit)) : needed;
}

}  // namespace

void quantise_weights(std::span<const float> weights, std::span<std::uint8_t> bytes) {
  std::vector<double> remainders(weights.size());
  int sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double scaled = std::clamp(static_cast<double>(weights[i]), 0.0, 1.0) * 255.0;
    bytes[i] = static_cast<std::uint8_t>(std::floor(scaled));
    remainders[i] = scaled - std::floor(scaled);
    sum += bytes[i];
  }
  for (; sum < 255; ++sum) {
    const auto largest = std::max_element(remainders.begin(), remainders.end()) - remainders.begin();
    ++bytes[static_cast<std::size_t>(largest)];
    remainders[static_cast<std::size_t>(largest)] -= 1.0;
  }
  for (; sum > 255; --sum) --*std::max_element(bytes.begin(), bytes.end());
}

WeightAccessors add_weights(Builder& builder, const SkinWeights& weights, const Part& part,
                            const WeightEncoding& encoding) {
  const std::size_t used = slots_needed(weights, part, encoding.options.max_influences);
  const std::size_t sets = (used + 3) / 4, row = sets * 4;
  const auto stride = static_cast<std::size_t>(weights.influences);
  const bool wide = std::any_of(encoding.skin_index.begin(), encoding.skin_index.end(), [](int i) { return i > 255; });
  std::vector<std::vector<std::uint16_t>> joints(sets, std::vector<std::uint16_t>(part.vertex_count * 4, 0));
  std::vector<std::vector<float>> floats(sets, std::vector<float>(part.vertex_count * 4, 0.0f));
  std::vector<std::vector<std::uint8_t>> bytes(sets);
  if (encoding.options.quantise_weights) bytes.assign(sets, std::vector<std::uint8_t>(part.vertex_count * 4, 0));
  WeightAccessors result;
  std::vector<float> slots(row);
  std::vector<std::uint8_t> rounded(row);
  for (std::size_t i = 0; i < part.vertex_count; ++i) {
    const std::size_t base = (part.first_vertex + i) * stride;
    std::fill(slots.begin(), slots.end(), 0.0f);
    std::copy_n(weights.weights.begin() + static_cast<std::ptrdiff_t>(base), std::min(used, stride), slots.begin());
    const bool unweighted = !(slots[0] > 0.0f);
    if (unweighted) {
      slots[0] = 1.0f;
      ++result.unweighted;
    } else if (used < stride) {
      const float sum = std::accumulate(slots.begin(), slots.end(), 0.0f);
      for (float& slot : slots) slot /= sum;
    }
    make_sum_exact(slots);
    if (encoding.options.quantise_weights) quantise_weights(slots, rounded);
    for (std::size_t k = 0; k < row; ++k) {
      const bool kept = encoding.options.quantise_weights ? rounded[k] > 0 : slots[k] > 0.0f;
      if (!kept) continue;
      const int joint = unweighted ? encoding.fallback_joint : weights.joints[base + k];
      joints[k / 4][i * 4 + k % 4] = static_cast<std::uint16_t>(encoding.skin_index[static_cast<std::size_t>(joint)]);
      floats[k / 4][i * 4 + k % 4] = slots[k];
      if (encoding.options.quantise_weights) bytes[k / 4][i * 4 + k % 4] = rounded[k];
    }
  }
  for (std::size_t set = 0; set < sets; ++set) {
    const std::size_t count = part.vertex_count;
    if (wide) {
      result.joints.push_back(
          builder.add_values(std::move(joints[set]), Component::u16, "VEC4", count, ViewTarget::vertices));
    } else {
      std::vector<std::uint8_t> narrow(joints[set].begin(), joints[set].end());
      result.joints.push_back(
          builder.add_values(std::move(narrow), Component::u8, "VEC4", count, ViewTarget::vertices));
    }
    result.weights.push_back(
        encoding.options.quantise_weights
            ? builder.add_values(std::move(bytes[set]), Component::u8, "VEC4", count, ViewTarget::vertices, true)
            : builder.add_values(std::move(floats[set]), Component::f32, "VEC4", count, ViewTarget::vertices));
  }
  return result;
}

void set_weight_attributes(Json& attributes, const WeightAccessors& accessors) {
  for (int set = 0;; ++set) {
    const bool had = attributes.erase("JOINTS_" + std::to_string(set)) > 0;
    const bool had_weights = attributes.erase("WEIGHTS_" + std::to_string(set)) > 0;
    if (!had && !had_weights) break;
  }
  for (std::size_t set = 0; set < accessors.joints.size(); ++set) {
    attributes["JOINTS_" + std::to_string(set)] = accessors.joints[set];
    attributes["WEIGHTS_" + std::to_string(set)] = accessors.weights[set];
  }
}

}  // namespace sinew::gltf
