// Where the parts of a body are in a mesh, found from its inside alone: no template, no training.
//
// Tips of limbs are the prominent ends of the distance inside the body (Reeb-graph fashion); the mirror plane, the up
// axis and the pairs of limbs follow from them; limbs run along centred ways from tip to trunk, and end where the
// cross-section suddenly grows. Joints within a limb stand at the places human anatomy gives them, then are moved to
// the middle of their slice.
#pragma once

#include <array>
#include <vector>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/error.h"
#include "sinew/fit/voxel_solid.h"

namespace sinew {

// A way through a limb, from where it leaves the trunk to its tip.
struct LimbCurve {
  std::vector<Vec3d> points;

  double length() const;
  // The place after `fraction` (0 … 1) of the length.
  Vec3d at(double fraction) const;
  // Ways over voxels zigzag: every round brings each point half of the way to the middle of its neighbours. Ends stay.
  void smooth(int rounds);
};

// A prominent end of the mesh: of a limb, a head, a tail, an ear, a weapon.
struct BodyTip {
  Vec3d position = Vec3d::Zero();
  double prominence = 0;  // how far it stands out, in the mesh's unit
};

// What a reading stands on: for those who judge it.
struct ReadingEvidence {
  std::vector<BodyTip> tips;          // of the mesh, the most prominent first
  double hands = 0, feet = 0;         // prominence of the pairs that are read as hands (front feet) and feet
  int hands_rank = 0, feet_rank = 0;  // how many pairs looked more like them
  double feet_ahead = 0;  // how far both feet lie before their legs, along frame.forward, in heights; negative: behind
};

struct BodyShape {
  bool on_all_fours = false;
  BodyFrame frame;
  Vec3d middle = Vec3d::Zero();  // a point of the mirror plane: on the ground under the body
  double height = 0;             // along `up`
  double symmetry = 0;           // share of the inside whose mirror image is inside, 0 … 1
  bool facing_known = true;      // feet or head told which way it faces

  // Left, then right. Arms are the front legs of an animal.
  std::array<LimbCurve, 2> legs, arms;
  std::array<double, 4> limb_confidence{};  // left leg, right leg, left arm, right arm; 0 … 1
  LimbCurve trunk;                          // hips → neck
  double trunk_confidence = 0.7;            // of trunk and head
  LimbCurve head;                           // neck → crown or muzzle
  LimbCurve tail;                           // empty when there is none

  // Two-legged bodies only: hip, knee, ankle, ball of the foot, tip; shoulder, elbow, wrist, tip.
  std::array<std::array<Vec3d, 5>, 2> leg_joints;
  std::array<std::array<Vec3d, 4>, 2> arm_joints;
  std::array<std::array<double, 5>, 2> leg_confidence{};  // of each of these, 0 … 1
  std::array<std::array<double, 4>, 2> arm_confidence{};

  ReadingEvidence evidence;
};

// The same limbs of a two-legged body that faces the other way: left and right change places.
BodyShape facing_the_other_way(BodyShape shape);

struct BodyShapeOptions {
  bool expect_four_legs = false;
  Vec3d up = Vec3d::Zero();  // unit length; zero: look for it among the axes
  // Where a two-legged body faces whose feet do not tell, unit length; zero: not known either.
  Vec3d forward = Vec3d::Zero();
  bool forward_given = false;  // `forward` is where it faces, whatever the mesh tells
};

// The first reading that the mesh allows. Throws Error(bad_input) saying what was not found when the mesh has no two legs
// and two arms (or four legs).
BodyShape read_body_shape(const VoxelSolid& solid, const BodyShapeOptions& options = {});

}  // namespace sinew
