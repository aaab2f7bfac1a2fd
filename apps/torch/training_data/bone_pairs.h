// What is known of a place and a bone before anything is learned: what weights start from in training (section 3.3 of the
// source of sinew/learn/fit_network.h).
#pragma once

#include <vector>

#include "sinew/learn/dense_layers.h"
#include "sinew/rig/bone.h"

namespace sinew {

inline constexpr int bone_pair_inputs = 4;

// For a place and a joint: distance to the joint's bone, how much further than the nearest bone that is, where along the
// bone it lies, and 1 for a bone without length. One row per place · joint. `bones`: in order of their joints, which are
// counted from 0; every joint has at least one.
NetMatrix bone_pairs(const NetMatrix& places, const std::vector<Bone>& bones);

}  // namespace sinew
