// Means against joints that move nothing.
#include <algorithm>

#include "sinew/check/repairs.h"

namespace sinew {
namespace {

constexpr double has_some = 0.02;  // weight by bone heat from which on a joint moves a vertex
constexpr double has_much = 0.3;   // weight that a joint has somewhere in every region that is its own

// Takes away from a cure the regions in which the joint has little everywhere: strays of the other side.
void keep_own_regions(const CheckedSkin& skin, int joint, Cure& cure) {
  std::vector<char> changed(skin.vertex_count(), 0);
  for (const auto& [vertex, list] : cure.weights) changed[vertex] = 1;
  for (const std::vector<std::uint32_t>& region : connected_groups(skin, changed)) {
    const bool own = std::any_of(region.begin(), region.end(), [&](std::uint32_t vertex) {
      const WeightList& list = cure.weights[vertex];
      return std::any_of(list.begin(), list.end(),
                         [&](const Influence& entry) { return entry.joint == joint && entry.weight >= has_much; });
    });
    if (own) continue;
    for (const std::uint32_t vertex : region) cure.weights.erase(vertex);
  }
}

// The joint gets what its counterpart has on the other side, of the weight of the joint above it; all else stays. Only
// where bone heat gives it something too: a stray weight of the other side is nothing to copy.
Cure shared_as_opposite(const Patient& patient, const std::vector<std::uint32_t>& region, int joint, int counterpart) {
  const CheckedSkin& skin = patient.skin;
  const std::vector<std::string>& names = skin.character.skeleton.names;
  const int holder = skin.character.skeleton.parents[static_cast<std::size_t>(joint)];
  Cure cure{"gave '" + names[static_cast<std::size_t>(joint)] + "' what '" +
                names[static_cast<std::size_t>(counterpart)] + "' has on the other side",
            {}};
  const SkinWeights* heat = patient.heat(joint);
  for (const std::uint32_t vertex : region) {
    if (heat && heat->weight_of(vertex, joint) < has_some) continue;
    const std::uint32_t image = patient.mirrored->vertices[vertex];
    WeightList list = weights_of(skin, vertex);
    const auto held =
        std::find_if(list.begin(), list.end(), [&](const Influence& entry) { return entry.joint == holder; });
    if (held == list.end() || image == vertex) continue;
    const double moved = std::min<double>(held->weight, skin.weights.weight_of(image, counterpart));
    held->weight -= moved;
    list.push_back({static_cast<std::uint16_t>(joint), moved});
    std::erase_if(list, [](const Influence& entry) { return entry.weight < 1e-4; });
    std::sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    cure.weights[vertex] = std::move(list);
  }
  keep_own_regions(skin, joint, cure);
  return cure;
}

}  // namespace

Cure shared_by_heat(const Patient& patient, int joint, int holder) {
  const std::vector<std::string>& names = patient.skin.character.skeleton.names;
  Cure cure{"gave '" + names[static_cast<std::size_t>(joint)] + "' its share of the weight of '" +
                names[static_cast<std::size_t>(holder)] + "' by bone heat",
            {}};
  const SkinWeights* heat = patient.heat(joint);
  if (!heat) return cure;
  for (std::uint32_t vertex = 0; vertex < patient.skin.vertex_count(); ++vertex) {
    const double own = heat->weight_of(vertex, joint), other = heat->weight_of(vertex, holder);
    if (own < has_some || patient.skin.weights.weight_of(vertex, holder) <= 0) continue;
    WeightList list = weights_of(patient.skin, vertex);
    double moved = 0;
    for (Influence& entry : list) {
      if (entry.joint != holder) continue;
      moved = entry.weight * own / (own + other);
      entry.weight -= moved;
    }
    list.push_back({static_cast<std::uint16_t>(joint), moved});
    std::erase_if(list, [](const Influence& entry) { return entry.weight < 1e-4; });
    std::sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
    cure.weights[vertex] = std::move(list);
  }
  return cure;
}

Cures idle_cures(const Patient& patient) {
  Cures cures;
  const CheckedSkin& skin = patient.skin;
  const int joint = patient.finding.joint;
  if (patient.mirrored && patient.mirrored->joints[static_cast<std::size_t>(joint)] >= 0) {
    const int counterpart = patient.mirrored->joints[static_cast<std::size_t>(joint)];
    std::vector<std::uint32_t> region;
    for (std::uint32_t vertex = 0; vertex < skin.vertex_count(); ++vertex) {
      const std::uint32_t image = patient.mirrored->vertices[vertex];
      if (image != MirroredSkin::no_image && skin.weights.weight_of(image, counterpart) > 0) region.push_back(vertex);
    }
    cures.push_back(shared_as_opposite(patient, region, joint, counterpart));
    cures.push_back(mirrored_weights(patient, region));
  }
  const WeightList holders = mean_weights(skin, patient.vertices);
  const auto strongest = std::max_element(holders.begin(), holders.end(),
                                          [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
  int holder = strongest == holders.end() ? -1 : strongest->joint;
  if (holder < 0) holder = skin.character.skeleton.parents[static_cast<std::size_t>(joint)];
  if (holder >= 0) cures.push_back(shared_by_heat(patient, joint, holder));
  return cures;
}

}  // namespace sinew
