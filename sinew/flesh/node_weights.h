// Skinning weights for the nodes of the lattice: how nodes are moved along before the solver starts, and what moves
// pieces that no bone passes through (eyes, buttons, loose hair).
#pragma once

#include "sinew/flesh/lattice.h"
#include "sinew/skin_weights.h"

namespace sinew {

// From the skin's weights (one entry per vertex of the lattice's mesh) at nodes beside the skin, spread evenly into the
// inside. At most four joints per node.
SkinWeights node_weights(const FleshLattice& lattice, const SkinWeights& skin, int joint_count);

}  // namespace sinew
