// Fingers into the fingers of a mesh.
//
// The body's voxels are too coarse for fingers: each hand gets voxels of its own. Its tips are matched with the fingers
// that were carried along with the hand, and every finger's joints go to the middle of its tip's way back to the palm,
// at the distances they had. A hand that does not show as many tips as the skeleton has fingers (a mitten, a fist,
// fingers side by side) keeps what it had.
#pragma once

#include "sinew/fit/body_shape.h"
#include "sinew/fit/place_joints.h"
#include "sinew/mesh.h"

namespace sinew {

// `placement` holds a two-legged body's joints with fingers carried along. Returns how many hands, of those that have
// fingers in the skeleton, do not show them in the mesh.
int fit_fingers(const TriangleMesh& mesh, const std::vector<JointIdentity>& joints, const BodyShape& shape,
                Placement& placement);

}  // namespace sinew
