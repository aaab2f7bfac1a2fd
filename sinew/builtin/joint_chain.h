// How weights pass along a chain of joints: the building block of the built-in characters' true weights.
#pragma once

#include <span>
#include <vector>

#include "sinew/builtin/body_field.h"
#include "sinew/skin_weights.h"

namespace sinew::builtin {

// 0 … 1 across a joint that lies at coordinate 0.
inline double step_around(double coordinate, double half_width) {
  return smooth_step(-half_width, half_width, coordinate);
}

// Shares along a chain of joints: steps[i] tells how far the point has passed the joint i + 1 of the chain.
inline void add_chain(std::span<const std::uint16_t> joints, std::span<const double> steps, double share,
                      std::vector<Influence>& out) {
  double left = share;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const double onwards = i < steps.size() ? left * steps[i] : 0.0;
    if (left - onwards > 0) out.push_back({joints[i], left - onwards});
    left = onwards;
  }
}

}  // namespace sinew::builtin
