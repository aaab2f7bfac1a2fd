// Levels of detail in glTF: one file with MSFT_lod, or a file of one level.
//
// A level is a subset of the character's vertices and triangles between them. All attributes of the file, also those
// the library does not know (second UVs, morph targets, custom ones), are picked element by element, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

struct GltfLevel {
  std::span<const std::uint32_t> vertices;  // indices into the character's vertices, ascending
  const TriangleMesh* mesh = nullptr;       // its triangles count in `vertices`
  std::span<const Part> parts;              // one per part of the character, in its order; empty means one part
};

// The finest level is the character itself, in its nodes as before. `coarser` levels become nodes outside the scene
// that MSFT_lod names, the finest of them first. The extras hint MSFT_screencoverage is added for programs that choose
// by size. `format`: glb or gltf. Throws as write_character does.
WrittenCharacter write_gltf_lods(const Character& character, std::span<const GltfLevel> coarser, FileFormat format,
                                 const SaveOptions& options = {});

// The same file with this level in place of the character's own mesh.
WrittenCharacter write_gltf_level(const Character& character, const GltfLevel& level, FileFormat format,
                                  const SaveOptions& options = {});

// The coarser levels that the file of a character holds, the finest of them first: mesh, parts and weights of each, on
// the same skeleton. Empty when the character was not read from glTF or its file has no MSFT_lod. A node with fewer
// levels than others shows its coarsest. Throws Error(bad_input) when a level cannot be read.
std::vector<Character> read_gltf_lods(const Character& character);

}  // namespace sinew
