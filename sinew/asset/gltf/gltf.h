// glTF 2.0 and GLB, the native format. Use io.h unless the format is known.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "sinew/asset/output.h"
#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

// The bytes stay with the character. `path`: where they were read from; empty: not from a file.
Character read_gltf(std::vector<std::byte> bytes, const LoadOptions& options = {},
                    const std::filesystem::path& path = {});

// `format`: glb or gltf.
Output write_gltf(const Character& character, FileFormat format, const SaveOptions& options = {});

}  // namespace sinew
