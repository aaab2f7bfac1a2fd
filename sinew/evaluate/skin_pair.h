// Two skins laid over each other: which joint is which, and the candidate's weights at the truth's vertices.
//
// Every comparison (weight_comparison.h, deformation_comparison.h) starts from a SkinPair. Files rarely agree on
// details: exporters rename joints, reorder or split vertices, drop joints without weight. Only skinned parts count;
// what hangs on a joint or stands still is left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/anatomy/joint_map.h"
#include "sinew/asset/skinned_surface.h"
#include "sinew/character.h"

namespace sinew {

struct VertexMatch {
  bool same_order = false;     // vertex i of the one is vertex i of the other
  std::size_t on_vertex = 0;   // matched to a vertex at the same place
  std::size_t on_surface = 0;  // matched to the closest point of a triangle (of a point cloud: the closest point)
  double mean_distance = 0;    // between matched places, divided by the truth's bounding-box diagonal
  double max_distance = 0;
};

struct SkinPair {
  TriangleMesh mesh;                    // the truth's skinned surface
  std::vector<std::uint32_t> original;  // per vertex of it: its index in the truth's mesh
  SkinWeights truth;
  SkinWeights candidate;  // at the truth's vertices, in the candidate's joint numbers
  Skeleton truth_skeleton;
  Skeleton candidate_skeleton;
  JointMatch joints;
  VertexMatch vertices;
  double diagonal = 0;  // of the truth's surface at rest: what distances are divided by
  Warnings warnings;
};

// Both characters must be valid (check_character). Vertices correspond by index when the surfaces have equally many and
// each pair lies within 1e-5 of the diagonal. Otherwise each truth vertex takes the weights of the candidate vertex at
// its place (of several: the one with the most similar normal and UV) or, where there is none, those of the closest
// point of the candidate's surface, interpolated.
// Throws Error(bad_input) when one has no skin, no joint carries the same name in both, or the surfaces are not at the
// same place (mean distance above a tenth of the diagonal).
SkinPair pair_skins(const Character& candidate, const Character& truth);

}  // namespace sinew
