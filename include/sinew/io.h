// Reading and writing characters: the one entry point for every file format.
//
//   Character character = load_character("hero.glb");
//   save_character(character, "hero_rigged.glb");
//
// The format of an input is recognised by its content, then by its extension; of an output by its extension.
//   in:  .glb .gltf .vrm .obj .ply .stl .off .bvh .pcd .fbx .dae
//   out: .glb .gltf .obj .ply .stl .off .bvh
// Formats that cannot hold a skeleton, weights or motions lose them, and say so in the returned warnings.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sinew/character.h"
#include "sinew/export.h"

namespace sinew {

struct LoadOptions {
  std::uint64_t max_file_bytes = std::uint64_t{4} << 30;  // larger files are refused before they are read
  int max_node_depth = 1024;                              // deeper hierarchies are refused
  std::uint64_t max_elements = 200'000'000;               // vertices, indices or keys that one file may declare
};

struct SaveOptions {
  int max_influences = 0;         // 0: as many as the weights have
  bool quantise_weights = false;  // glTF: 8-bit weights instead of float
};

// Throws Error(bad_input) for a file that is missing, unreadable, invalid or in no known format.
SINEW_API Character load_character(const std::filesystem::path& path, const LoadOptions& options = {});

// Writes beside `path` and renames, so that the file appears complete or not at all. What has not changed since
// `character` was loaded from the same format is written back as it was. Returns what the format could not hold.
SINEW_API Warnings save_character(const Character& character, const std::filesystem::path& path,
                                  const SaveOptions& options = {});

}  // namespace sinew
