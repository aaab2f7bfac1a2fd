// A character: mesh, skeleton, weights and motions, and the file they came from.
//
// Everything is in one space, character space: metres-like scene space of the source file, in the bind pose. Several
// meshes, primitives or skins of a file are concatenated into one mesh; `parts` says which vertices are whose.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/error.h"
#include "sinew/export.h"
#include "sinew/mesh.h"
#include "sinew/motion.h"
#include "sinew/skeleton.h"
#include "sinew/skin_weights.h"

namespace sinew {

// What files can be in; io.h says which of them can be written.
enum class FileFormat : std::uint8_t { glb, gltf, obj, ply, stl, off, bvh, pcd, fbx, collada };

// How a part of the mesh follows the skeleton.
enum class PartBinding : std::uint8_t {
  skinned,   // by its weights
  attached,  // rigidly, as the child of a joint: a sword in a hand. Its weights are 1 on that joint.
  fixed,     // not at all. Its weights are zero.
};

// A contiguous run of vertices and triangles: one glTF primitive, one OBJ group, …
struct Part {
  std::string name;
  std::string material;
  std::size_t first_vertex = 0, vertex_count = 0;
  std::size_t first_triangle = 0, triangle_count = 0;
  PartBinding binding = PartBinding::fixed;
};

// What the reader keeps of a file so that the writer of the same format can give back untouched what the library does
// not understand or did not change. Only asset/ looks inside.
struct SINEW_API SourceDocument {
  virtual ~SourceDocument() = default;
};

struct Character {
  std::string name;
  TriangleMesh mesh;
  std::vector<Part> parts;  // cover the mesh in order; empty means one part
  Skeleton skeleton;        // empty for a bare mesh
  SkinWeights weights;      // empty, or one entry per vertex; a vertex without weight has all zeros
  std::vector<Motion> motions;
  Warnings warnings;  // what the reader repaired or ignored
  std::shared_ptr<const SourceDocument> source;
  std::optional<FileFormat> format;  // of the file it was read from; unset for what was made

  bool has_skin() const { return !weights.empty(); }
};

// Throws Error(bad_input) unless mesh, parts, skeleton, weights and motions are valid and fit together.
SINEW_API void check_character(const Character& character);

}  // namespace sinew
