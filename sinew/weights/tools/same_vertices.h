// The weights of another character with the same vertices, in whatever order and split at whatever seams.
#pragma once

#include <vector>

#include "sinew/weights/tools/joint_targets.h"
#include "sinew/weights/tools/welded_skin.h"

namespace sinew {

struct SameVertices {
  std::vector<WeightRow> rows;  // per welded vertex of the target, in the target's joints; empty where none matched
  JointTransfer joints;
  bool by_order = false;
  std::size_t matched = 0;
  int most_influences = 1;  // of the source
};

// By number when both meshes have equally many vertices and the same triangles, otherwise by position within `tolerance`
// (of the target's bounding diagonal). Throws Error(bad_input) when no vertex matches.
SameVertices rows_of_same_vertices(const Character& source, const Character& target, const WeldedSkin& skin,
                                   double tolerance);

}  // namespace sinew
