// A skeleton for any creature, made from its mesh alone.
//
//   Skeleton skeleton = generate_skeleton(load_character("spider.obj").mesh);
//
// The mesh's curve skeleton is found inside it; joints stand where limbs leave the body, bend or change their
// thickness; the root stands near the core of the body. Chains are named by what they are: `root`, `spine_1`, `neck_1`,
// `head`, `tail_2`, `leg_front_L_1`, `wing_R_2`, `ear_L_1`, `limb_3_1` where nothing tells. Every joint lies inside the
// mesh. Where the mesh is its own mirror image so is the skeleton.
#pragma once

#include "sinew/fit.h"

namespace sinew {

struct GenerateOptions {
  int cells = 96;                     // of the voxel grid along the longest side, 48 … 256; more finds thinner limbs
  double density = 1.0;               // joints along limbs, spine and tail over what artists use, 0.25 … 4
  int max_joints = 0;                 // at most so many, 4 … 1000: the least prominent limbs go first; 0: no limit
  bool small_parts = true;            // fingers, toes, ears, horns: whatever branches off a limb or is short
  bool symmetric = true;              // mirror left and right where the mesh is its own mirror image
  Vec3d up = Vec3d::UnitY();          // names follow from it: legs reach down
  Vec3d forward = Vec3d::Zero();      // where the head is; zero: found from the shape
  std::vector<std::string> ignore{};  // parts that say nothing about the creature, as in FitOptions
  bool keep_axes = false;             // of generate_character_skeleton: as in FitOptions
  int threads = 0;                    // 0: all cores
};

struct GeneratedSkeleton {
  Skeleton skeleton;               // joint axes are those of the mesh
  std::vector<double> radius;      // per joint: distance to the surface, in the mesh's unit
  std::vector<double> confidence;  // per joint, 0 … 1: low where the mesh is as thin as a voxel
  BodyFrame frame;                 // of the mesh, as found
  double symmetry = 0;             // of the mesh, 0 … 1
  Warnings warnings;
};

// Throws Error(bad_input) when the mesh has no inside, Error(usage) for options out of range.
SINEW_API GeneratedSkeleton generate_creature_skeleton(const TriangleMesh& mesh, const GenerateOptions& options = {},
                                                       const Progress& progress = {});

// The skeleton alone.
SINEW_API Skeleton generate_skeleton(const TriangleMesh& mesh, const GenerateOptions& options = {},
                                     const Progress& progress = {});

// Gives the character a skeleton of its own, made from its mesh without what hangs on single joints (weapons). Weights
// and motions of the character go. Where `up` is not y, the character is turned so that it is, as by fit_character.
// Throws as above; the character is then unchanged.
SINEW_API FitResult generate_character_skeleton(Character& character, const GenerateOptions& options = {},
                                                const Progress& progress = {});

// Gives the character the skeleton that suits what its mesh shows: the built-in one of a person or of a four-legged
// animal, fitted, or for any other creature one of its own, made with `generate` (whose cells, ignore, symmetric, up,
// forward, keep_axes and threads are those of `options`) and the warning `skeleton-generated`. FitResult::chosen says
// which. With `kind`, only the built-in skeleton of that kind is tried, and with markers no skeleton is made. Throws
// as fit_character does for a mesh that shows a person whose limbs cannot be told, or not a creature; the character is
// then unchanged.
SINEW_API FitResult fit_suitable_skeleton(Character& character, const FitOptions& options = {},
                                          const GenerateOptions& generate = {}, const Progress& progress = {});

}  // namespace sinew
