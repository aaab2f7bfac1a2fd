#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sinew/asset/gltf/gltf_build.h"
#include "sinew/base/parallel.h"

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

namespace {

// Joints and weights of a part as the file will hold them: in sets of four slots, the vertices one after the other.
template <typename JointIndex>
struct EncodedWeights {
  std::vector<std::vector<JointIndex>> joints;
  std::vector<std::vector<float>> floats;
  std::vector<std::vector<std::uint8_t>> bytes;  // instead of floats, when quantised
  std::size_t unweighted = 0;                    // vertices
};

template <typename JointIndex>
EncodedWeights<JointIndex> encode(const SkinWeights& weights, const Part& part, const WeightEncoding& encoding) {
  const std::size_t used = slots_needed(weights, part, encoding.options.max_influences);
  const std::size_t sets = (used + 3) / 4, row = sets * 4;
  const auto stride = static_cast<std::size_t>(weights.influences);
  const bool quantise = encoding.options.quantise_weights;
  EncodedWeights<JointIndex> result;
  result.joints.assign(sets, std::vector<JointIndex>(part.vertex_count * 4, 0));
  if (quantise) result.bytes.resize(sets);
  if (!quantise) result.floats.resize(sets);
  for (auto& bytes : result.bytes) bytes.resize(part.vertex_count * 4);
  for (auto& floats : result.floats) floats.resize(part.vertex_count * 4);
  const auto encode_block = [&](std::size_t begin, std::size_t end) {
    std::vector<float> slots(row);
    std::vector<std::uint8_t> rounded(row);
    std::size_t none = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t base = (part.first_vertex + i) * stride;
      std::fill(slots.begin(), slots.end(), 0.0f);
      std::copy_n(weights.weights.begin() + static_cast<std::ptrdiff_t>(base), std::min(used, stride), slots.begin());
      const bool unweighted = !(slots[0] > 0.0f);
      if (unweighted) {
        slots[0] = 1.0f;
        ++none;
      } else if (used < stride) {
        const float sum = std::accumulate(slots.begin(), slots.end(), 0.0f);
        for (float& slot : slots) slot /= sum;
      }
      make_sum_exact(slots);
      if (quantise) quantise_weights(slots, rounded);
      for (std::size_t k = 0; k < row; ++k) {
        if (quantise ? rounded[k] == 0 : !(slots[k] > 0.0f)) continue;
        const int joint = unweighted ? encoding.fallback_joint : weights.joints[base + k];
        result.joints[k / 4][i * 4 + k % 4] =
            static_cast<JointIndex>(encoding.skin_index[static_cast<std::size_t>(joint)]);
        if (quantise) {
          result.bytes[k / 4][i * 4 + k % 4] = rounded[k];
        } else {
          result.floats[k / 4][i * 4 + k % 4] = slots[k];
        }
      }
    }
    return static_cast<double>(none);
  };
  result.unweighted = static_cast<std::size_t>(parallel_sum(part.vertex_count, 16384, encode_block));
  return result;
}

template <typename JointIndex>
WeightAccessors add_encoded(Builder& builder, EncodedWeights<JointIndex> encoded, Component joint_component,
                            std::size_t count) {
  WeightAccessors result;
  result.unweighted = encoded.unweighted;
  for (std::size_t set = 0; set < encoded.joints.size(); ++set) {
    result.joints.push_back(
        builder.add_values(std::move(encoded.joints[set]), joint_component, "VEC4", count, ViewTarget::vertices));
    result.weights.push_back(encoded.floats.empty() ? builder.add_values(std::move(encoded.bytes[set]), Component::u8,
                                                                         "VEC4", count, ViewTarget::vertices, true)
                                                    : builder.add_values(std::move(encoded.floats[set]), Component::f32,
                                                                         "VEC4", count, ViewTarget::vertices));
  }
  return result;
}

}  // namespace

WeightAccessors add_weights(Builder& builder, const SkinWeights& weights, const Part& part,
                            const WeightEncoding& encoding) {
  const bool wide = std::any_of(encoding.skin_index.begin(), encoding.skin_index.end(), [](int i) { return i > 255; });
  return wide ? add_encoded(builder, encode<std::uint16_t>(weights, part, encoding), Component::u16, part.vertex_count)
              : add_encoded(builder, encode<std::uint8_t>(weights, part, encoding), Component::u8, part.vertex_count);
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
