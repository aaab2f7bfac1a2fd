// Bones as every weight method sees them: which joints take weights, and the segments of space that each one drives.
//
// A joint is a point; its bone runs to where its children begin. Rigs are full of joints that deform nothing, and glTF
// has no tails for the last bone of a chain, so both have to be guessed well:
//
// Which joints take weights
//   - not end markers ("…_End", "…Nub", JointKind::end) nor helpers (JointKind::helper);
//   - not the last joint of a finger chain that only marks the tip
//     (it lies at the surface, and every sibling chain has one);
//   - not controls: IK targets, pole vectors, prop slots, rolls, by name, unless nothing else drives that
//     place (some rigs do skin the foot to its IK target);
//   - not a root that stands on the floor or outside the mesh and only carries the hips, nor one by name wherever it
//     is, nor a tree of its own beside the hips that holds no part of a body;
//   - not joints outside the mesh, nor joints whose only bones have no length.
//   A leaf without any of these signs *is* a bone: Head, Hand, Toe, the tip of a tail.
//
// Which segments a joint drives
//   - one to every child that takes weights (a pelvis drives three, a palm five);
//   - a joint without such children: to its end marker when the file has one; otherwise along the rig's own bone axis
//     (the local axis along which most joints hold their child) or, failing that, straight on from its parent, as far
//     as 80 % of the way to the surface.
#pragma once

#include <memory>
#include <vector>

#include "sinew/error.h"
#include "sinew/mesh/ray_scene.h"
#include "sinew/rig/bone.h"
#include "sinew/skeleton.h"

namespace sinew {

class SolidDomain;

// What is known of the surface around a skeleton; positions in the skeleton's space.
class Surroundings {
 public:
  // `triangles` may be empty (a point cloud): then inside means inside the bounding box.
  Surroundings(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles);

  ~Surroundings();

  // Whether the surface lies on nearly every side. Tolerant of holes, so it also serves open meshes. In a soup, where a
  // view may slip out anywhere, the winding number decides.
  bool encloses(const Vec3d& point) const;
  // Distance to the surface along a unit direction; 0 when there is none.
  double distance_along(const Vec3d& point, const Vec3d& direction) const;
  // Distance to the nearest surface point (to the nearest vertex, for a cloud).
  double distance(const Vec3d& point) const;
  const AABBd& box() const { return box_; }
  double diagonal() const { return box_.diagonal().norm(); }

 private:
  RayScene scene_;
  bool has_surface_;
  std::unique_ptr<SolidDomain> soup_;  // only for loose triangles
  std::vector<Vec3f> cloud_;           // only for a point cloud
  AABBd box_;
};

struct BoneChoice {
  std::vector<char> takes_weight;  // per joint
  std::vector<Bone> bones;         // in order of joint; a joint that takes weight has at least one
  std::vector<int> outside;        // joints that would take weight if they and their bones were not outside the mesh
};

// Decides by the rules above.
BoneChoice choose_bones(const Skeleton& skeleton, const Surroundings& surroundings);

// The bones of a given choice of joints.
std::vector<Bone> bones_of(const Skeleton& skeleton, const std::vector<char>& takes_weight,
                           const Surroundings& surroundings);

}  // namespace sinew
