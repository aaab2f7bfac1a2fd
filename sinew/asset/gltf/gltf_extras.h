// Text of our own inside a glTF file: asset.extras, which every other program leaves alone.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// The string under `key` in asset.extras of a GLB or .gltf file; empty when the bytes are no glTF or hold no such
// string. Never throws for bad bytes.
std::string gltf_extra(std::span<const std::byte> bytes, const std::string& key);

// The same file with the string added or replaced. Throws Error(bad_input) when the bytes are not glTF.
std::vector<std::byte> with_gltf_extra(std::span<const std::byte> bytes, const std::string& key,
                                       const std::string& text);

}  // namespace sinew
