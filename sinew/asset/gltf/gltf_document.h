// A glTF file as its bytes are: its JSON, its buffers, and typed, checked access to both.
//
// Inside asset/ only. Everything here treats the file as hostile: every index is checked against its array and every
// count against the bytes that are there before anything is allocated. Section numbers are of the glTF 2.0
// specification (Khronos, 2.0.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character.h"
#include "sinew/eigen_types.h"
#include "sinew/io.h"

namespace sinew::gltf {

using Json = nlohmann::ordered_json;  // keeps the order of keys, so that a patched file still reads like the input
using Bytes = std::vector<std::byte>;

enum class BufferKind : std::uint8_t { glb_chunk, data_uri, file };

struct Buffer {
  BufferKind kind = BufferKind::glb_chunk;
  std::span<const std::byte> bytes;  // exactly byteLength long
  Bytes storage;                     // holds `bytes` unless they are the GLB chunk
};

// What was in each array of a part when it was read; the writer compares to see what changed (gltf_fingerprint.h).
struct PartFingerprint {
  std::uint64_t positions = 0, normals = 0, tangents = 0, uvs = 0, colors = 0;
  std::uint64_t topology = 0;  // vertex count and triangles
  std::uint64_t weights = 0;   // joints, weights and binding
  bool operator==(const PartFingerprint&) const = default;
};

// Where one part of the character came from.
struct PartSource {
  std::string name;
  int node = -1, mesh = -1, primitive = -1;
  int skin = -1;                                 // -1: not skinned
  Affine3d to_character = Affine3d::Identity();  // POSITION → character space
  bool exact = true;                             // false: no single transform leads to character space (see gltf_rig.h)
  std::vector<std::uint32_t> vertex_of;          // part vertex → accessor vertex; empty: the same
  std::size_t vertex_count = 0;
  PartBinding binding = PartBinding::fixed;
  PartFingerprint print;
};

// How a skin of the file relates to the skeleton (gltf_rig.h says how it is found).
struct SkinSource {
  std::vector<int> joints;             // skeleton joint of every entry of skin.joints
  std::vector<Affine3d> inverse_bind;  // as in the file
  Affine3d to_character = Affine3d::Identity();
  bool exact = true;                         // one transform serves all joints
  std::vector<Affine3d> joint_to_character;  // rest · IBM per entry; filled only when not exact
};

struct MotionSource {
  std::string name;
  int animation = -1;
  double begin = 0;  // seconds: the file's time of frame 0
  std::uint64_t content = 0;
};

// A file with compressed geometry as it is; `json` and `buffers` of its document say what it decompresses to.
struct PackedFile {
  Json json;
  std::vector<Buffer> buffers;
  std::string compression;  // names of the extensions, for messages
};

struct Document : SourceDocument {
  std::filesystem::path path;  // where it was read from; empty: not from a file
  LoadOptions options;         // as it was read with
  bool binary = false;         // GLB container
  Bytes file;                  // the whole file as read
  std::string_view json_text;  // inside `file`
  Json json;
  std::vector<Buffer> buffers;
  std::shared_ptr<const PackedFile> packed;  // null: the file is not compressed

  std::vector<PartSource> parts;      // one per Part
  std::vector<SkinSource> skins;      // one per skin of the file
  std::vector<int> node_of_joint;     // one per joint of the skeleton
  std::vector<MotionSource> motions;  // one per Motion
  std::uint64_t skeleton = 0;         // fingerprints: names, parents and rest;
  std::uint64_t hierarchy = 0;        // names and parents only
};

// JSON and buffers as the file names them, compressed or not.
inline const Json& json_as_read(const Document& document) {
  return document.packed ? document.packed->json : document.json;
}
inline const std::vector<Buffer>& buffers_as_read(const Document& document) {
  return document.packed ? document.packed->buffers : document.buffers;
}

// Reads the container, the JSON and every buffer, and decompresses what is compressed. Throws Error(bad_input).
std::shared_ptr<Document> read_document(Bytes bytes, const LoadOptions& options);

// Which source part every part of a character is: by place and name, else by name; -1 for a new one.
std::vector<int> match_parts(const std::vector<Part>& parts, const std::vector<PartSource>& sources);

// The bytes a URI stands for: a base64 data URI, or a file that LoadOptions::resolve finds. Throws Error(bad_input).
Bytes read_uri(const Document& document, const std::string& uri, std::string_view where);

// --- JSON access. `where` names the object in messages ("accessor 3"). All throw Error(bad_input) on a wrong type.

// A non-negative integer member, or `fallback` when absent.
std::uint64_t unsigned_member(const Json& object, const char* key, std::uint64_t fallback, std::string_view where);
// The same, but must be there.
std::uint64_t required_unsigned(const Json& object, const char* key, std::string_view where);
// An index into an array of `size` entries, or -1 when absent.
int index_member(const Json& object, const char* key, std::size_t size, std::string_view where);
bool bool_member(const Json& object, const char* key, bool fallback, std::string_view where);
std::string string_member(const Json& object, const char* key, const std::string& fallback, std::string_view where);
// The array member, or an empty array when absent.
const Json& array_member(const Json& object, const char* key, std::string_view where);
// An element that must be an integer index below `size`.
int index_of(const Json& element, std::size_t size, std::string_view where);
// The `index`-th object of a top-level array ("nodes"); throws when it is not an object.
const Json& element(const Json& root, const char* array, int index);
std::size_t count_of(const Json& root, const char* array);
// `count` finite numbers, or false when the member is absent.
bool numbers_member(const Json& object, const char* key, std::span<double> values, std::string_view where);

// The bytes of a bufferView, checked against its buffer.
std::span<const std::byte> view_bytes(const Document& document, int view);

// --- Accessors (section 3.6.2)

enum class Component : int { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

std::size_t component_size(Component component);

// A validated accessor: reading `count` elements at `stride` from `data` stays inside the buffer.
struct AccessorView {
  const std::byte* data = nullptr;  // null: all zeros
  std::size_t count = 0;
  std::size_t stride = 0;
  std::size_t element_bytes = 0;
  Component component = Component::f32;
  int components = 1;  // 1 SCALAR, 2…4 VEC, 4 MAT2, 9 MAT3, 16 MAT4
  bool normalised = false;
  bool matrix = false;
  // Sparse substitution (3.6.2.3): element indices[i] is values[i].
  std::size_t sparse_count = 0;
  const std::byte* sparse_indices = nullptr;
  Component sparse_index_type = Component::u32;
  const std::byte* sparse_values = nullptr;
};

AccessorView accessor_view(const Document& document, int accessor);

// Members of an accessor's object.
int component_count(const Json& accessor, std::string_view where);
Component component_type(const Json& accessor, std::string_view where);

// All elements as floats, `components` per element (normalised integers become fractions). `components` must be what
// the accessor has. Writes view.count * components values.
void read_floats(const AccessorView& view, int components, float* out);
std::vector<float> read_floats(const AccessorView& view, int components);
// All elements of an unsigned integer accessor of `components` per element.
std::vector<std::uint32_t> read_unsigned(const AccessorView& view, int components);

}  // namespace sinew::gltf
