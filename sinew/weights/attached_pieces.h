// Small pieces of a mesh follow the larger piece that they touch: ears, horns, buttons, eyes, a lamp on a helmet.
//
// Methods that look at every piece by itself give such a piece to the bone nearest to it in space, and a horn that
// reaches out over a shoulder goes with the arm. What it is fixed to knows better.
#pragma once

#include "sinew/weights/bind_input.h"

namespace sinew {

// Every piece that is small, that no bone runs through, and that touches a larger piece of which this is not true gets
// the mean weights of the places that it touches, all its vertices the same. `weights`: per vertex of the input.
// Returns how many pieces were changed. Point clouds have no pieces.
int attach_small_pieces(const BindInput& input, SkinWeights& weights);

// Whether a bone has a part in the box.
bool enters_box(const Bone& bone, const Eigen::AlignedBox3f& box);

}  // namespace sinew
