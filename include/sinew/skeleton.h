// Skeletons of any hierarchy, and poses of them.
//
// The rest pose is the pose in which the mesh was bound (inverse bind matrices), not whatever pose a file's nodes
// happen to be in. All rest transforms are in character space: the space of the mesh's positions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/eigen_types.h"
#include "sinew/export.h"
#include "sinew/transform.h"

namespace sinew {

enum class JointKind : std::uint8_t {
  joint,   // may deform the skin
  end,     // only marks where its parent's bone ends: BVH end sites, "…_End", "…Nub"
  helper,  // a node that carries or groups joints: armature objects, mesh parents, exporter pivots
};

struct Skeleton {
  std::vector<std::string> names;  // need not be unique; find_joint returns the first
  std::vector<int> parents;        // -1 for a root; a parent always precedes its children
  std::vector<Affine3d> rest;      // joint space → character space in the bind pose; invertible
  std::vector<JointKind> kinds;

  int joint_count() const { return static_cast<int>(names.size()); }
  bool empty() const { return names.empty(); }
  Vec3d position(int joint) const { return rest[static_cast<std::size_t>(joint)].translation(); }
};

// Appends a joint whose parent is already there (or -1) and returns its index.
SINEW_API int add_joint(Skeleton& skeleton, const std::string& name, int parent, const Affine3d& rest,
                        JointKind kind = JointKind::joint);

// Index of the joint with exactly this name, or -1.
SINEW_API int find_joint(const Skeleton& skeleton, std::string_view name);

SINEW_API std::vector<std::vector<int>> children_of(const Skeleton& skeleton);
SINEW_API std::vector<int> roots_of(const Skeleton& skeleton);
// Whether `joint` is `above`, or hangs on it, however far down. -1 hangs on nothing. `parents`: of a skeleton.
SINEW_API bool hangs_on(const std::vector<int>& parents, int joint, int above);

// Throws Error(bad_input) unless arrays agree, parents precede children, and rest transforms are finite and invertible.
SINEW_API void check_skeleton(const Skeleton& skeleton);

// One local transform per joint, relative to the parent (to character space for roots).
using Pose = std::vector<Transform>;

SINEW_API Pose rest_pose(const Skeleton& skeleton);

// Joint space → character space for every joint of a pose.
SINEW_API std::vector<Affine3d> global_transforms(const Skeleton& skeleton, const Pose& pose);

// What skinning applies to bind-pose positions: global(pose) * rest⁻¹ for every joint.
SINEW_API std::vector<Affine3d> skinning_transforms(const Skeleton& skeleton, const Pose& pose);

}  // namespace sinew
