// How far every vertex is from the boundaries of the atlas, in one of three measures.
//
// Section 5.2 of the atlas paper (see atlas.h). Whatever the measure, distances grow outwards from the boundary without
// pits (a vertex counts as no nearer than the way to it), so that growing a region never leaves islands.
#pragma once

#include <vector>

#include "sinew/weights/atlas/atlas_regions.h"

namespace sinew {

enum class AtlasDistance {
  euclidean,  // straight through space: fastest, jumps from one leg to the other only where the skin connects them
  geodesic,   // along the skin
  harmonic,   // smooth: 0 on the boundary, the geodesic distance at the farthest points, harmonic between
};

struct BoundaryDistance {
  std::uint32_t boundary = 0;
  float distance = 0;  // normalised space
};

// Per vertex, its boundaries: those of its own region always, others up to `reach` · length / π. Vertex-major.
struct AtlasDistances {
  std::vector<std::uint32_t> begin;  // per vertex, one more at the end
  std::vector<BoundaryDistance> entries;
};

AtlasDistances measure_distances(const BindInput& input, const AtlasRegions& regions, AtlasDistance measure,
                                 double reach, const Progress& progress = {});

}  // namespace sinew
