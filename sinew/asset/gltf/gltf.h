// glTF 2.0 and GLB, the native format. Use load_character and save_character (io.h) unless the format is known.
#pragma once

#include <filesystem>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

Character read_gltf(const std::filesystem::path& path, const LoadOptions& options = {});
Warnings write_gltf(const Character& character, const std::filesystem::path& path, const SaveOptions& options = {});

}  // namespace sinew
