// Bodies that lie: OBJ, OFF, PLY and STL have no up axis, and many programs write z upwards into them. What Sinew
// writes has y up, so a body that was found to stand along another axis is turned, and the skeleton in it.
#pragma once

#include "sinew/fit.h"

namespace sinew {

struct UpAxis {
  int axis = 1;  // 0, 1 or 2: x, y or z
  bool negative = false;
  bool is_y() const { return axis == 1 && !negative; }
};

// Turns `mesh` and everything in `fit` by quarter turns, without rounding, until the axis nearest to fit.frame.up is y.
// Returns the axis that was up before; nothing is done when it was y.
UpAxis stand_upright(TriangleMesh& mesh, FitResult& fit);

}  // namespace sinew
