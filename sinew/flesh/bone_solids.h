// Bones with thickness: the solid that flesh clings to.
//
// Around every bone segment (anatomy/bones.h, with the fans of hips, chest and hands) lies a capsule whose radius
// follows the local thickness of the body: a fixed part of the distance from the axis to the skin. At a joint both
// capsules stop short of each other, and a ball sits between them that turns by half of the joint's rotation, like a
// kneecap, so that a sharp bend does not crush what lies inside it.
//
// Flesh is tied to the bones by stiff springs spread over the small cubes of the lattice that lie inside them: bones
// are seen at a quarter of a cell, a finger thinner than a cell still has one, and the result does not depend on
// whether a node happens to lie inside.
#pragma once

#include <vector>

#include "sinew/flesh/lattice.h"
#include "sinew/mesh/solid_domain.h"
#include "sinew/rig/bone.h"
#include "sinew/skeleton.h"
#include "sinew/skin_weights.h"

namespace sinew {

struct BoneOptions {
  double thickness = 0.45;  // radius as a part of the distance from the bone to the skin, 0.05 … 0.9
  double stiffness = 20.0;  // of the springs, per volume, in units of shear modulus / cell²
};

// A capsule or ball that follows one transform. The radius goes linearly from one end to the other.
struct BoneSolid {
  Bone axis;             // follows the rotation of its joint
  bool halfway = false;  // a ball at the joint, following half of its rotation
  double head_radius = 0, tail_radius = 0;
};

std::vector<BoneSolid> bone_solids(const Skeleton& skeleton, const SolidDomain& domain, const BoneOptions& options);

// Distance of a point from the solid's axis over the radius there: below 1 is inside.
double relative_depth(const BoneSolid& solid, const Vec3d& point);

// Transforms that bones follow, from those of the joints: entry j is joint j's own, entry joint_count + j the halfway
// one of its ball.
std::vector<Affine3d> bone_transforms(const Skeleton& skeleton, const std::vector<Affine3d>& skinning);

// The springs, summed up. Their energy is Σ springs stiffness/2 |Σ weight x - T X|², with T the bone's transform and X
// the place in the rest pose: quadratic in the nodes, with a right-hand side linear in the transforms.
struct BoneTies {
  struct Pull {
    std::uint32_t node = 0, transform = 0;
    Vec4d moment = Vec4d::Zero();  // Σ stiffness * weight * (X, 1): T * moment is the pull on the node
  };
  struct Tie {  // one spring
    std::uint32_t cell = 0, transform = 0;
    Vec3f local{0, 0, 0};
    Vec3d place = Vec3d::Zero();  // in the rest pose
    double stiffness = 0;
  };
  std::vector<Tie> ties;
  std::vector<Pull> pulls;  // by node, then transform
};

// Every solid gets at least the springs of its axis, as far as the axis lies in the body. Pieces of the lattice that no
// solid reaches follow `weights` (one entry per node) by linear blend skinning; `loose_pieces` receives their number.
BoneTies tie_to_bones(const FleshLattice& lattice, const std::vector<BoneSolid>& solids, const SkinWeights& weights,
                      int joint_count, const BoneOptions& options, std::size_t& loose_pieces);

}  // namespace sinew
