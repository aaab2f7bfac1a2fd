// How the skin goes over from one side of a joint to the other: over how much of the limb, and in how many steps.
#pragma once

#include <optional>

#include "sinew/check/checked_skin.h"

namespace sinew {

struct BendShape {
  int above = -1;     // the next joint above that has weight
  double width = 0;   // of the blend along the bones: if the share rose evenly over it, it would spread as far
  double length = 0;  // of the shorter of the two bones that meet here
  double radius = 0;  // of the limb where it blends
  double edge = 0;    // mean length of the edges over which the share changes
  double hard = 0;    // of these edges, weighted by the change: the part that changes by more than 0.75 in one edge
  std::size_t crossing = 0;  // edges over which the share changes by a tenth or more: none where a fine mesh blends
  double sunk = 0;           // mean of s (1 - s) over what blends, weighted by it: 0.25 where all is half and half
  std::vector<std::uint32_t> blended{};  // vertices with a share of 0.05 … 0.95
};

// Nothing for a joint without a bone, without weight above and below it, or that nothing blends at or crosses.
std::optional<BendShape> measure_bend(const CheckedSkin& skin, int joint);

}  // namespace sinew
