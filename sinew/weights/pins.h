// Pins for methods: vertices of the welded surface whose weights are given, while a method finds all others around them.
// bind.h has the pins that users give, and their JSON.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sinew/bind.h"
#include "sinew/weights/bind_input.h"

namespace sinew {

struct WeldedPin {
  std::uint32_t vertex = 0;                     // of the bind input
  std::vector<std::pair<int, double>> weights;  // joint → weight, not negative, sum one
};

// At most one per welded vertex, in order of vertex: where copies of a vertex along a seam are pinned differently, the
// first one counts. Throws Error(bad_input) for a vertex that is not there or not bound, a joint that does not exist or
// takes no weight, and weights that are negative, not finite or all zero.
std::vector<WeldedPin> welded_pins(const std::vector<WeightPin>& pins, const BindInput& input);

}  // namespace sinew
