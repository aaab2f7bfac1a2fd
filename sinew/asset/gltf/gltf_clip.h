// Files that hold a motion and no character: their nodes are the joints. Internal to gltf_rig.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/gltf/gltf_rig.h"

namespace sinew::gltf {

struct ClipNodes {
  std::vector<int> joints;           // nodes; empty when the file is not a clip
  std::map<int, std::string> names;  // what the file calls bones of a human, whatever its nodes are called
};

// A file is a clip when it has neither meshes nor skins and some node moves. Of a VRM animation (.vrma,
// VRMC_vrm_animation 1.0) the joints are the human bones that it names; expressions and gaze are left out. Of other
// files they are the nodes that move and all below them.
ClipNodes clip_nodes(const Document& document, const Scene& scene);

}  // namespace sinew::gltf
