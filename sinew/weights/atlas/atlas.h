// Overlap atlas: regions of skin, one per joint, that overlap as much as one softness knob K says.
//
// "Flexible skinning weights" from a C0 atlas: (1) each joint cuts the skin along a shortest plane curve, the patches
// between cuts are regions (section 3.1; atlas_cuts.h, atlas_regions.h); (2) every region grows over each of its
// boundaries by K · length / π (section 3.2); (3) inside a grown region the weight rises from its new boundary by a
// smooth function of the distance, and is normalised over the regions that hold the vertex (section 4).
// K = 0.1 is nearly rigid, 0.5 natural, 2 rubber; one for all joints, or one per joint.
//
// Going further: open and non-manifold meshes, many pieces, regions that stay connected; and growing costs nothing:
// cuts and distances do not depend on K, so the solver keeps them and a new K takes milliseconds.
//
//   AtlasSolver solver(input, options);
//   for (double k : {0.1, 0.5, 2.0}) show(solver.solve({k}));
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/weights/atlas/atlas_distances.h"
#include "sinew/weights/method.h"

namespace sinew {

enum class AtlasTransition { hermite, linear };  // 3u² − 2u³, or u

// What a vertex's distance to the boundary of a grown region is divided by.
enum class AtlasScale {
  overlap,  // the width of the overlap: halves meet at the cut, and the full weight is reached where the overlap ends
  region,   // the region's largest such distance, as in the paper: long regions give way to short ones
};

struct AtlasOptions {
  AtlasDistance distance = AtlasDistance::geodesic;
  int planes = 32;            // tried per joint
  bool cut_by_planes = true;  // false: the bone that each vertex sees makes the regions
};

struct AtlasSoftness {
  double k = 0.5;  // >= 0
  std::vector<std::pair<std::string, double>> joints =
      {};  // joint name → its own K, for the boundary where its bone begins
  AtlasTransition transition = AtlasTransition::hermite;
  AtlasScale scale = AtlasScale::overlap;
};

class AtlasSolver {
 public:
  // Cuts, segments and measures. Throws Error(bad_input) for a point cloud.
  AtlasSolver(BindInput input, const AtlasOptions& options, const Progress& progress = {});

  // Weights for one softness. Throws Error(usage) for a joint that does not exist or a negative K. Measures again only
  // when K is larger than ever before (and than 2).
  SkinWeights solve(const AtlasSoftness& softness, const Progress& progress = {});

  const AtlasRegions& regions() const { return regions_; }
  const std::vector<AtlasCut>& cuts() const { return cuts_; }
  const BindInput& input() const { return input_; }

 private:
  std::vector<double> boundary_radii(const AtlasSoftness& softness) const;

  BindInput input_;
  AtlasOptions options_;
  std::vector<AtlasCut> cuts_;
  AtlasRegions regions_;
  AtlasDistances distances_;
  double reach_ = 2.0;  // the K up to which distances_ holds everything
};

SkinWeights atlas_weights(const BindInput& input, const AtlasOptions& options, const AtlasSoftness& softness,
                          const Progress& progress = {});

WeightMethod atlas_method();

}  // namespace sinew
