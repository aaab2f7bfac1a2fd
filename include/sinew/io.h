// Reading and writing characters: the one entry point for every file format, in memory and on disk.
//
//   Character character = load_character("hero.glb");
//   save_character(character, "hero_rigged.glb");
//
//   Character dropped = read_character(bytes, {.name = "hero.fbx", .isolate = true});
//   std::vector<std::byte> glb = write_character(dropped, FileFormat::glb).bytes;
//
// The format of an input is recognised by its content, then by the extension of its name; of an output by its
// extension.
//   in:  .glb .gltf .vrm .obj .ply .stl .off .bvh .pcd .fbx .dae
//   out: .glb .gltf .vrm .fbx .obj .ply .stl .off .bvh
// Formats that cannot hold a skeleton, weights or motions lose them, and say so in the returned warnings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/export.h"
#include "sinew/name_convention.h"

namespace sinew {

// "glTF", "Wavefront OBJ", …
SINEW_API const char* format_name(FileFormat format);

// The format that goes with the extension of a file's name, in any case; .vrm counts as GLB.
SINEW_API std::optional<FileFormat> format_of_extension(const std::filesystem::path& name);

// The bytes of another file that a file names: buffers and pictures of a .gltf. `name` is its place relative to the
// file that names it, with percent signs decoded; names that are absolute, hold "..", a backslash or a scheme are
// refused before anyone is asked. Returns nothing when there is no such file; may throw Error to say why.
using ResolveFile = std::function<std::optional<std::vector<std::byte>>(const std::string& name)>;

struct LoadOptions {
  std::uint64_t max_file_bytes = std::uint64_t{4} << 30;  // larger files are refused before they are read
  int max_node_depth = 1024;                              // deeper hierarchies are refused
  std::uint64_t max_elements = 200'000'000;               // vertices, indices or keys that one file may declare
  // What messages call the file: "hero.glb" or a whole path. A character or motion without a name of its own is called
  // after it, without folder and extension. load_character takes the path unless this is set.
  std::string name{};
  std::optional<FileFormat> format{};  // unset: recognised
  // Unset: read_character reaches no other file, load_character those in the file's own folder and below. Kept with the
  // character: pictures are asked for when somebody needs them, on the thread that needs them.
  ResolveFile resolve{};
  // FBX and COLLADA (assimp) and Draco meshes of glTF are read by libraries that crash on some damaged files.
  //   true   they run in a forked copy of this process with limits on time and memory; a crash is an Error(bad_input)
  //   false  nothing is forked; a crash ends the caller's program, so use it for files that you trust
  bool isolate = false;
  int threads = 0;  // 0: all cores
};

// What a .vrm file says about itself. What is empty is taken from the file that the character was read from, if that is a
// VRM too.
struct VrmMeta {
  std::string name{};                  // then the character's
  std::vector<std::string> authors{};  // then "unknown", with a warning
  std::string license_url{};           // then that of the VRM Public License 1.0
};

struct SaveOptions {
  int max_influences = 0;         // 0: as many as the weights have
  bool quantise_weights = false;  // glTF: 8-bit weights instead of float
  bool embed = false;             // glTF: buffers and pictures inside the file instead of beside it
  // glTF: a character that got another skeleton keeps the nodes of the old one in its file, as empty nodes.
  bool keep_old_skeleton = false;
  // Joints are named, and for Mixamo and Unreal turned, as other programs expect them: use_names of name_convention.h.
  NameConvention names = NameConvention::keep;
  // GLB: written as VRM 1.0, a humanoid for games and virtual reality. save_character sets it for names in .vrm.
  bool as_vrm = false;
  VrmMeta vrm{};
  // Where the caller will put the result; save_character sets it. A .gltf calls its buffer after it ("hero.gltf" →
  // "hero.bin"; "buffer.bin" when unset). Files that the character's source names and that are in that folder already
  // are left out of WrittenCharacter::beside, and a result that would replace one of them is refused.
  std::filesystem::path destination{};
  int threads = 0;  // 0: all cores
};

struct WrittenFile {
  std::string name;  // relative to the main file: "hero.bin", "textures/skin.png"
  std::vector<std::byte> bytes;
};

struct WrittenCharacter {
  std::vector<std::byte> bytes;     // of the file itself
  std::vector<WrittenFile> beside;  // what it names: buffers of a .gltf, and pictures
  Warnings warnings;                // what the format could not hold
};

// Throws Error(bad_input) for bytes that are invalid or in no known format.
SINEW_API Character read_character(std::span<const std::byte> bytes, const LoadOptions& options = {});
// The same for bytes that the caller does not need any more: glTF keeps them, and this spares it a copy.
SINEW_API Character read_character(std::vector<std::byte>&& bytes, const LoadOptions& options = {});

// What has not changed since `character` was read from the same format is written back as it was. Throws Error(usage)
// for a format that can only be read, and for a character without a mesh where the format holds nothing else.
SINEW_API WrittenCharacter write_character(const Character& character, FileFormat format,
                                           const SaveOptions& options = {});

// Throws as read_character does, and Error(bad_input) for a file that is missing or unreadable.
SINEW_API Character load_character(const std::filesystem::path& path, const LoadOptions& options = {});

// Writes beside `path` and renames, so that the file appears complete or not at all; files that it names come first.
// Returns what the format could not hold. Throws as write_character does, and Error(failed) when it cannot be written.
SINEW_API Warnings save_character(const Character& character, const std::filesystem::path& path,
                                  const SaveOptions& options = {});

// The same for what write_character gave.
SINEW_API void save_written(const WrittenCharacter& written, const std::filesystem::path& path);

}  // namespace sinew
