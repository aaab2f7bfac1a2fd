// Which means to give a region new weights is likely to be right: hide known weights around it, and see which one tells
// them best.
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <set>

#include "sinew/check/repairs.h"

namespace sinew {
namespace {

constexpr std::size_t fewest_hidden = 6;
constexpr double least_covered = 0.9;  // of the region, by the other side

// Known vertices around a region, about half as far as it reaches itself.
std::vector<std::uint32_t> band_around(const Patient& patient, const std::vector<std::uint32_t>& region) {
  const CheckedSkin& skin = patient.skin;
  double area = 0, edge = 0, edges = 0;
  for (const std::uint32_t vertex : region) {
    area += skin.area[vertex];
    for (const std::uint32_t other : skin.neighbours[vertex])
      edge += (skin.position(vertex) - skin.position(other)).norm(), ++edges;
  }
  if (edges == 0) return {};
  const double distance = std::max(0.5 * std::sqrt(area / M_PI), 1.5 * edge / edges);
  std::vector<std::uint32_t> band;
  const std::vector<std::uint32_t> around = grown(skin, region, distance);
  std::set_difference(around.begin(), around.end(), region.begin(), region.end(), std::back_inserter(band));
  std::erase_if(band, [&](std::uint32_t vertex) { return patient.suspected[vertex] || !skin.is_weighted(vertex); });
  return band;
}

double error_over(const CheckedSkin& skin, const std::vector<std::uint32_t>& band, const Cure& cure) {
  double sum = 0;
  for (const std::uint32_t vertex : band) {
    const auto told = cure.weights.find(vertex);
    sum += told == cure.weights.end() ? 1 : magnitude(difference(told->second, weights_of(skin, vertex)));
  }
  return sum / static_cast<double>(band.size());
}

}  // namespace

std::vector<std::uint32_t> grown(const CheckedSkin& skin, const std::vector<std::uint32_t>& from, double distance) {
  std::vector<double> reached(skin.vertex_count(), std::numeric_limits<double>::infinity());
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const std::uint32_t vertex : from) reached[vertex] = 0, queue.emplace(0.0, vertex);
  std::set<std::uint32_t> all;
  while (!queue.empty()) {
    const auto [so_far, vertex] = queue.top();
    queue.pop();
    if (so_far > reached[vertex]) continue;
    all.insert(vertex);
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      const double further = so_far + (skin.position(other) - skin.position(vertex)).norm();
      if (further <= distance && further < reached[other]) reached[other] = further, queue.emplace(further, other);
    }
  }
  return {all.begin(), all.end()};
}

std::vector<RankedCure> ranked_fills(const Patient& patient, const std::vector<std::uint32_t>& region) {
  const CheckedSkin& skin = patient.skin;
  const SkinWeights* heat = patient.heat(-1);
  const auto all = [&](const std::vector<std::uint32_t>& vertices) {
    Cures cures = {mirrored_weights(patient, vertices), fill(skin, vertices, true), fill(skin, vertices, false)};
    if (heat) cures.push_back(fill(skin, vertices, false, heat));
    return cures;
  };
  const std::vector<std::uint32_t> band = band_around(patient, region);
  std::vector<RankedCure> ranked;
  for (Cure& cure : all(region)) ranked.push_back({std::move(cure), 1});
  if (band.size() >= fewest_hidden) {
    std::vector<std::uint32_t> hidden;
    std::set_union(region.begin(), region.end(), band.begin(), band.end(), std::back_inserter(hidden));
    const Cures guesses = all(hidden);
    for (std::size_t i = 0; i < guesses.size(); ++i) ranked[i].error = error_over(skin, band, guesses[i]);
  }
  // A side that knows only some of the vertices leaves the others broken.
  if (static_cast<double>(ranked[0].cure.weights.size()) < least_covered * static_cast<double>(region.size()))
    ranked[0].error = 1;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const RankedCure& a, const RankedCure& b) { return a.error < b.error; });
  std::erase_if(ranked, [](const RankedCure& own) { return own.cure.weights.empty(); });
  return ranked;
}

Cures fills(const Patient& patient, const std::vector<std::uint32_t>& region) {
  Cures cures;
  for (RankedCure& own : ranked_fills(patient, region)) cures.push_back(std::move(own.cure));
  return cures;
}

}  // namespace sinew
