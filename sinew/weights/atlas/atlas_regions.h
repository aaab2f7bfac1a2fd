// The covering of the skin by regions, one per joint and piece of the mesh, and the boundaries between them.
//
// Cuts (atlas_cuts.h) part the surface into patches; a patch belongs to the joint whose cuts surround it. Where cuts
// cross or do not part anything (holes, handles, joints outside the skin), the bone that each vertex sees decides
// (heat_sources.h). Every region is connected: scattered bits go to the neighbour they share most edges with.
#pragma once

#include <array>
#include <vector>

#include "sinew/progress.h"
#include "sinew/weights/atlas/atlas_cuts.h"

namespace sinew {

struct AtlasRegion {
  int joint = 0;
  std::uint32_t component = 0;
  std::size_t vertices = 0;
};

// A straight piece of a boundary inside one triangle.
struct BoundarySegment {
  std::uint32_t triangle = 0;
  Vec3f from{0, 0, 0}, to{0, 0, 0};
};

struct AtlasBoundary {
  std::array<std::uint32_t, 2> regions{0, 0};  // the smaller index first
  int joint = -1;                              // the joint whose K counts: the child of the two, or the later one
  double length = 0;                           // normalised space
  std::vector<BoundarySegment> segments;
};

struct AtlasRegions {
  std::vector<std::uint32_t> region_of;  // per welded vertex
  std::vector<AtlasRegion> regions;
  std::vector<AtlasBoundary> boundaries;
};

// With no cuts at all, the bone that each vertex sees decides everywhere.
AtlasRegions build_regions(const BindInput& input, const std::vector<int>& parents, const std::vector<AtlasCut>& cuts,
                           const Progress& progress = {});

}  // namespace sinew
