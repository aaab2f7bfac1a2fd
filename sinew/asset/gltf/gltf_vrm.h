// VRM 1.0: a GLB that says which joints are which bones of a human, and who made it.
// https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_vrm-1.0
//
// The bones follow from the joints' parts of the body (anatomy/convention_names.h). VRM wants a T-pose that faces +Z: arms
// that hang are turned up in the nodes alone, so that the mesh, its bind pose and its motions stay what they are, and a
// body that faces elsewhere gets a node above it that turns it.
#pragma once

#include <vector>

#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/gltf/gltf_patch.h"

namespace sinew::gltf {

// Throws Error(bad_input) that names the bones that VRM requires and the skeleton does not have.
void check_vrm_bones(const Skeleton& skeleton);

// The rest pose with the arms held out. Joints that need no turn keep their very numbers.
Pose vrm_pose(const Skeleton& skeleton);

// Before motions are written, which leave out what the nodes say already. Returns whether any node was turned.
bool hold_arms_out(Json& json, const Skeleton& skeleton, const std::vector<int>& node_of_joint);

// Last, when nodes have their numbers. What the file says of itself, its expressions and so on, stays.
void add_vrm(Json& json, const Character& character, const std::vector<int>& node_of_joint, const VrmMeta& meta,
             Warnings& warnings);

// Whether the file is a VRM, of any version, that needs no more than it has: its joints are still the same nodes.
bool is_complete_vrm(const Patch& patch);

}  // namespace sinew::gltf
