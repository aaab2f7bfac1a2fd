#include "sinew/asset/gltf/gltf_document.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "sinew/asset/beside_files.h"
#include "sinew/asset/gltf/gltf_unpack.h"
#include "sinew/base/file_bytes.h"

namespace sinew::gltf {
namespace {

constexpr std::uint32_t glb_magic = 0x46546C67;   // "glTF"
constexpr std::uint32_t json_chunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t bin_chunk = 0x004E4942;   // "BIN\0"
constexpr int max_json_depth = 256;

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

struct Container {
  std::string_view json;
  std::span<const std::byte> chunk;
  bool has_chunk = false;
};

// GLB: a 12-byte header, then chunks of length, type and data (section 4.4).
Container split_glb(std::span<const std::byte> file) {
  if (file.size() < 20) {
    throw Error(ErrorCode::file_damaged, "the file ends inside the GLB header",
                "it is truncated: copy or export it again");
  }
  const std::uint32_t version = word_at(file, 4);
  if (version != 2) {
    throw Error(ErrorCode::format_unsupported, "this is GLB version " + std::to_string(version),
                "only glTF 2.0 is understood; convert it first");
  }
  const std::uint32_t length = word_at(file, 8);
  if (length > file.size()) {
    throw Error(
        ErrorCode::file_damaged,
        "the header promises " + std::to_string(length) + " bytes but the file has " + std::to_string(file.size()),
        "it is truncated: copy or export it again");
  }
  const std::span<const std::byte> content = file.first(length);
  Container result;
  std::size_t at = 12;
  for (int chunk = 0; at + 8 <= content.size(); ++chunk) {
    const std::uint32_t size = word_at(content, at);
    const std::uint32_t type = word_at(content, at + 4);
    if (size > content.size() - at - 8) {
      throw Error(ErrorCode::file_damaged, "a GLB chunk reaches beyond the end of the file");
    }
    const std::span<const std::byte> data = content.subspan(at + 8, size);
    if (chunk == 0) {
      if (type != json_chunk) throw Error(ErrorCode::file_damaged, "the first GLB chunk is not JSON");
      result.json = as_text(data);
    } else if (type == bin_chunk && !result.has_chunk) {
      result.chunk = data;
      result.has_chunk = true;
    }
    at += 8 + size;
  }
  if (result.json.data() == nullptr) throw Error(ErrorCode::file_damaged, "the GLB file has no JSON chunk");
  return result;
}

// The JSON library copies and prints recursively, so depth is limited before it sees the text.
void check_json_depth(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > max_json_depth) throw Error(ErrorCode::too_large, "the JSON is nested too deeply");
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
}

Json parse_json(std::string_view text) {
  check_json_depth(text);
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::file_damaged, std::string("the JSON cannot be parsed: ") + error.what());
  }
  if (!json.is_object()) throw Error(ErrorCode::file_damaged, "the JSON is not an object");
  return json;
}

Bytes decode_base64(std::string_view text) {
  Bytes result;
  result.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    int value = 0;
    if (c >= 'A' && c <= 'Z') {
      value = c - 'A';
    } else if (c >= 'a' && c <= 'z') {
      value = c - 'a' + 26;
    } else if (c >= '0' && c <= '9') {
      value = c - '0' + 52;
    } else if (c == '+' || c == '-') {
      value = 62;
    } else if (c == '/' || c == '_') {
      value = 63;
    } else if (c == '=') {
      break;
    } else {
      throw Error(ErrorCode::file_damaged, "a data URI holds a character that is not base64");
    }
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if (++count == 4) {
      for (int shift = 16; shift >= 0; shift -= 8) result.push_back(static_cast<std::byte>(bits >> shift & 0xFF));
      bits = 0;
      count = 0;
    }
  }
  if (count == 1) throw Error(ErrorCode::file_damaged, "a data URI ends inside a base64 group");
  if (count >= 2) result.push_back(static_cast<std::byte>(bits >> (count == 2 ? 4 : 10) & 0xFF));
  if (count == 3) result.push_back(static_cast<std::byte>(bits >> 2 & 0xFF));
  return result;
}

void check_version(const Json& json) {
  const auto asset = json.find("asset");
  if (asset == json.end() || !asset->is_object()) {
    throw Error(ErrorCode::file_damaged, "'asset' is missing: this is not a glTF file");
  }
  const std::string version = string_member(*asset, "version", "", "asset");
  if (!version.starts_with("2.")) {
    throw Error(ErrorCode::format_unsupported, "this is glTF version '" + version + "'",
                "only glTF 2.0 is understood; convert it first");
  }
}

