// The flesh of one character, ready to be posed: lattice, bones, material, contacts. Built once, shared by all solvers.
//
// Energy of the nodes x in a pose:
//
//   Σ cells   fill * (cell³ * material energy of F at the centre + resistance of the hourglass modes)
//   Σ ties    stiffness/2 |place in the cell - bone's place|²             (bone_solids.h)
//   Σ contacts  stiffness/2 (gap - distance)², where distance < gap       (contact.h)
//
// Cubes with one point at their centre do not lock however stiff the volume is; the four modes that this point does not
// see (x y, y z, z x, x y z) get the stiffness that a fully integrated cube of the shear modulus would give them
// (Flanagan and Belytschko, "A Uniform Strain Hexahedron and Quadrilateral with Orthogonal Hourglass Control", 1981).
// On a lattice of cubes that term is a constant quadratic form which no rigid motion feels. Cubes that the skin cuts
// count by the part of them that is flesh.
#pragma once

#include <memory>
#include <vector>

#include "sinew/character.h"
#include "sinew/flesh/block_system.h"
#include "sinew/flesh/bone_solids.h"
#include "sinew/flesh/contact.h"
#include "sinew/flesh/lattice.h"
#include "sinew/flesh/material.h"
#include "sinew/mesh/weld.h"
#include "sinew/progress.h"

namespace sinew {

struct FleshOptions {
  LatticeOptions lattice;
  BoneOptions bones;
  FleshMaterial material;
  SkinContactOptions contact;
  bool self_contact = true;
};

class FleshModel {
 public:
  // Throws Error(bad_input) when the character has no skeleton, no skin weights, or no inside.
  FleshModel(const Character& character, const FleshOptions& options, const Progress& progress = {});
  FleshModel(const FleshModel&) = delete;
  FleshModel& operator=(const FleshModel&) = delete;

  const FleshLattice& lattice() const { return lattice_; }
  const std::vector<BoneSolid>& bones() const { return solids_; }
  const BoneTies& ties() const { return ties_; }
  const SkinWeights& node_weights() const { return node_weights_; }
  const Skeleton& skeleton() const { return skeleton_; }
  const SkinContacts* contacts() const { return contacts_.get(); }
  const FleshOptions& options() const { return options_; }
  const Warnings& warnings() const { return warnings_; }
  // The joint in whose space poses are solved: where it goes, everything goes.
  int carrier() const { return carrier_; }

  // Where the vertices of the character are, for these nodes.
  std::vector<Vec3f> skin(const std::vector<Vec3d>& nodes) const;

  // The forces of the ties for these bone transforms (bone_solids.h), without the part that is linear in the nodes.
  std::vector<Vec3d> pulls(const std::vector<Affine3d>& bones) const;

  // Energy up to a constant that only depends on the pose; `gradient`, when given, receives its derivative.
  double energy(const std::vector<Vec3d>& nodes, const std::vector<Vec3d>& pulls, const std::vector<Contact>& contacts,
                std::vector<Vec3d>* gradient) const;
  // The second derivative, made positive semi-definite, without the contacts: those go to BlockSystem::factorise.
  // `inertia` (in units of shear modulus * cell) is added to every node: above 0 it slows the nodes down.
  void fill_system(const std::vector<Vec3d>& nodes, double inertia, BlockSystem& system) const;
  BlockSystem make_system() const { return BlockSystem(lattice_.node_count(), lattice_.corners); }

 private:
  void sum_up_constant_part();

  FleshOptions options_;
  Skeleton skeleton_;
  Weld weld_;
  FleshLattice lattice_;
  std::vector<BoneSolid> solids_;
  BoneTies ties_;
  SkinWeights node_weights_;
  std::unique_ptr<SkinContacts> contacts_;
  std::vector<double> fill_;  // per cell, not below a small share
  // The quadratic part, ties and hourglass modes: one number per coupling of the system, and the same as sparse rows.
  std::vector<float> constant_;
  std::vector<std::uint32_t> row_begin_, columns_;
  std::vector<double> values_;
  int carrier_ = 0;
  Warnings warnings_;
};

}  // namespace sinew
