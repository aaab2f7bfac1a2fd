// Vertices without weight, more influences than asked for, and joints that move nothing.
#include <algorithm>
#include <cmath>

#include "sinew/check/detectors.h"

namespace sinew {
namespace {

constexpr float counts_as_influence = 1e-4f;

// The weights nearest to a group over the surface: of the vertices around it, or of the nearest ones in space.
WeightList weights_around(const CheckedSkin& skin, const std::vector<std::uint32_t>& group) {
  std::vector<std::uint32_t> around;
  for (const std::uint32_t vertex : group) {
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      if (skin.is_weighted(other)) around.push_back(other);
    }
  }
  if (around.empty()) {
    double nearest = 1e300;
    for (std::uint32_t other = 0; other < skin.vertex_count(); ++other) {
      const double distance = (skin.position(other) - skin.position(group.front())).squaredNorm();
      if (skin.is_weighted(other) && distance < nearest) nearest = distance, around = {other};
    }
  }
  return mean_weights(skin, around);
}

}  // namespace

void find_unweighted(const CheckedSkin& skin, Suspicions& found) {
  std::vector<char> without(skin.vertex_count(), 0);
  for (std::size_t vertex = 0; vertex < skin.vertex_count(); ++vertex) without[vertex] = !skin.is_weighted(vertex);
  for (std::vector<std::uint32_t>& group : connected_groups(skin, without, 2)) {
    Suspicion own{.kind = FindingKind::unweighted};
    const WeightList lacking = weights_around(skin, group);
    for (const std::uint32_t vertex : group) {
      const Offset offset = worst_offset(skin, skin.position(vertex), lacking);
      if (offset.distance > own.offset.distance) own.offset = offset;
    }
    own.vertices = std::move(group);
    found.push_back(std::move(own));
  }
}

void find_many_influences(const CheckedSkin& skin, int most, Suspicions& found) {
  Suspicion own{.kind = FindingKind::influences};
  for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
    const auto weights = skin.weights_at(vertex);
    const auto many = std::count_if(weights.begin(), weights.end(), [](float w) { return w > counts_as_influence; });
    if (many <= most) continue;
    own.vertices.push_back(vertex);
    own.count = std::max(own.count, static_cast<int>(many));
    // What an engine that keeps the strongest does to it.
    SkinWeights kept = make_skin_weights(1, most);
    std::vector<Influence> all;
    const auto joints = skin.joints_at(vertex);
    for (std::size_t slot = 0; slot < joints.size(); ++slot) all.push_back({joints[slot], weights[slot]});
    set_influences(kept, 0, all);
    WeightList reduced;
    for (std::size_t slot = 0; slot < kept.weights.size(); ++slot) {
      if (kept.weights[slot] > 0) reduced.push_back({kept.joints[slot], kept.weights[slot]});
    }
    std::sort(reduced.begin(), reduced.end(), [](const auto& a, const auto& b) { return a.joint < b.joint; });
    const Offset offset = worst_offset(skin, skin.position(vertex), difference(weights_of(skin, vertex), reduced));
    if (offset.distance > own.offset.distance || own.offset.pose < 0) own.offset = offset;
  }
  if (!own.vertices.empty()) found.push_back(std::move(own));
}

}  // namespace sinew
