// The parts of a standing body as the trained networks see them, in the same form as body_shape.h reads them from the
// inside of the mesh; and what the two say together.
#pragma once

#include "sinew/anatomy/joint_roles.h"
#include "sinew/fit/body_shape.h"
#include "sinew/learn/fit_model.h"

namespace sinew {

struct FrameGuess {
  BodyFrame frame;
  bool facing_known = true;
  double misfit = 1e300;  // mean distance between places and where on a standard body they were seen, in heights
};

// What the networks see of a mesh that stands along `up`: one look tells it for every way the body may face.
struct NetworkLook {
  BodyFrame frame;  // in which they looked
  NeuralBody body;
  FrameGuess guess;  // the facing in which they see a body most like one
};
NetworkLook look_along(const TriangleMesh& mesh, const FitModel& model, const Vec3d& up);

// The frame in which the networks see a body most like one: y or z up, facing any way. `up`: already known, or zero.
// Networks whose picture features are no body coordinates (FitModel::sees_body_coordinates) do not tell the facing.
// Throws Error(bad_input) when what they see is no person.
FrameGuess guess_frame(const TriangleMesh& mesh, const FitModel& model, const Vec3d& up);

// Places the joints of `skeleton` by the networks, centres knees, ankles, elbows and wrists in their limbs, and gives
// the body's parts as these joints tell them. `skeleton` has two arms and two legs. Throws Error(bad_input) when the
// places make no body: limbs in the wrong order, or outside the mesh.
BodyShape neural_body_shape(const TriangleMesh& mesh, const VoxelSolid& solid, const Skeleton& skeleton,
                            const std::vector<JointIdentity>& joints, const FitModel& model, const FrameGuess& frame);

// Two opinions of one body: places meet in the middle where they are within 0.05 heights of each other and stay as they
// are from 0.1 on; how sure a place is follows from how far the opinions are apart.
void join_opinions(BodyShape& geometric, const BodyShape& neural);

}  // namespace sinew
