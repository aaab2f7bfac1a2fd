#include "sinew/asset/file.h"

#include <array>
#include <fstream>
#include <string>

#include "sinew/asset/assimp_import.h"
#include "sinew/asset/clean_up.h"
#include "sinew/asset/file_format.h"
#include "sinew/asset/gltf.h"
#include "sinew/asset/obj.h"
#include "sinew/base/file_bytes.h"

namespace sinew {
namespace fs = std::filesystem;
namespace {

constexpr const char* readable = "Sinew reads .glb .gltf .vrm .obj .ply .stl .off .bvh .pcd .fbx .dae";
constexpr const char* writable = "Sinew writes .glb .gltf .obj .ply .stl .off .bvh";

Character read_as(FileFormat format, std::span<const std::byte> bytes, const fs::path& path,
                  const LoadOptions& options) {
  switch (format) {
    case FileFormat::gltf:
      return read_gltf(path, options);
    case FileFormat::obj:
      return read_obj(bytes, options);
    case FileFormat::fbx:
      return read_scene(bytes, SceneFormat::fbx, options);
    case FileFormat::collada:
      return read_scene(bytes, SceneFormat::collada, options);
    default:
      throw bad_input("it is in no known format", readable);
  }
}

// The first bytes of a file, without reading the rest: glTF files are read by their own reader.
bool is_gltf(const fs::path& path) {
  std::array<std::byte, 4096> head;
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(head.data()), head.size());
  return format_of_content(std::span(head).first(static_cast<std::size_t>(stream.gcount()))) == FileFormat::gltf;
}

Character read_any(const fs::path& path, const LoadOptions& options) {
  if (is_gltf(path)) return read_gltf(path, options);
  const std::vector<std::byte> bytes = read_file_bytes(path, options.max_file_bytes);
  if (bytes.empty()) throw bad_input("the file is empty");
  const std::optional<FileFormat> format = recognise_format(bytes, path);
  if (!format) throw bad_input("it is in no known format", readable);
  return read_as(*format, bytes, path, options);
}

// What a format without skeletons, or without meshes, leaves out.
Warnings losses(const Character& character, bool keeps_mesh, bool keeps_weights, bool keeps_skeleton) {
  Warnings warnings;
  const auto lost = [&](bool present, const char* what) {
    if (present) warnings.push_back({std::string("lost-") + what, std::string("this format cannot hold the ") + what});
  };
  lost(!keeps_mesh && character.mesh.vertex_count() > 0, "mesh");
  lost(!keeps_weights && character.has_skin(), "weights");
  lost(!keeps_skeleton && !character.skeleton.empty(), "skeleton");
  lost(!keeps_skeleton && !character.motions.empty(), "motions");
  return warnings;
}

}  // namespace

Character load_character(const fs::path& path, const LoadOptions& options) {
  try {
    Character character = read_any(path, options);
    if (character.name.empty()) character.name = path.stem().string();
    clean_up(character);
    return character;
  } catch (const Error& error) {
    const std::string name = "'" + path.string() + "'";
    if (std::string_view(error.what()).find(name) != std::string_view::npos) throw;
    throw error.within("reading " + name);
  }
}

Warnings save_character(const Character& character, const fs::path& path, const SaveOptions& options) {
  const std::optional<FileFormat> format = format_of_extension(path);
  if (!format) throw Error(ErrorKind::usage, "'" + path.string() + "' has no known extension", writable);
  switch (*format) {
    case FileFormat::gltf:
      return write_gltf(character, path, options);
    case FileFormat::obj:
      write_file_text(path, write_obj(character));
      return losses(character, true, false, false);
    default:
      throw Error(ErrorKind::usage, std::string(format_name(*format)) + " files can be read but not written", writable);
  }
}

}  // namespace sinew
