// Writing a character back into the glTF document it was read from.
//
// Whatever did not change since reading (by fingerprint) is not touched: nothing changed means the same bytes. What did
// change is put behind the existing data and the JSON is pointed at it; accessors and views that only the old content
// used are dropped.
//
//   weights             new JOINTS_n and WEIGHTS_n for that primitive; joints the skin lacks are added to it
//   positions, …        a new accessor for that attribute
//   triangles only      new indices
//   another vertex set  the primitive is rebuilt; attributes the library does not hold and morph targets go (warning)
//   skeleton moved      (same parents) joint nodes in the new rest pose, inverse bind matrices replaced, new names
//   joints added        (behind the old ones, which stay as they are) new nodes below theirs; skins get them with the
//                       weights that use them, motions get channels for them alone
//   another skeleton    new nodes and skin; the old skins, old joints and what only grouped them go, unless they carry
//                       something else (SaveOptions::keep_old_skeleton: they stay, and their animations)
//   motion              channels of joints replaced in the animation of that name, or a new animation
#pragma once

#include <set>

#include "sinew/asset/gltf/gltf_build.h"
#include "sinew/asset/gltf/gltf_document.h"

namespace sinew::gltf {

Output write_patched(const Character& character, const Document& source, FileFormat format, const SaveOptions& options);

// The character as a glTF document that holds exactly it: its own, or one that is written and read again.
Character with_document(const Character& character);

// --- The steps, each in its own file.

enum class SkeletonChange : std::uint8_t { none, moved, extended, replaced };

struct Patch {
  const Character& character;
  const Document& source;
  Json json;  // a copy of the source's
  Builder builder;
  PartContext context;
  SkeletonChange skeleton_change = SkeletonChange::none;
  bool changed = false;
  bool posed = false;             // joint nodes were given another pose than the file's
  std::vector<int> mesh_of_node;  // -1: none; after cloning of meshes that several nodes share
  std::set<int> placed;           // nodes whose mesh has been given its place

  Patch(const Character& edited, const Document& origin, const SaveOptions& options);
  Patch(const Patch&) = delete;
  Json& node(int index) { return json["nodes"][static_cast<std::size_t>(index)]; }
};

void patch_skeleton(Patch& patch);  // first: parts and motions need to know the joints' nodes
void patch_parts(Patch& patch);
void patch_motions(Patch& patch);
void remove_old_joints(Patch& patch);  // last: nodes get new numbers
// Takes the node out of its parent or scene and puts it under `parent` (-1: the shown scene), with this local
// transform. A node that has children or an animation of its own stays where it is, and a new node takes the mesh.
int move_mesh_node(Patch& patch, int node, int parent, const Affine3d& local);

// Writes the patched document; the same bytes as the source when nothing changed.
Output write_patch(Patch& patch, FileFormat format);

// Drops accessors and bufferViews that `before` used and `json` does not, and their bytes from `buffers`. Does nothing
// when the file uses an extension that may refer to accessors in ways unknown here.
void drop_unused(const Json& before, Json& json, std::vector<OutputBuffer>& buffers);

}  // namespace sinew::gltf
