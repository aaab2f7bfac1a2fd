// Putting new content into a glTF document: accessors, primitives, skeletons, animations.
//
// Used for fresh documents and for patching what changed in one that was read. New bytes go behind what the buffer
// already holds, so nothing that is there moves.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/materials.h"
#include "sinew/asset/output.h"

namespace sinew::gltf {

enum class ViewTarget : int { none = 0, vertices = 34962, indices = 34963 };

struct Builder {
  Json& json;
  int buffer = 0;        // index of the buffer that grows
  std::size_t base = 0;  // bytes it held before; a multiple of 4

  // What comes behind them, in pieces; every piece begins at a multiple of 4. Pieces point into the character where
  // nothing had to be converted, so it must stay as it is until the file is written.
  std::vector<std::span<const std::byte>> added;
  std::size_t added_bytes = 0;
  std::vector<std::shared_ptr<const void>> owners;

  // Appends bytes that outlive the builder; returns where they begin in the buffer.
  std::size_t append(std::span<const std::byte> bytes);
  // Appends bytes that outlive the builder as a bufferView and an accessor over it; returns the accessor.
  int add_borrowed(std::span<const std::byte> bytes, Component component, const char* type, std::size_t count,
                   ViewTarget target, bool normalised = false);
  // The same for values that the builder keeps.
  template <typename T>
  int add_values(std::vector<T> values, Component component, const char* type, std::size_t count, ViewTarget target,
                 bool normalised = false) {
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    owners.push_back(owner);
    return add_borrowed(std::as_bytes(std::span(*owner)), component, type, count, target, normalised);
  }
  // Records the smallest and largest element of float data with `components` per element.
  void set_bounds(int accessor, std::span<const float> values, int components);
  Json& array(const char* name);  // the top-level array, made when absent
  int push(const char* name, Json object);
};

// --- Geometry. All of these take character-space data of one part and `from_character`,
// the way to the space of the file's mesh.

int add_positions(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character);
int add_normals(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character);
int add_tangents(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character);
int add_uvs(Builder& builder, const TriangleMesh& mesh, const Part& part);
int add_colors(Builder& builder, const TriangleMesh& mesh, const Part& part);
// `flip`: the way to the file's space mirrors.
int add_indices(Builder& builder, const TriangleMesh& mesh, const Part& part, bool flip);

// The chosen elements of an accessor of the source as a new one, bit for bit.
int gather_accessor(Builder& builder, const Document& source, int accessor, const std::vector<std::uint32_t>& elements);

// --- Weights

struct WeightEncoding {
  std::vector<int> skin_index;  // per skeleton joint: its place in skin.joints, or -1
  int fallback_joint = 0;       // skeleton joint that vertices without weight are given to
  SaveOptions options;
};

struct WeightAccessors {
  std::vector<int> joints, weights;  // one accessor per set of four
  std::size_t unweighted = 0;        // vertices given to the fallback joint
};

// Strongest first, sums exactly 1 in float arithmetic or 255 in 8 bits, unused slots joint 0, as few sets as needed.
WeightAccessors add_weights(Builder& builder, const SkinWeights& weights, const Part& part,
                            const WeightEncoding& encoding);
void set_weight_attributes(Json& attributes, const WeightAccessors& accessors);

// Rounds weights that sum to 1 to bytes that sum to 255 by largest remainder.
void quantise_weights(std::span<const float> weights, std::span<std::uint8_t> bytes);

// --- Skeleton and motion

// Nodes in the rest pose, one per joint, children linked; returns the node of every joint.
std::vector<int> add_joint_nodes(Builder& builder, const Skeleton& skeleton, Warnings& warnings);
// Turns an existing node into the joint's rest pose relative to its parent, keeping everything else it holds.
void set_node_transform(Json& node, const Transform& local);
// What hangs under the scene for these joints: the root, or a new node above several roots.
int add_skeleton_root(Builder& builder, const Skeleton& skeleton, const std::vector<int>& node_of_joint);

struct BuiltSkin {
  int skin = -1;                // -1: the skeleton has no joints
  std::vector<int> skin_index;  // per joint: its place in skin.joints, or -1 for helpers without weight
};

// A skin whose inverse bind matrices are rest⁻¹ · mesh_to_character.
BuiltSkin add_skin(Builder& builder, const Skeleton& skeleton, const SkinWeights& weights,
                   const std::vector<int>& node_of_joint, const Affine3d& mesh_to_character);
// The matrices of the given joints as an accessor.
int add_inverse_binds(Builder& builder, const Skeleton& skeleton, const std::vector<int>& joints,
                      const Affine3d& mesh_to_character);

// An animation object for the motion, with linear keys on every frame; channels that keep the node's own transform are
// left out. `nodes`: the node of every joint.
Json make_animation(Builder& builder, const Motion& motion, const std::vector<int>& nodes);

// --- Whole parts

// The joint that carries an attached part: the one its first vertex names; -1 when it has no weight.
int carrier_of(const Character& character, const Part& part);
Json matrix_of(const Affine3d& transform);

// What parts are written into: the joints' nodes, the skins made so far, and the scene.
struct PartContext {
  const Character& character;
  SaveOptions options;
  std::vector<int> node_of_joint;
  std::vector<std::pair<Affine3d, BuiltSkin>> skins;  // new skins by their way to character space
  std::vector<int> scene_nodes;                       // new nodes for the scene
  Warnings warnings;
  std::vector<ShapeKey> shape_keys{};  // of a character whose file was not glTF
};

// The new skin for meshes that reach character space by `mesh_to_character`; made when first asked for.
const BuiltSkin& skin_for(Builder& builder, PartContext& context, const Affine3d& mesh_to_character);
// Weight attributes of a primitive; warns of vertices that have none.
void write_weights(Builder& builder, PartContext& context, const Part& part, const std::vector<int>& skin_index,
                   Json& attributes);
// A new mesh and node for the part, in character space.
void add_part(Builder& builder, PartContext& context, const Part& part);
// The parts, or one that covers everything when the character has none.
std::vector<Part> parts_of(const Character& character);
// POSITION, NORMAL, TANGENT, TEXCOORD_0, COLOR_0 and indices into `primitive`.
void set_geometry(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character,
                  Json& primitive);

// Materials of a file that was not glTF, for parts to find by name. Pictures go into the buffer, or beside a .gltf.
void add_looks(Builder& builder, const Materials& looks, FileFormat format, const SaveOptions& options, Output& output);
// Morph targets of the part: those keys that move any of its vertices.
void add_shape_targets(Builder& builder, const std::vector<ShapeKey>& keys, const Part& part, Json& mesh,
                       Json& primitive);

// --- Output

// A buffer of the JSON, in pieces.
struct OutputBuffer {
  BufferKind kind = BufferKind::file;
  std::string uri;  // keep this name, the file is there already; empty: a new file named after the destination
  Pieces pieces;
};

// Adds the bytes of a GLB, or of a .gltf with its new buffers beside it or inside, to `output`.
void write_document(Json& json, const std::vector<OutputBuffer>& buffers, FileFormat format, const SaveOptions& options,
                    Output& output);

}  // namespace sinew::gltf
