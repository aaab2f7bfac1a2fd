#include "sinew/weights/tools/welded_skin.h"

#include <algorithm>
#include <cmath>

#include "sinew/asset/skinned_surface.h"
#include "sinew/base/cancellation.h"
#include "sinew/base/plain_text.h"
#include "sinew/mesh/weld.h"
#include "sinew/weights/limit_influences.h"

namespace sinew {
namespace {

// What is written is a float: smaller differences are its rounding.
constexpr double rounding = 1e-6;

// Of copies with the same slots the row itself, so that nothing is rounded twice; of others the mean.
void add_copy(const WeightRow& own, WeightRow& row, std::size_t& copies) {
  if (own.empty()) return;
  const bool same = copies > 0 && std::equal(own.begin(), own.end(), row.begin(), row.end(),
                                             [](const Influence& a, const Influence& b) {
                                               return a.joint == b.joint && a.weight == b.weight;
                                             });
  if (!same) {
    scale_row(row, static_cast<double>(copies));
    add_row(row, own, 1.0);
    scale_row(row, 1.0 / static_cast<double>(copies + 1));
  }
  ++copies;
}

std::vector<char> selected_vertices(const Character& character, const WeldedSkin& skin,
                                    const std::vector<std::uint32_t>& vertices) {
  if (vertices.empty()) return std::vector<char>(skin.vertex_count(), 1);
  std::vector<char> selected(skin.vertex_count(), 0);
  for (const std::uint32_t vertex : vertices) {
    if (vertex >= character.mesh.vertex_count()) {
      throw Error(ErrorCode::argument_invalid, "there is no vertex " + std::to_string(vertex) + " among " +
                                                   std::to_string(character.mesh.vertex_count()))
          .about("vertices");
    }
    if (skin.welded_of[vertex] != WeldedSkin::not_skinned) selected[skin.welded_of[vertex]] = 1;
  }
  return selected;
}

// As set_influences does, but floats that sum to 1 already keep their bits.
void write_row(SkinWeights& weights, std::size_t vertex, WeightRow row) {
  const double sum = row_sum(row);
  if (row.size() > static_cast<std::size_t>(weights.influences) || std::abs(sum - 1) > 0.5 * rounding) {
    set_influences(weights, vertex, std::move(row));
    return;
  }
  std::stable_sort(row.begin(), row.end(), [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
  const std::size_t base = vertex * weights.influences;
  std::fill_n(weights.joints.begin() + static_cast<std::ptrdiff_t>(base), weights.influences, std::uint16_t{0});
  std::fill_n(weights.weights.begin() + static_cast<std::ptrdiff_t>(base), weights.influences, 0.0f);
  for (std::size_t i = 0; i < row.size() && static_cast<float>(row[i].weight) > 0; ++i) {
    weights.joints[base + i] = row[i].joint;
    weights.weights[base + i] = static_cast<float>(row[i].weight);
  }
}

void count_influences(const Character& character, const WeldedSkin& skin, WeightChange& change) {
  const SkinWeights& weights = character.weights;
  std::size_t total = 0;
  for (std::size_t v = 0; v < skin.welded_of.size(); ++v) {
    if (skin.welded_of[v] == WeldedSkin::not_skinned) continue;
    const auto begin = weights.weights.begin() + static_cast<std::ptrdiff_t>(v * weights.influences);
    const auto used = static_cast<int>(std::count_if(begin, begin + weights.influences, [](float w) { return w > 0; }));
    ++change.skinned;
    total += static_cast<std::size_t>(used);
    change.max_influences = std::max(change.max_influences, used);
  }
  change.mean_influences = static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(change.skinned, 1));
}

}  // namespace

std::vector<char> joint_flags(const Skeleton& skeleton, const std::vector<int>& joints, const char* what) {
  std::vector<char> flags(skeleton.joint_count(), 0);
  for (const int joint : joints) {
    if (joint < 0 || joint >= skeleton.joint_count()) {
      throw Error(ErrorCode::joint_unknown,
                  "there is no joint " + std::to_string(joint) + " among " + std::to_string(skeleton.joint_count()))
          .about(what);
    }
    flags[joint] = 1;
  }
  return flags;
}

void require_range(double value, double low, double high, const char* option) {
  if (value >= low && value <= high) return;
  throw Error(ErrorCode::option_out_of_range, std::string(option) + " must be " + number_text(low) + " … " +
                                                  number_text(high) + ", got " + number_text(value))
      .about(option);
}

WeightRow row_of(const SkinWeights& weights, std::size_t vertex) {
  WeightRow row;
  for (std::size_t slot = vertex * weights.influences; slot < (vertex + 1) * weights.influences; ++slot) {
    if (weights.weights[slot] > 0) row.push_back({weights.joints[slot], static_cast<double>(weights.weights[slot])});
  }
  std::sort(row.begin(), row.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  return row;
}

void add_row(WeightRow& sum, const WeightRow& row, double factor) {
  std::size_t at = 0;
  for (const Influence& influence : row) {
    while (at < sum.size() && sum[at].joint < influence.joint) ++at;
    if (at < sum.size() && sum[at].joint == influence.joint) {
      sum[at].weight += factor * influence.weight;
    } else {
      sum.insert(sum.begin() + static_cast<std::ptrdiff_t>(at), {influence.joint, factor * influence.weight});
    }
  }
}

void scale_row(WeightRow& row, double factor) {
  for (Influence& influence : row) influence.weight *= factor;
}

double row_sum(const WeightRow& row) {
  double sum = 0;
  for (const Influence& influence : row) sum += influence.weight;
  return sum;
}

double row_difference(const WeightRow& a, const WeightRow& b) {
  WeightRow difference = a;
  add_row(difference, b, -1.0);
  double sum = 0;
  for (const Influence& influence : difference) sum += std::abs(influence.weight);
  return 0.5 * sum;
}

WeightRow with_locked(const WeightRow& before, const WeightRow& wanted, const std::vector<char>& locked) {
  WeightRow kept, rest;
  for (const Influence& influence : before) {
    if (locked[influence.joint]) kept.push_back(influence);
  }
  for (const Influence& influence : wanted) {
    if (!locked[influence.joint] && influence.weight > 0) rest.push_back(influence);
  }
  const double left = std::max(0.0, 1.0 - row_sum(kept)), sum = row_sum(rest);
  if (!(sum > 0)) return before;
  if (left < rounding) return kept;
  add_row(kept, rest, left / sum);
  return kept;
}

void limit_row(WeightRow& row, int slots, const std::vector<char>& locked) {
  if (row.size() <= static_cast<std::size_t>(slots)) return;
  WeightRow kept, rest;
  for (const Influence& influence : row) (locked[influence.joint] ? kept : rest).push_back(influence);
  const auto by_weight = [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  };
  const auto strongest = [&](WeightRow& some, std::size_t count) {
    std::sort(some.begin(), some.end(), by_weight);
    if (some.size() > count) some.resize(count);
  };
  strongest(kept, static_cast<std::size_t>(slots));
  const std::size_t free = static_cast<std::size_t>(slots) - kept.size();
  fade_left_out(rest, free);
  std::erase_if(rest, [](const Influence& influence) { return !(influence.weight > 0); });
  strongest(rest, free);
  const double left = std::max(0.0, 1.0 - row_sum(kept)), sum = row_sum(rest);
  if (rest.empty() || !(sum > 0)) {
    scale_row(kept, 1.0 / row_sum(kept));
  } else {
    scale_row(rest, left / sum);
  }
  row = std::move(kept);
  row.insert(row.end(), rest.begin(), rest.end());
  std::sort(row.begin(), row.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
}

WeldedSkin weld_skin(const Character& character, const WeightSelection& selection) {
  check_character(character);
  const SkinnedSurface surface = skinned_surface(character);
  for (std::size_t i = 0; i < surface.original.size(); ++i) {
    if (surface.mesh.positions[i].allFinite()) continue;
    throw Error(ErrorCode::mesh_invalid,
                "vertex " + std::to_string(surface.original[i]) + " has a position that is not finite");
  }
  stop_if_cancelled();
  const Weld weld = weld_positions(surface.mesh.positions);
  WeldedSkin skin;
  skin.locked = joint_flags(character.skeleton, selection.locked, "locked");
  skin.mesh = welded_mesh(surface.mesh, weld);
  skin.welded_of.assign(character.mesh.vertex_count(), WeldedSkin::not_skinned);
  skin.rows.resize(weld.welded_count());
  std::vector<std::size_t> copies(weld.welded_count(), 0);
  for (std::size_t i = 0; i < surface.original.size(); ++i) {
    stop_if_cancelled(i);
    const std::uint32_t welded = weld.welded_of[i];
    skin.welded_of[surface.original[i]] = welded;
    const WeightRow own = row_of(surface.weights, i);
    skin.most_influences = std::max(skin.most_influences, static_cast<int>(own.size()));
    add_copy(own, skin.rows[welded], copies[welded]);
  }
  skin.selected = selected_vertices(character, skin, selection.vertices);
  for (WeightRow& row : skin.rows) limit_row(row, skin.most_influences, skin.locked);
  return skin;
}

WeightChange store_rows(Character& character, const WeldedSkin& skin, const std::vector<WeightRow>& rows, int slots) {
  // Per welded vertex: the most that changes at one of its copies.
  std::vector<double> moved(skin.vertex_count(), 0.0);
  std::vector<char> differs(skin.vertex_count(), 0);
  for (std::size_t v = 0; v < skin.welded_of.size(); ++v) {
    stop_if_cancelled(v);
    const std::uint32_t welded = skin.welded_of[v];
    if (welded == WeldedSkin::not_skinned || !skin.selected[welded]) continue;
    const WeightRow before = row_of(character.weights, v);
    moved[welded] = std::max(moved[welded], row_difference(before, rows[welded]));
    if (before.size() != rows[welded].size() || moved[welded] > rounding) differs[welded] = 1;
  }
  SkinWeights weights =
      slots == character.weights.influences ? character.weights : with_influences(character.weights, slots);
  WeightChange change;
  for (std::size_t v = 0; v < skin.welded_of.size(); ++v) {
    stop_if_cancelled(v);
    const std::uint32_t welded = skin.welded_of[v];
    if (welded == WeldedSkin::not_skinned || !differs[welded]) continue;
    write_row(weights, v, rows[welded]);
    ++change.changed;
    change.largest_change = std::max(change.largest_change, std::min(moved[welded], 1.0));
    change.mean_change += std::min(moved[welded], 1.0);
  }
  change.mean_change /= static_cast<double>(std::max<std::size_t>(change.changed, 1));
  character.weights = std::move(weights);
  count_influences(character, skin, change);
  return change;
}

}  // namespace sinew
