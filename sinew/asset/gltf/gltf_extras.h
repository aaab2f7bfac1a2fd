// Text of our own inside a glTF file: asset.extras, which every other program leaves alone.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace sinew {

// The string under `key` in asset.extras of a GLB or .gltf file; empty when the bytes are no glTF or hold no such
// string. Never throws for bad bytes.
std::string gltf_extra(std::span<const std::byte> bytes, const std::string& key);

// Adds or replaces it in a file on disk; the rest of the file stays as it is.
// Throws Error(bad_input) when the file is no glTF.
void set_gltf_extra(const std::filesystem::path& path, const std::string& key, const std::string& text);

}  // namespace sinew
