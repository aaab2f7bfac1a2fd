// Files that a file names: which names are allowed, and how they are found on disk.
#pragma once

#include <filesystem>
#include <string>

#include "sinew/io.h"

namespace sinew {

// Throws Error(bad_input) for a name that may lead out of the folder of the file that names it: absolute paths, "..",
// schemes, backslashes, zero bytes.
void check_beside_name(const std::string& name);

// Where a picture is looked for that a program named by its own idea of paths: "C:\work\skin.png" → "skin.png",
// "maps\skin.png" → "maps/skin.png".
std::string place_beside(std::string name);

// The bytes of such a picture: at its place, by its bare name, or in the folders where programs put pictures
// ("textures", "NAME.fbm"); nothing when it is in none of them. Throws Error(bad_input) for one that may not be read.
std::optional<std::vector<std::byte>> find_picture(const std::string& place, const LoadOptions& options);

// The name that a relative URI stands for: percent signs decoded, checked.
std::string name_of_uri(const std::string& uri);

// Finds files in `folder` and below. Throws Error(bad_input) for one that is missing or larger than `max_bytes`.
ResolveFile files_in_folder(const std::filesystem::path& folder, std::uint64_t max_bytes);

}  // namespace sinew
