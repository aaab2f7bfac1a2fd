// A posed copy of a mesh: the convenient, offline way to skinning (runtime/skinning.h is the real-time one).
#pragma once

#include <vector>

#include "sinew/export.h"
#include "sinew/mesh.h"
#include "sinew/skin_weights.h"

namespace sinew {

enum class SkinningMethod { linear_blend, dual_quaternion };

// `transforms`: one per joint, from skinning_transforms. Vertices without weight stay where they are. Positions,
// normals and tangents are posed when the mesh has them; everything else is copied. In floats, like the mesh. `threads`: 0
// means all cores. Throws Error(bad_input) when mesh, weights and transforms do not fit together.
SINEW_API TriangleMesh pose_mesh(const TriangleMesh& mesh, const SkinWeights& weights,
                                 const std::vector<Affine3d>& transforms,
                                 SkinningMethod method = SkinningMethod::linear_blend, int threads = 0);

// Positions only, by linear blend skinning.
SINEW_API std::vector<Vec3f> pose_positions(const std::vector<Vec3f>& positions, const SkinWeights& weights,
                                            const std::vector<Affine3d>& transforms, int threads = 0);

}  // namespace sinew
