#include "sinew/io.h"

#include <string>

#include "sinew/asset/clean_up.h"
#include "sinew/asset/file_format.h"
#include "sinew/asset/gltf/gltf.h"
#include "sinew/asset/plain/bvh.h"
#include "sinew/asset/plain/obj.h"
#include "sinew/asset/plain/off.h"
#include "sinew/asset/plain/ply.h"
#include "sinew/asset/plain/stl.h"
#include "sinew/asset/read_bytes.h"
#include "sinew/base/file_bytes.h"

namespace sinew {
namespace fs = std::filesystem;
namespace {

constexpr const char* readable = "Sinew reads .glb .gltf .vrm .obj .ply .stl .off .bvh .pcd .fbx .dae";
constexpr const char* writable = "Sinew writes .glb .gltf .obj .ply .stl .off .bvh";

Character read_any(const fs::path& path, const LoadOptions& options) {
  std::error_code ignored;
  if (fs::is_other(path, ignored)) {
    throw Error(ErrorCode::file_unreadable, "it is a device or a pipe", "save it to a file first");
  }
  const std::optional<FileFormat> format = recognise_file(path);
  if (format == FileFormat::gltf) {
    Character character = read_gltf(path, options);
    clean_up(character);
    return character;
  }
  const std::vector<std::byte> bytes = read_file_bytes(path, options.max_file_bytes);
  if (bytes.empty()) throw Error(ErrorCode::file_empty, "the file is empty");
  if (!format) throw Error(ErrorCode::format_unknown, "its format is not known", readable);
  Character character = read_bytes(bytes, *format, options);
  for (Motion& motion : character.motions) {
    if (motion.name.empty()) motion.name = path.stem().string();
  }
  return character;
}

struct Holds {
  bool mesh = true, weights = false, skeleton = false, motions = false;
};

// What the format cannot hold of this character.
Warnings losses(const Character& character, const Holds& holds) {
  Warnings warnings;
  const auto lost = [&](bool present, const char* what) {
    if (present) warnings.push_back({std::string("lost-") + what, std::string("this format cannot hold the ") + what});
  };
  lost(!holds.mesh && character.mesh.vertex_count() > 0, "mesh");
  lost(!holds.weights && character.has_skin(), "weights");
  lost(!holds.skeleton && !character.skeleton.empty(), "skeleton");
  lost(!holds.motions && !character.motions.empty(), "motions");
  return warnings;
}

void refuse_without_mesh(const Character& character, FileFormat format) {
  const bool triangles = format == FileFormat::stl;
  if (triangles ? !character.mesh.triangles.empty() : character.mesh.vertex_count() > 0) return;
  throw Error(ErrorCode::output_format_unfit,
              std::string("there is no ") + (triangles ? "triangle" : "mesh") + " to write as " + format_name(format),
              "write a skeleton or motion as .glb or .bvh, a point cloud as .ply");
}

}  // namespace

Character load_character(const fs::path& path, const LoadOptions& options) {
  try {
    Character character = read_any(path, options);
    const std::optional<FileFormat> format = recognise_file(path);
    character.up_axis_is_known =
        format == FileFormat::gltf || format == FileFormat::fbx || format == FileFormat::collada;
    if (character.name.empty()) character.name = path.stem().string();
    return character;
  } catch (const Error& error) {
    const std::string name = "'" + path.string() + "'";
    if (std::string_view(error.what()).find(name) != std::string_view::npos) throw;
    throw error.within("reading " + name);
  }
}

Warnings save_character(const Character& character, const fs::path& path, const SaveOptions& options) {
  const std::optional<FileFormat> format = format_of_extension(path);
  if (!format) {
    throw Error(ErrorCode::output_format_unknown, "'" + path.string() + "' has no known extension", writable);
  }
  if (*format != FileFormat::gltf && *format != FileFormat::bvh) refuse_without_mesh(character, *format);
  Warnings warnings;
  switch (*format) {
    case FileFormat::gltf:
      return write_gltf(character, path, options);
    case FileFormat::obj:
      write_file_text(path, write_obj(character));
      return losses(character, {});
    case FileFormat::ply:
      warnings = losses(character, {.weights = true, .skeleton = true});
      write_file_text(path, write_ply(character, options, warnings));
      return warnings;
    case FileFormat::stl:
      write_file_text(path, write_stl(character));
      return losses(character, {});
    case FileFormat::off:
      write_file_text(path, write_off(character));
      return losses(character, {});
    case FileFormat::bvh:
      warnings = losses(character, {.mesh = false, .skeleton = true, .motions = true});
      write_file_text(path, write_bvh(character, warnings));
      return warnings;
    default:
      throw Error(ErrorCode::output_format_unfit,
                  std::string(format_name(*format)) + " files can be read but not written", writable);
  }
}

}  // namespace sinew
