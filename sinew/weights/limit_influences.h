// From any number of influences to at most as many as the weights have slots, without tearing the skin.
#pragma once

#include "sinew/skin_weights.h"

namespace sinew {

// What the strongest of the left-out influences has is taken from all: what has nothing left is meant to go. Where two
// joints change places in the ranking, the one that goes has then faded to nothing, so weights that were continuous over
// the surface stay so. With no more influences than slots, or equal ones, nothing is taken.
void fade_left_out(std::vector<Influence>& influences, std::size_t slots);

// Like set_influences, but with influences faded first.
bool set_limited_influences(SkinWeights& weights, std::size_t vertex, std::vector<Influence> influences);

}  // namespace sinew
