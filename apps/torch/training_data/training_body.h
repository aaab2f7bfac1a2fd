// What the networks learn from: rigged characters, brought into body space.
#pragma once

#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/learn/skeleton_graph.h"

namespace sinew {

struct TrainingBody {
  std::string name;
  TriangleMesh mesh;                      // in body space, with normals; only skinned parts
  SkeletonGraph graph;                    // in body space
  std::vector<JointIdentity> identities;  // per joint of the graph
  SkinWeights weights;                    // over the graph's joints
  std::vector<Vec3f> coordinates;         // per vertex (body_coordinates.h)
  NetMatrix features;                     // per vertex; empty until the image network has looked
  bool symmetric = true;                  // left and right are posed alike
};

// Throws Error(bad_input) when the character is no person: limbs missing, on four legs, lying, joints far outside.
TrainingBody make_training_body(const Character& character);

}  // namespace sinew
