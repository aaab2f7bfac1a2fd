// More bodies out of one rigged character: other rest poses, other proportions, other meshes of the same surface.
#pragma once

#include "apps/torch/training_data/training_body.h"
#include "sinew/base/random.h"

namespace sinew {

// Arms and legs raised or lowered alike on both sides, and with `loose` every joint turned a little by itself.
Character in_other_rest_pose(const Character& character, bool loose, Random& random);

// Other lengths and girths of trunk and limbs, other sizes of head, hands and feet, alike on both sides: joints and
// skin move together, so the artist's weights stay true.
Character in_other_proportions(const Character& character, Random& random);

// The same surface in fewer triangles (a tenth to two thirds of the vertices, spread evenly or not), sometimes dented.
void change_mesh(TrainingBody& body, Random& random);

}  // namespace sinew
