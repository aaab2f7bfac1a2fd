#include <algorithm>
#include <array>
#include <cstring>

#include "sinew/asset/gltf/gltf_build.h"
#include "sinew/base/file_bytes.h"

namespace sinew::gltf {
namespace fs = std::filesystem;
namespace {

std::size_t total_size(const std::vector<std::span<const std::byte>>& pieces) {
  std::size_t size = 0;
  for (const std::span<const std::byte> piece : pieces) size += piece.size();
  return size;
}

std::string encode_base64(const std::vector<std::span<const std::byte>>& pieces) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(total_size(pieces) / 3 * 4 + 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const std::span<const std::byte> piece : pieces) {
    for (const std::byte byte : piece) {
      bits = bits << 8 | std::to_integer<std::uint32_t>(byte);
      if (++count < 3) continue;
      for (int shift = 18; shift >= 0; shift -= 6) text += digits[bits >> shift & 63];
      bits = 0;
      count = 0;
    }
  }
  if (count == 1) {
    text += digits[bits >> 2 & 63];
    text += digits[bits << 4 & 63];
    text += "==";
  } else if (count == 2) {
    text += digits[bits >> 10 & 63];
    text += digits[bits >> 4 & 63];
    text += digits[bits << 2 & 63];
    text += '=';
  }
  return text;
}

}  // namespace

void write_glb(std::string_view json_text, const std::vector<std::span<const std::byte>>& pieces,
               const fs::path& path) {
  const std::string spaces((4 - json_text.size() % 4) % 4, ' ');
  const std::size_t json_size = json_text.size() + spaces.size();
  const std::size_t chunk_size = total_size(pieces);
  const std::array<std::byte, 4> zeros{};
  const std::size_t padding = (4 - chunk_size % 4) % 4;
  const std::uint64_t length = 20 + std::uint64_t{json_size} + (chunk_size > 0 ? 8 + chunk_size + padding : 0);
  if (length > 0xFFFFFFFFull) {
    throw Error(ErrorCode::output_too_large, "a GLB file cannot be larger than 4 GiB", "write .gltf instead");
  }
  const std::array<std::uint32_t, 5> header{0x46546C67, 2, static_cast<std::uint32_t>(length),
                                            static_cast<std::uint32_t>(json_size), 0x4E4F534A};
  const std::array<std::uint32_t, 2> chunk_header{static_cast<std::uint32_t>(chunk_size + padding), 0x004E4942};
  std::vector<std::span<const std::byte>> all{std::as_bytes(std::span(header)), std::as_bytes(std::span(json_text)),
                                              std::as_bytes(std::span(spaces))};
  if (chunk_size > 0) {
    all.push_back(std::as_bytes(std::span(chunk_header)));
    all.insert(all.end(), pieces.begin(), pieces.end());
    all.push_back(std::span(zeros).first(padding));
  }
  write_file_bytes(path, all);
}

void write_document(Json& json, const std::vector<OutputBuffer>& buffers, const fs::path& path) {
  std::vector<std::span<const std::byte>> chunk;
  const bool binary = path.extension() != ".gltf";
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    Json& object = json["buffers"][i];
    object["byteLength"] = total_size(buffers[i].pieces);
    if (binary && i == 0) {
      object.erase("uri");
      chunk = buffers[i].pieces;
    } else if (buffers[i].kind == BufferKind::data_uri || binary) {
      object["uri"] = "data:application/octet-stream;base64," + encode_base64(buffers[i].pieces);
    } else if (!buffers[i].uri.empty()) {
      object["uri"] = buffers[i].uri;  // the file is there already
    } else {
      const std::string name = path.stem().string() + (i > 0 ? "_" + std::to_string(i) : "") + ".bin";
      object["uri"] = name;
      write_file_bytes(path.parent_path() / name, buffers[i].pieces);
    }
  }
  if (binary) {
    write_glb(json.dump(), chunk, path);
  } else {
    write_file_text(path, json.dump(2) + "\n");
  }
}

}  // namespace sinew::gltf
