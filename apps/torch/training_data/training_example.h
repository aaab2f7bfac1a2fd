// One lesson for the fitting networks: places of a body, a skeleton that does not fit it, and where its joints belong.
//
// Every call draws another one: other places, other proportions of the body, mirrored or not, noise; a skeleton with
// joints left out and added, other bone lengths, arms at another angle; and a pose in which the true skin is known, so
// that weights can be learned from what they do (section 3.3 of the source).
#pragma once

#include "apps/torch/training_data/training_body.h"
#include "sinew/base/random.h"
#include "sinew/learn/fit_network.h"
#include "sinew/rig/bone.h"

namespace sinew {

struct TrainingExample {
  NetMatrix inputs;             // per place: position, normal, features
  SkeletonGraph source;         // stands in body space, as a user's skeleton would
  SkeletonGraph target;         // the same joints where they belong
  std::vector<int> partners;    // mirror image of every joint, or empty when left and right are not alike
  NetMatrix pairs;              // bone_pairs of the target
  NetMatrix weights;            // true ones, place × joint; empty when joints were added, whose weights nobody knows
  NetMatrix turns;              // joint × 9: rotation of every joint in a pose, character space, row-major
  NetMatrix chain;              // 3·joints × 3·joints: posed joint positions from the positions at rest
  NetMatrix posed;              // place × 3: the true skin in that pose
  std::vector<int> neighbours;  // per place: another one near it
};

struct ExampleOptions {
  int places = 512;
  int most_joints = 56;  // fingers go first
};

TrainingExample make_example(const TrainingBody& body, const ExampleOptions& options, Random& random);

// The bones of a graph's joints: to every child; a leaf's goes on from its parent's.
std::vector<Bone> graph_bones(const SkeletonGraph& graph);

}  // namespace sinew
