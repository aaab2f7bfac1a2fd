#include "sinew/asset/gltf/gltf_extras.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sinew/error.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::uint32_t glb_magic = 0x46546C67, json_chunk = 0x4E4F534A;
constexpr std::size_t glb_header = 20;  // of the file, and of its first chunk

struct Parts {
  bool binary = false;
  Json json;                        // discarded when the bytes are no glTF
  std::span<const std::byte> rest;  // chunks after the JSON
};

bool is_object(const Json& json, const char* key) { return json.contains(key) && json[key].is_object(); }

Parts split(std::span<const std::byte> bytes) {
  Parts parts;
  std::array<std::uint32_t, 5> header{};
  std::memcpy(header.data(), bytes.data(), std::min(bytes.size(), sizeof header));
  parts.binary = bytes.size() >= glb_header && header[0] == glb_magic;
  std::span<const std::byte> text = bytes;
  if (parts.binary) {
    if (header[4] != json_chunk || header[3] > bytes.size() - glb_header) {
      parts.json = Json(Json::value_t::discarded);
      return parts;
    }
    text = bytes.subspan(glb_header, header[3]);
    parts.rest = bytes.subspan(glb_header + header[3]);
  }
  const auto* first = reinterpret_cast<const char*>(text.data());
  parts.json = Json::parse(first, first + text.size(), nullptr, false);
  if (!parts.json.is_object() || !is_object(parts.json, "asset")) parts.json = Json(Json::value_t::discarded);
  return parts;
}

}  // namespace

std::string gltf_extra(std::span<const std::byte> bytes, const std::string& key) {
  if (bytes.empty()) return {};
  const Parts parts = split(bytes);
  if (parts.json.is_discarded() || !is_object(parts.json["asset"], "extras")) return {};
  const Json& extras = parts.json["asset"]["extras"];
  return extras.contains(key) && extras[key].is_string() ? extras[key].get<std::string>() : std::string();
}

std::vector<std::byte> with_gltf_extra(std::span<const std::byte> bytes, const std::string& key,
                                       const std::string& text) {
  Parts parts = bytes.empty() ? Parts{false, Json(Json::value_t::discarded), {}} : split(bytes);
  if (parts.json.is_discarded()) throw Error(ErrorCode::format_unknown, "this is not glTF, so it cannot hold extras");
  Json& asset = parts.json["asset"];
  if (!is_object(asset, "extras")) asset["extras"] = Json::object();
  asset["extras"][key] = text;
  std::string json = parts.json.dump(parts.binary ? -1 : 2);
  std::vector<std::byte> result;
  const auto append = [&](std::span<const std::byte> piece) {
    result.insert(result.end(), piece.begin(), piece.end());
  };
  if (parts.binary) {
    json.append((4 - json.size() % 4) % 4, ' ');
    const std::array<std::uint32_t, 5> header{glb_magic, 2,
                                              static_cast<std::uint32_t>(glb_header + json.size() + parts.rest.size()),
                                              static_cast<std::uint32_t>(json.size()), json_chunk};
    append(std::as_bytes(std::span(header)));
  }
  append(std::as_bytes(std::span(json)));
  append(parts.rest);
  return result;
}

}  // namespace sinew
