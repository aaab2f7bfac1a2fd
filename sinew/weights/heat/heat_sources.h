// Which bones warm which vertex: the nearest one that the vertex can see from inside.
//
// Baran and Popović, "Automatic Rigging and Animation of 3D Characters" (2007), section 4. Sight is traced by rays and
// blocked only by the vertex's own piece of the mesh: a shirt sees the bones through the body it covers, but the inside
// of the left thigh does not see the right thigh's bone. A bone towards which the surface faces (its normal points at
// the bone instead of away from it) counts as farther away, up to where it does not count at all.
#pragma once

#include <vector>

#include "sinew/progress.h"
#include "sinew/weights/bind_input.h"

namespace sinew {

struct HeatSource {
  int joint = 0;
  double share = 1.0;  // the sources of one vertex add up to 1
};

struct HeatSources {
  std::vector<std::size_t> begin;   // per vertex: its first entry in `sources`; one more at the end
  std::vector<HeatSource> sources;  // several where bones are equally near, none where no bone is seen
  std::vector<double> distance;     // per vertex, normalised space: to its sources; infinity without any
};

HeatSources find_heat_sources(const BindInput& input, const Progress& progress = {});

}  // namespace sinew
