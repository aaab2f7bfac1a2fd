#include "sinew/weights/limit_influences.h"

#include <algorithm>

namespace sinew {

void fade_left_out(std::vector<Influence>& influences, std::size_t slots) {
  if (influences.size() <= slots) return;
  std::nth_element(influences.begin(), influences.begin() + static_cast<std::ptrdiff_t>(slots), influences.end(),
                   [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  const double lost = influences[slots].weight;
  const double strongest =
      std::max_element(influences.begin(), influences.end(), [](const Influence& a, const Influence& b) {
        return a.weight < b.weight;
      })->weight;
  if (strongest > (1 + 1e-6) * lost) {  // otherwise all are equal, and stay so
    for (Influence& influence : influences) influence.weight -= lost;
  }
}

bool set_limited_influences(SkinWeights& weights, std::size_t vertex, std::vector<Influence> influences) {
  fade_left_out(influences, static_cast<std::size_t>(weights.influences));
  return set_influences(weights, vertex, std::move(influences));
}

}  // namespace sinew
