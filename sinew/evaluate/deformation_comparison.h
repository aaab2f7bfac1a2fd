// How far the candidate's skin moves from the truth's when both skeletons take the same poses.
//
// Linear blend skinning of the truth's vertices with the candidate's and with the truth's weights. Where the candidate
// has the truth's skeleton, both get the same joint transforms, so nothing but the weights counts. Where its joints lie
// elsewhere (a fitted skeleton) or are fewer or more, its joints turn as their matches do in character space and keep
// their own bones; joints without a match follow their parent rigidly. Definitions: docs/metrics.md, "Deformation".
#pragma once

#include <vector>

#include "sinew/evaluate/skin_pair.h"
#include "sinew/progress.h"

namespace sinew {

// Distances are divided by the bounding-box diagonal of the truth's skinned surface at rest (SkinPair::diagonal).
struct DeformationComparison {
  std::size_t poses = 0;
  double ade = 0;      // mean distance over poses and vertices
  double mde = 0;      // largest distance over poses and vertices
  double chamfer = 0;  // mean over poses of the symmetric Chamfer distance between the posed vertices
  double els = 1;  // edge length score: mean over poses and welded edges of 1 - |candidate length / truth length - 1|
  std::size_t worst_pose = 0;    // where mde is reached: index into the poses …
  std::size_t worst_vertex = 0;  // … and into SkinPair::mesh
  std::vector<double> ade_per_pose;
  std::vector<double> mde_per_pose;
  std::vector<double> ade_per_vertex;  // of SkinPair::mesh: mean over poses
};

// Poses of the truth's skeleton. Throws Error(bad_input) when there is none or one does not fit the skeleton.
DeformationComparison compare_deformation(const SkinPair& pair, const std::vector<Pose>& poses,
                                          const Progress& progress = {});

// What the candidate's skin gets when the truth's skeleton gets `truth_transforms` (skinning_transforms of a pose).
std::vector<Affine3d> candidate_transforms(const SkinPair& pair, const std::vector<Affine3d>& truth_transforms);

}  // namespace sinew
