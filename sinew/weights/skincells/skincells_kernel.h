// The inner loops of SkinCells: the field at blocks of points, and the way back from weights to parameters.
//
// Internal to the skincells method.
// A block holds `lanes` points side by side so that the compiler can vectorise the loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/weights/skincells/skincells_field.h"

namespace sinew::skincells {

constexpr int lanes = 16;

// The field's parameters with the logarithms undone.
struct Cells {
  explicit Cells(const SkinCellField& field);

  int count = 0, sites = 0, influences = 0;
  bool clipped = false;           // more cells than influences: D exists
  bool relaxed = false;           // some weights beyond the l strongest may not be zero
  std::vector<float> site;        // [cell * sites + site][10]: centre, metric, core radius t
  std::vector<float> relaxation;  // [cell]: c, already times the field's relaxation
  std::vector<float> falloff;     // [cell]: r
};

// Field values at `lanes` points. All arrays are [cell][lane].
struct Block {
  explicit Block(int cells);

  float x[3][lanes];                         // in: points in the unit box
  std::vector<float> distance;               // d_j
  std::vector<float> log_ratio;              // ln( max(c, D - d) / d ); hugely negative where the weight is zero
  std::vector<float> weight;                 // normalised
  std::vector<std::uint8_t> nearest;         // which site is nearest
  float limit[lanes];                        // D
  int limit_cell[lanes];                     // the cell whose distance is D
  std::vector<int> active;                   // cells that have weight at any lane
  std::vector<float> smallest, by_distance;  // scratch
};

// Fills the block from block.x.
void evaluate(const Cells& cells, Block& block);

// Adds to `gradient` (laid out like SkinCellField::parameters) the derivative of a loss whose derivative by the
// normalised weights is `by_weight` [cell][lane]. `block` must come from evaluate.
// Lanes at and beyond `used` are left out.
void backpropagate(const Cells& cells, Block& block, std::span<const float> by_weight, int used,
                   std::span<float> gradient);

}  // namespace sinew::skincells
