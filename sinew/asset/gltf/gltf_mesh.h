// The meshes of a glTF file as one mesh in character space, with weights.
#pragma once

#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/gltf/gltf_rig.h"

namespace sinew::gltf {

// Fills mesh, parts and weights of `character` (whose skeleton must be there) and document.parts. Every primitive of
// every mesh node of the shown scene becomes one part; primitives that share their vertices get only those they use.
void read_meshes(Document& document, const Scene& scene, const Rig& rig, Character& character);

// --- Primitives and their attributes (gltf_attributes.cpp)

const Json& primitive_of(const Document& document, const PartSource& source);
std::string describe(const PartSource& source);  // for messages
// The attribute's accessor, or -1.
int attribute_accessor(const Document& document, const Json& primitive, const std::string& name);

// Optional attributes exist for the whole mesh when a part has them; the others get computed normals, UV 0, white.
// Tangents cannot be made up, so all parts must have them.
void allocate_attributes(const Document& document, std::size_t vertex_count, TriangleMesh& mesh);

// Positions in character space, except those of inexact skins, which need their weights first. Returns how many
// accessors have wrong bounds.
std::size_t read_positions(const Document& document, Character& character);

struct NormalCounts {
  std::size_t not_unit = 0, missing = 0;
};

// Everything but positions and weights. Returns how many normals were repaired.
NormalCounts read_other_attributes(const Document& document, Character& character);

}  // namespace sinew::gltf
