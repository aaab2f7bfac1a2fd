// Putting new content into a glTF document: accessors, primitives, skeletons, animations.
//
// Used for fresh documents and for patching what changed in one that was read. New bytes go behind what the buffer
// already holds, so nothing that is there moves.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/gltf_document.h"

namespace sinew::gltf {

enum class ViewTarget : int { none = 0, vertices = 34962, indices = 34963 };

struct Builder {
  Json& json;
  int buffer = 0;        // index of the buffer that grows
  std::size_t base = 0;  // bytes it held before; a multiple of 4
  Bytes added;           // what comes behind them

  // Appends bytes as a bufferView and an accessor over it; returns the accessor. `stride`: of vertex data whose rows
  // are padded, else 0.
  int add_accessor(std::span<const std::byte> bytes, Component component, const char* type, std::size_t count,
                   ViewTarget target, bool normalised = false);
  // Records the smallest and largest element of float data with `components` per element.
  void set_bounds(int accessor, std::span<const float> values, int components);
  Json& array(const char* name);  // the top-level array, made when absent
  int push(const char* name, Json object);
};

// --- Geometry. All of these take character-space data of one part and `from_character`, the way to the space of the
// file's mesh.

int add_positions(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character);
int add_normals(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character);
int add_tangents(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character);
int add_uvs(Builder& builder, const TriangleMesh& mesh, const Part& part);
int add_colors(Builder& builder, const TriangleMesh& mesh, const Part& part);
// `flip`: the way to the file's space mirrors.
int add_indices(Builder& builder, const TriangleMesh& mesh, const Part& part, bool flip);

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

struct BuiltSkeleton {
  std::vector<int> node_of_joint;
  std::vector<int> roots;       // nodes for the scene
  std::vector<int> skin_index;  // per joint, or -1 for helpers without weight
  int skin = -1;
};

// Nodes in the rest pose and a skin whose inverse bind matrices are rest⁻¹. Several roots get a common node above them.
BuiltSkeleton add_skeleton(Builder& builder, const Skeleton& skeleton, const SkinWeights& weights, Warnings& warnings);

// An animation object for the motion, with linear keys on every frame; channels that keep the node's own transform are
// left out. `nodes`: the node of every joint.
Json make_animation(Builder& builder, const Motion& motion, const std::vector<int>& nodes);

// --- Output

// Writes a GLB, or a .gltf with its buffers beside it or inside, by the extension of `path`. `buffers`: the bytes of
// every buffer of the JSON, in pieces.
struct OutputBuffer {
  BufferKind kind = BufferKind::glb_chunk;
  std::vector<std::span<const std::byte>> pieces;
};

void write_document(Json& json, const std::vector<OutputBuffer>& buffers, const std::filesystem::path& path);
// A GLB of ready-made chunks.
void write_glb(std::string_view json_text, const std::vector<std::span<const std::byte>>& pieces,
               const std::filesystem::path& path);

}  // namespace sinew::gltf
