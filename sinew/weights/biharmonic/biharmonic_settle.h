// A quick answer to a small change of what is given: internal to the biharmonic solver.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/weights/biharmonic/biharmonic_sparse.h"

namespace sinew {

// The points nearest to `changed` (in steps of the energy's stencil, at most `most` of those that are free) take the
// weights of least energy while all others rest: first without bounds, by one exact solve, then on the simplex, by
// Gauss-Seidel. `weights` are on the simplex before and after, at most `max_influences` of them non-zero (0: no limit),
// and hold the given values already.
void settle_near(const SparseRows& energy, const std::vector<bool>& given, const std::vector<std::uint32_t>& changed,
                 std::size_t most, int max_influences, Columns& weights);

}  // namespace sinew
