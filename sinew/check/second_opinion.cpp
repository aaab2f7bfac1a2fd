// A repair that leads away from what another way of binding says is likely to be wrong, however smooth it looks.
#include <algorithm>

#include "sinew/check/repairs.h"

namespace sinew {
namespace {

constexpr double opinion_margin = 1.0;  // of the distance from bone heat before

// Wrong whatever other weights would be.
bool needs_no_second_opinion(FindingKind kind) {
  return kind == FindingKind::unweighted || kind == FindingKind::split_seam || kind == FindingKind::influences;
}

}  // namespace

Cure where_heat_does_not_object(const Patient& patient, Cure cure) {
  const FindingKind kind = patient.finding.kind;
  if (needs_no_second_opinion(kind)) return cure;
  const SkinWeights* heat = patient.heat(kind == FindingKind::idle_joint ? patient.finding.joint : -1);
  if (!heat) return cure;
  const CheckedSkin& skin = patient.skin;
  std::vector<char> changed(skin.vertex_count(), 0);
  for (const auto& [vertex, list] : cure.weights)
    changed[vertex] = magnitude(difference(list, weights_of(skin, vertex))) > 0;
  const auto off = [&](std::uint32_t vertex, const WeightList& list) {
    return worst_offset(skin, skin.position(vertex), difference(list, weights_of(*heat, vertex))).distance;
  };
  for (const std::vector<std::uint32_t>& region : connected_groups(skin, changed)) {
    double before = 0, after = 0;
    for (const std::uint32_t vertex : region) {
      before += off(vertex, weights_of(skin, vertex));
      after += off(vertex, cure.weights[vertex]);
    }
    if (after <= opinion_margin * before) continue;
    for (const std::uint32_t vertex : region) cure.weights.erase(vertex);
  }
  return cure;
}

}  // namespace sinew
