// Which format a file is in: by what it holds, then by its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace sinew {

enum class FileFormat { gltf, obj, ply, stl, off, bvh, pcd, fbx, collada };

// "glTF", "Wavefront OBJ", …
const char* format_name(FileFormat format);

// Looks at the beginning of the file first; where that says nothing, its extension decides. Empty when neither helps or
// the file cannot be read.
std::optional<FileFormat> recognise_file(const std::filesystem::path& path);

// `head`: the first bytes of a file, a few thousand are enough; `file_size`: all its bytes.
std::optional<FileFormat> format_of_content(std::span<const std::byte> head, std::uint64_t file_size);
std::optional<FileFormat> format_of_extension(const std::filesystem::path& path);

// Whether the bytes are a binary STL: exactly 80 bytes, a count, and 50 bytes per triangle (a little more is allowed).
// True also for files whose header begins with "solid", the mark of text STL.
bool is_binary_stl(std::span<const std::byte> head, std::uint64_t file_size);

}  // namespace sinew
