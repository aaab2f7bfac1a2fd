// What every weight tool works on: the skinned vertices of a character, joined where they lie at the same place.
//
// Tools read rows, make new ones, and store_rows brings those back: all copies of a vertex along a seam get the same
// weights, and what did not change keeps its bits.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/weight_tools.h"

namespace sinew {

// The influences of one vertex, in order of joint. Sum 1, or empty for a vertex without weight.
using WeightRow = std::vector<Influence>;

struct WeldedSkin {
  TriangleMesh mesh;                     // welded: positions and triangles of the skinned parts, in character space
  std::vector<std::uint32_t> welded_of;  // per vertex of the character, or not_skinned
  std::vector<WeightRow> rows;           // per welded vertex: of copies that differ, the mean, with no more influences
  std::vector<char> selected;            // per welded vertex: may change
  std::vector<char> locked;              // per joint
  int most_influences = 1;               // that a vertex of the character has

  static constexpr std::uint32_t not_skinned = ~std::uint32_t{0};
  std::size_t vertex_count() const { return rows.size(); }
};

// Throws Error(bad_input) for a character that is invalid or has no skin, Error(usage) for a selection of vertices or
// joints that do not exist.
WeldedSkin weld_skin(const Character& character, const WeightSelection& selection);

// Per joint: whether it is in the list. Throws Error(usage) for one that does not exist; `what` names the list.
std::vector<char> joint_flags(const Skeleton& skeleton, const std::vector<int>& joints, const char* what);

// Throws Error(usage) unless low ≤ value ≤ high; `option` as in the options struct.
void require_range(double value, double low, double high, const char* option);

// Adds `factor` times a row to sums that are kept in order of joint.
void add_row(WeightRow& sum, const WeightRow& row, double factor);
void scale_row(WeightRow& row, double factor);
double row_sum(const WeightRow& row);
// 0 … 1: half the sum of differences, which is the weight that went from some joints to others.
double row_difference(const WeightRow& a, const WeightRow& b);

// `wanted` with the locked joints as they are in `before`; the others share what is left in the proportions of `wanted`.
// Where those have nothing, `before` stays.
WeightRow with_locked(const WeightRow& before, const WeightRow& wanted, const std::vector<char>& locked);

// At most `slots` influences, faded as in limit_influences.h. Locked joints stay before others.
void limit_row(WeightRow& row, int slots, const std::vector<char>& locked);

// The row of one vertex of some weights, without slots that are not used.
WeightRow row_of(const SkinWeights& weights, std::size_t vertex);

// Writes rows (one per welded vertex) to the character: those that differ from the skin's, and those of selected
// vertices whose copies differ from each other. `slots`: influences of the character's weights afterwards; rows must not
// have more.
WeightChange store_rows(Character& character, const WeldedSkin& skin, const std::vector<WeightRow>& rows, int slots);

}  // namespace sinew
