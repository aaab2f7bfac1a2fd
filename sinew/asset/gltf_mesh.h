// The meshes of a glTF file as one mesh in character space, with weights.
#pragma once

#include "sinew/asset/gltf_document.h"
#include "sinew/asset/gltf_rig.h"

namespace sinew::gltf {

// Fills mesh, parts and weights of `character` (whose skeleton must be there) and document.parts. Every primitive of
// every mesh node of the shown scene becomes one part; primitives that share their vertices get only those they use.
void read_meshes(Document& document, const Scene& scene, const Rig& rig, Character& character);

// The attribute's accessor, or -1.
int attribute_accessor(const Document& document, const Json& primitive, const std::string& name);

}  // namespace sinew::gltf
