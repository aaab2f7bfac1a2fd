// Means against too many influences.
#include <algorithm>

#include "sinew/check/repairs.h"
#include "sinew/weight_tools.h"

namespace sinew {
namespace {

constexpr double most_smeared = 0.5, alike = 1.5, smear_margin = 1.05;  // of smears over many joints

Cure fewer_influences(const Patient& patient) {
  Character copy = patient.skin.character;
  limit_influences(copy,
                   {.selection = {.vertices = patient.finding.vertices}, .max_influences = patient.max_influences});
  Cure cure{"kept the " + std::to_string(patient.max_influences) + " influences that matter most", {}};
  const std::size_t slots = static_cast<std::size_t>(copy.weights.influences);
  for (const std::uint32_t vertex : patient.vertices) {
    const std::size_t first = patient.skin.copies[vertex][0] * slots;
    WeightList list;
    for (std::size_t slot = first; slot < first + slots; ++slot) {
      if (copy.weights.weights[slot] > 0) list.push_back({copy.weights.joints[slot], copy.weights.weights[slot]});
    }
    if (!list.empty()) cure.weights[vertex] = std::move(list);
  }
  return cure;
}

// Weights smeared over many joints: beyond the allowed ones they are all about alike, as if spread on top of what was
// meant. So much is taken away from all.
Cure without_smear(const Patient& patient) {
  Cure cure{"took away what was spread evenly over many joints", {}};
  const std::size_t most = static_cast<std::size_t>(patient.max_influences);
  for (const std::uint32_t vertex : patient.vertices) {
    WeightList list = weights_of(patient.skin, vertex);
    if (list.size() <= most) continue;
    WeightList sorted = list;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
    const double smear = sorted[most].weight;
    if (smear * static_cast<double>(list.size()) > most_smeared || smear > alike * sorted.back().weight) continue;
    for (Influence& entry : list) entry.weight -= smear_margin * smear;
    std::erase_if(list, [](const Influence& entry) { return !(entry.weight > 0); });
    double left = 0;
    for (const Influence& entry : list) left += entry.weight;
    for (Influence& entry : list) entry.weight /= left;
    if (!list.empty() && list.size() <= most) cure.weights[vertex] = std::move(list);
  }
  if (cure.weights.size() < patient.vertices.size()) {
    for (auto& [vertex, list] : fewer_influences(patient).weights) cure.weights.try_emplace(vertex, std::move(list));
  }
  return cure;
}

}  // namespace

Cures influence_cures(const Patient& patient) { return {without_smear(patient), fewer_influences(patient)}; }

}  // namespace sinew
