// Moving any skeleton into any mesh.
//
//   FitResult fit = fit_skeleton(character.mesh, skeleton);
//
// Needs to know what the joints are (joint_roles.h: by name, or else by structure) and where the parts of the body are
// (body_shape.h). Limb joints take the place anatomy gives them in the mesh; chains with more joints, or of animals,
// keep their own proportions along the limb; everything else (fingers, faces, ends) is carried along by the bone it
// hangs on, scaled and turned like it. Then every joint that has room inside is brought inside.
#pragma once

#include <vector>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/error.h"
#include "sinew/mesh.h"
#include "sinew/skeleton.h"

namespace sinew {

class FitModel;

// A joint that stays where a person put it.
struct HeldJoint {
  int joint = 0;
  Vec3d position = Vec3d::Zero();  // in the mesh's space
};

struct FitOptions {
  int cells = 96;         // of the voxel grid along the longest side, 48 … 256; more finds thinner gaps between limbs
  bool y_is_up = false;   // do not look for another up axis
  bool symmetric = true;  // mirror left and right joints where the mesh is its own mirror image
  // Trained networks as a second opinion about people (learn/fit_model.h), and the only one where the inside of the
  // mesh does not tell arms and legs apart. Null: none.
  const FitModel* networks = nullptr;
  bool networks_alone = false;  // do not read the inside of the mesh; needs `networks`, and a person's skeleton
  // Joints that are not looked for: they keep these places, their mirror images follow (with `symmetric`), and what
  // hangs on them is carried along.
  std::vector<HeldJoint> held{};
};

struct FitResult {
  Skeleton skeleton;               // same joints, names and hierarchy; rest transforms in the mesh's space
  std::vector<double> confidence;  // per joint, 0 … 1: how surely the mesh told where it belongs
  std::vector<char> inside;        // per joint: whether it lies inside the surface
  BodyFrame frame;                 // of the mesh
  bool on_all_fours = false;
  double symmetry = 0;         // of the mesh, 0 … 1
  bool by_networks = false;    // the networks placed it alone
  double network_seconds = 0;  // spent in the networks
  Warnings warnings;
};

// Throws Error(bad_input) when the skeleton's limbs cannot be told, the mesh's limbs cannot be told, or they do not
// belong together (an animal's skeleton in a person).
FitResult fit_skeleton(const TriangleMesh& mesh, const Skeleton& skeleton, const FitOptions& options = {});

}  // namespace sinew
