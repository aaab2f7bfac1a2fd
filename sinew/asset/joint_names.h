// What joint names of common exporters tell.
#pragma once

#include <string_view>

#include "sinew/skeleton.h"
#include "sinew/skin_weights.h"

namespace sinew {

// Whether a node of this name only marks the end of its parent's bone: "HeadTop_End", "Bip01 HeadNub", "toe_end",
// "End Site", …
bool names_bone_end(std::string_view name);

// Leaf joints without weight whose name says so ("…_end", "…Nub", "…_leaf") become JointKind::end.
void mark_end_joints(Skeleton& skeleton, const SkinWeights& weights);

}  // namespace sinew
