// From any number of influences to at most as many as the weights have slots, without tearing the skin.
#pragma once

#include "sinew/skin_weights.h"

namespace sinew {

// Like set_influences, but what the strongest of the left-out influences has is first taken from all that stay. Where
// two joints change places in the ranking, the one that goes has then faded to nothing, so weights that were continuous
// over the surface stay so. With no more influences than slots nothing is taken.
bool set_limited_influences(SkinWeights& weights, std::size_t vertex, std::vector<Influence> influences);

}  // namespace sinew
