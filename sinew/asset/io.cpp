#include "sinew/io.h"

#include <memory>
#include <string>

#include "sinew/asset/beside_files.h"
#include "sinew/asset/clean_up.h"
#include "sinew/asset/fbx/assimp_import.h"
#include "sinew/asset/fbx/fbx_writer.h"
#include "sinew/asset/file_format.h"
#include "sinew/asset/gltf/gltf.h"
#include "sinew/asset/output.h"
#include "sinew/asset/plain/bvh.h"
#include "sinew/asset/plain/obj.h"
#include "sinew/asset/plain/off.h"
#include "sinew/asset/plain/pcd.h"
#include "sinew/asset/plain/ply.h"
#include "sinew/asset/plain/stl.h"
#include "sinew/asset/plain/text_scanner.h"
#include "sinew/base/file_bytes.h"
#include "sinew/base/parallel.h"

namespace sinew {
namespace fs = std::filesystem;
namespace {

constexpr const char* readable = "Sinew reads .glb .gltf .vrm .obj .ply .stl .off .bvh .pcd .fbx .dae";
constexpr const char* writable = "Sinew writes .glb .gltf .vrm .fbx .obj .ply .stl .off .bvh";

bool is_gltf(FileFormat format) { return format == FileFormat::glb || format == FileFormat::gltf; }

// Every format but glTF.
Character read_plain(FileFormat format, std::span<const std::byte> bytes, const LoadOptions& options) {
  switch (format) {
    case FileFormat::obj:
      return read_obj(bytes, options);
    case FileFormat::ply:
      return read_ply(bytes, options);
    case FileFormat::stl:
      return read_stl(bytes, options);
    case FileFormat::off:
      return read_off(bytes, options);
    case FileFormat::bvh:
      return read_bvh(bytes, options);
    case FileFormat::pcd:
      return read_pcd(bytes, options);
    case FileFormat::fbx:
      return read_scene(bytes, SceneFormat::fbx, options);
    default:
      return read_scene(bytes, SceneFormat::collada, options);
  }
}

FileFormat recognise(std::span<const std::byte> bytes, const LoadOptions& options) {
  std::optional<FileFormat> format = options.format;
  if (!format) format = format_of_content(bytes);
  if (!format) format = format_of_extension(options.name);
  if (!format) throw Error(ErrorCode::format_unknown, "its format is not known", readable);
  return *format;
}

// `gltf`: reads glTF from these bytes, in the way that spares a copy where the caller has bytes to give away.
template <typename ReadGltf>
Character read_any(std::span<const std::byte> bytes, const LoadOptions& options, ReadGltf gltf) {
  try {
    if (bytes.empty()) throw Error(ErrorCode::file_empty, "the file is empty");
    if (bytes.size() > options.max_file_bytes) {
      throw Error(
          ErrorCode::too_large,
          "it has " + std::to_string(bytes.size()) + " bytes; the limit is " + std::to_string(options.max_file_bytes),
          "raise the limit if the file is really that large");
    }
    const FileFormat format = recognise(bytes, options);
    Character character = is_gltf(format) ? with_threads(options.threads, gltf) : read_plain(format, bytes, options);
    clean_up(character);
    const std::string name = fs::path(options.name).stem().string();
    if (character.name.empty()) character.name = name;
    if (!is_gltf(format)) {
      for (Motion& motion : character.motions) {
        if (motion.name.empty()) motion.name = name;
      }
    }
    character.format = format;
    return character;
  } catch (const Error& error) {
    if (options.name.empty()) throw;
    throw error.within("reading '" + options.name + "'");
  }
}

struct Holds {
  bool mesh = true, weights = false, skeleton = false, motions = false;
};

// What the format cannot hold of this character.
Warnings losses(const Character& character, const Holds& holds) {
  Warnings warnings;
  const auto warn = [&](bool lost, const char* code, const char* what) {
    if (lost) warnings.push_back({code, std::string("this format cannot hold the ") + what});
  };
  warn(!holds.mesh && character.mesh.vertex_count() > 0, "lost-mesh", "mesh");
  warn(!holds.weights && character.has_skin(), "lost-weights", "weights");
  warn(!holds.skeleton && !character.skeleton.empty(), "lost-skeleton", "skeleton");
  warn(!holds.motions && !character.motions.empty(), "lost-motions", "motions");
  return warnings;
}

void refuse_without_mesh(const Character& character, FileFormat format) {
  const bool triangles = format == FileFormat::stl || format == FileFormat::fbx;
  if (triangles ? !character.mesh.triangles.empty() : character.mesh.vertex_count() > 0) return;
  throw Error(ErrorCode::output_format_unfit,
              std::string("there is no ") + (triangles ? "triangle" : "mesh") + " to write as " + format_name(format),
              "write a skeleton or motion as .glb or .bvh, a point cloud as .ply");
}

Output output_of(const Character& character, FileFormat format, const SaveOptions& options);

// The same with joints named and turned as the options say.
Output output_of_named(const Character& character, FileFormat format, const SaveOptions& options) {
  const auto named = std::make_shared<Character>(character);
  Warnings warnings = use_names(named->skeleton, named->motions, options.names);
  SaveOptions plain = options;
  plain.names = NameConvention::keep;
  Output output = output_of(*named, format, plain);
  output.owners.push_back(named);
  output.warnings.insert(output.warnings.begin(), warnings.begin(), warnings.end());
  return output;
}

Output output_of(const Character& character, FileFormat format, const SaveOptions& options) {
  if (options.names != NameConvention::keep) return output_of_named(character, format, options);
  if (is_gltf(format)) {
    return with_threads(options.threads, [&] { return write_gltf(character, format, options); });
  }
  if (format == FileFormat::fbx) {
    if (character.skeleton.empty()) refuse_without_mesh(character, format);
    return write_fbx(character, options);
  }
  if (format != FileFormat::bvh) refuse_without_mesh(character, format);
  Output output;
  std::string text;
  switch (format) {
    case FileFormat::obj:
      output.warnings = losses(character, {});
      text = write_obj(character, options, output);
      break;
    case FileFormat::ply:
      output.warnings = losses(character, {.weights = true, .skeleton = true});
      text = write_ply(character, options, output.warnings);
      break;
    case FileFormat::stl:
      output.warnings = losses(character, {});
      text = write_stl(character);
      break;
    case FileFormat::off:
      output.warnings = losses(character, {});
      text = write_off(character);
      break;
    case FileFormat::bvh:
      output.warnings = losses(character, {.mesh = false, .skeleton = true, .motions = true});
      text = write_bvh(character, output.warnings);
      break;
    default:
      throw Error(ErrorCode::output_format_unfit,
                  std::string(format_name(format)) + " files can be read but not written", writable);
  }
  output.pieces = {output.keep(std::move(text))};
  return output;
}

}  // namespace

Character read_character(std::span<const std::byte> bytes, const LoadOptions& options) {
  return read_any(bytes, options, [&] { return read_gltf({bytes.begin(), bytes.end()}, options); });
}

Character read_character(std::vector<std::byte>&& bytes, const LoadOptions& options) {
  return read_any(bytes, options, [&] { return read_gltf(std::move(bytes), options); });
}

WrittenCharacter write_character(const Character& character, FileFormat format, const SaveOptions& options) {
  return joined(output_of(character, format, options));
}

Character load_character(const fs::path& path, const LoadOptions& given) {
  LoadOptions options = given;
  if (options.name.empty()) options.name = path.string();
  if (!options.resolve) options.resolve = files_in_folder(path.parent_path(), options.max_file_bytes);
  std::error_code ignored;
  if (fs::is_other(path, ignored)) {
    throw Error(ErrorCode::file_unreadable, "'" + path.string() + "' is a device or a pipe", "save it to a file first");
  }
  std::vector<std::byte> bytes = read_file_bytes(path, options.max_file_bytes);
  return read_any(bytes, options, [&] { return read_gltf(std::move(bytes), options, path); });
}

Warnings save_character(const Character& character, const fs::path& path, const SaveOptions& options) {
  const std::optional<FileFormat> format = format_of_extension(path);
  if (!format)
    throw Error(ErrorCode::output_format_unknown, "'" + path.string() + "' has no known extension", writable);
  SaveOptions there = options;
  there.destination = path;
  there.as_vrm =
      there.as_vrm || (*format == FileFormat::glb && !equal_ignoring_case(path.extension().string(), ".glb"));
  const Output output = output_of(character, *format, there);
  save(output, path);
  return output.warnings;
}

void save_written(const WrittenCharacter& written, const fs::path& path) {
  Output output;
  output.pieces = {written.bytes};
  for (const WrittenFile& file : written.beside) output.beside.push_back({file.name, {file.bytes}});
  save(output, path);
}

}  // namespace sinew