// A file that requires an extension must not be read without it (3.12).
void check_extensions(const Json& json) {
  static constexpr std::array understood{
      "KHR_mesh_quantization",
      "KHR_draco_mesh_compression",
      "EXT_meshopt_compression",
      "KHR_texture_transform",
      "KHR_texture_basisu",
      "KHR_lights_punctual",
      "EXT_texture_webp",
      "EXT_texture_avif",
      "MSFT_texture_dds",
      "MSFT_lod",
      "VRM",
      "VRMC_vrm",
      "VRMC_vrm_animation",
      "VRMC_materials_mtoon",
      "VRMC_springBone",
      "VRMC_node_constraint",
      "KHR_xmp_json_ld",
      "KHR_node_visibility",
      "KHR_animation_pointer",
      "EXT_lights_image_based",
      "KHR_audio_emitter",
      "OMI_physics_body",
      "OMI_collider",
  };
  for (const Json& entry : array_member(json, "extensionsRequired", "the file")) {
    if (!entry.is_string()) {
      throw Error(ErrorCode::file_damaged, "'extensionsRequired' holds something that is not a name");
    }
    const std::string name = entry.get<std::string>();
    const bool known =
        name.starts_with("KHR_materials_") || std::find(understood.begin(), understood.end(), name) != understood.end();
    if (known) continue;
    const bool compressed = name.find("compression") != std::string::npos;
    throw Error(ErrorCode::format_unsupported,
                "the file requires the glTF extension " + name + ", which is not understood",
                compressed ? "export it again without mesh compression" : "export it again without that extension");
  }
}

Buffer read_buffer(const Document& document, std::size_t index, const Container& container) {
  const std::string where = "buffer " + std::to_string(index);
  const Json& object = element(document.json, "buffers", static_cast<int>(index));
  const std::uint64_t length = required_unsigned(object, "byteLength", where);
  Buffer buffer;
  if (is_fallback(object)) return buffer;
  if (!object.contains("uri")) {
    if (!container.has_chunk || index != 0) throw Error(ErrorCode::file_damaged, where + " has no data");
    buffer.kind = BufferKind::glb_chunk;
    buffer.bytes = container.chunk;
  } else {
    const std::string uri = string_member(object, "uri", "", where);
    buffer.kind = uri.starts_with("data:") ? BufferKind::data_uri : BufferKind::file;
    buffer.storage = read_uri(document, uri, where);
    buffer.bytes = buffer.storage;
  }
  if (buffer.bytes.size() < length) {
    throw Error(ErrorCode::file_damaged,
                where + " has " + std::to_string(buffer.bytes.size()) + " bytes but promises " + std::to_string(length),
                "it may be truncated: copy or export it again");
  }
  buffer.bytes = buffer.bytes.first(length);
  return buffer;
}

Bytes read_beside(const Document& document, const std::string& name, std::string_view where) {
  if (!document.options.resolve) {
    throw Error(ErrorCode::file_not_found,
                std::string(where) + " is in '" + name + "', and no other file can be read from here",
                "a .glb holds everything in one file");
  }
  std::optional<Bytes> bytes = document.options.resolve(name);
  if (!bytes) {
    throw Error(ErrorCode::file_not_found, std::string(where) + " is in '" + name + "', which is not there");
  }
  if (bytes->size() > document.options.max_file_bytes) {
    throw Error(ErrorCode::too_large, "'" + name + "' has " + std::to_string(bytes->size()) + " bytes; the limit is " +
                                          std::to_string(document.options.max_file_bytes));
  }
  return std::move(*bytes);
}

}  // namespace

Bytes read_uri(const Document& document, const std::string& uri, std::string_view where) {
  if (!uri.starts_with("data:")) return read_beside(document, name_of_uri(uri), where);
  const std::size_t comma = uri.find(',');
  if (comma == std::string::npos || uri.substr(0, comma).find(";base64") == std::string::npos) {
    throw Error(ErrorCode::file_damaged, std::string(where) + " has a data URI that is not base64");
  }
  return decode_base64(std::string_view(uri).substr(comma + 1));
}

std::shared_ptr<Document> read_document(Bytes bytes, const LoadOptions& options) {
  auto document = std::make_shared<Document>();
  document->options = options;
  document->file = std::move(bytes);
  const std::span<const std::byte> file(document->file);
  Container container;
  document->binary = file.size() >= 4 && word_at(file, 0) == glb_magic;
  if (document->binary) {
    container = split_glb(file);
  } else {
    container.json = as_text(file);
    if (container.json.starts_with("\xEF\xBB\xBF")) container.json.remove_prefix(3);
  }
  document->json_text = container.json;
  document->json = parse_json(container.json);
  check_version(document->json);
  check_extensions(document->json);
  const std::size_t count = count_of(document->json, "buffers");
  document->buffers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) document->buffers.push_back(read_buffer(*document, i, container));
  unpack(*document);
  return document;
}

}  // namespace sinew::gltf
