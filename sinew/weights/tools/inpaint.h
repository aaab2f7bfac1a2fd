// Weights continued over a surface from where they are known.
//
// Abdrashitov, Raichstat, Monsen and Hill, "Robust Skin Weights Transfer via Weight Inpainting" (SIGGRAPH Asia 2023),
// section 3.2: minimise tr(Wᵀ(−L + L M⁻¹ L)W), a Dirichlet and a biharmonic energy, with the known rows fixed. L and M
// are those of the robust Laplacian (mesh/laplacian.h) of the mesh at size 1, so that the unit does not count.
#pragma once

#include <vector>

#include "sinew/weights/tools/welded_skin.h"

namespace sinew {

// Rows of vertices that are not known are found, piece by piece; pieces without a known vertex stay as they are.
// `known`: per vertex. Small overshoots of the biharmonic part are cut off: rows stay not negative with sum 1.
// Throws Error(failed) when the system cannot be solved.
void inpaint_rows(const TriangleMesh& mesh, const std::vector<char>& known, std::vector<WeightRow>& rows);

}  // namespace sinew
