// The nodes and skins of a glTF file as one skeleton in character space.
//
// glTF skins a vertex v by Σ wᵢ · global(jointᵢ) · IBMᵢ · v; the mesh node's own transform plays no part
// (section 3.7.3). The library wants positions and joints in one space, the scene in the bind pose. So every skin gets
// one transform G from the space of its POSITIONs to character space, and rest(j) = G · IBM(j)⁻¹. Then
//   global(pose) · rest⁻¹ · (G·v) = global(pose) · IBM · v
// for any pose: what the file means and what the library computes are the same.
//
// G is global(j) · IBM(j), which is the same for every joint when the file's nodes stand in the bind pose. When they do
// not (warning "node-pose-differs"), G is the mesh node's own transform if at least one joint confirms it, for that is
// where exporters leave the mesh; else the value a majority of joints agree on; else that of the topmost joint.
//
// Two skins that share joints must share their rest: the second skin's G is then rest(j) · IBM₂(j). If that differs
// from joint to joint, no G exists; the vertices of such a skin are brought to character space one by one, by blending
// rest(j) · IBM₂(j) with their weights, which is exact for vertices of one joint (warning "skins-disagree").
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew::gltf {

struct SceneNode {
  std::string name;  // "node 3" when the file gives none
  int parent = -1;
  Transform trs;  // local; the nearest one when the node is given by a matrix with shear
  Affine3d local = Affine3d::Identity();
  Affine3d global = Affine3d::Identity();
  bool in_scene = false;  // reached from the scene that is shown
};

struct Scene {
  std::vector<SceneNode> nodes;
  std::vector<int> order;  // depth first: parents before children
};

struct Rig {
  Skeleton skeleton;
  std::vector<int> node_of_joint;
  std::vector<int> joint_of_node;  // -1: not part of the skeleton
  std::vector<SkinSource> skins;
};

Scene read_scene(const Document& document, Warnings& warnings);

// Joints of all skins and their ancestors. `end` kinds are not set yet: see mark_end_joints (joint_names.h).
Rig read_rig(const Document& document, const Scene& scene, Warnings& warnings);

}  // namespace sinew::gltf
