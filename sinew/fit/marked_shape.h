// Readings of a body that obey what a person marked: moved onto the marks, or made of them where the mesh shows no body.
#pragma once

#include "sinew/fit/body_marks.h"
#include "sinew/fit/shape_reader.h"

namespace sinew {

// The furthest that a mark is from where a reading has it, in heights of the body.
double distance_to_marks(const BodyShape& shape, const BodyMarks& marks);

// An animal's legs run through their marks. The joints of a two-legged body go onto them; what stands between a moved
// joint and one that stays moves half way and into the middle of its limb; hips and head follow groin and chin.
void move_onto_marks(const BodyMarks& marks, const VoxelSolid& solid, BodyShape& shape);

// Only what is marked, exactly: after others have moved joints of the shape.
void put_on_marks(const BodyMarks& marks, BodyShape& shape);

}  // namespace sinew
