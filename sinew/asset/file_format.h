// Which format a file is in: by what it holds, then by its name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>

namespace sinew {

enum class FileFormat { gltf, obj, ply, stl, off, bvh, pcd, fbx, collada };

// "glTF", "Wavefront OBJ", …
const char* format_name(FileFormat format);

// Looks at the content first; a file whose content says nothing is taken by its extension. Empty when neither helps.
std::optional<FileFormat> recognise_format(std::span<const std::byte> bytes, const std::filesystem::path& path);

std::optional<FileFormat> format_of_content(std::span<const std::byte> bytes);
std::optional<FileFormat> format_of_extension(const std::filesystem::path& path);

// Whether the bytes are a binary STL: exactly 80 bytes, a count, and 50 bytes per triangle (a little more is allowed).
// True also for files whose header begins with "solid", the mark of text STL.
bool is_binary_stl(std::span<const std::byte> bytes);

}  // namespace sinew
