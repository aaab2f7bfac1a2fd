// Binary answers of the server: one JSON header and typed arrays that a browser can use where they lie.
//
// docs/formats/viewer-protocol.md describes the layout. All numbers are little-endian.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/character.h"

namespace sinew::viewer {

class Packet {
 public:
  explicit Packet(nlohmann::json header) : header_(std::move(header)) {}

  void add(const std::string& name, std::span<const float> values) { add(name, "f32", std::as_bytes(values)); }
  void add(const std::string& name, std::span<const std::uint32_t> values) { add(name, "u32", std::as_bytes(values)); }
  void add(const std::string& name, std::span<const std::uint16_t> values) { add(name, "u16", std::as_bytes(values)); }

  std::string bytes() const;

 private:
  void add(const std::string& name, const char* type, std::span<const std::byte> values);

  nlohmann::json header_;
  nlohmann::json arrays_ = nlohmann::json::object();
  std::string data_;
};

// A packet that came in a request. Every count is checked against the bytes that are there.
class ReceivedPacket {
 public:
  // Throws Error(usage) for bytes that are no packet.
  explicit ReceivedPacket(std::string_view bytes);

  const nlohmann::json& header() const { return header_; }
  bool has(const std::string& name) const { return header_["arrays"].contains(name); }

  // T is float, std::uint32_t or std::uint16_t. Throws Error(usage) when there is no such array of that type.
  template <typename T>
  std::vector<T> array(const std::string& name) const {
    const std::string_view found = bytes_of(name, type_name(T{}));
    std::vector<T> values(found.size() / sizeof(T));
    std::memcpy(values.data(), found.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  static const char* type_name(float) { return "f32"; }
  static const char* type_name(std::uint32_t) { return "u32"; }
  static const char* type_name(std::uint16_t) { return "u16"; }
  std::string_view bytes_of(const std::string& name, const std::string& type) const;

  nlohmann::json header_;
  std::string_view data_;
};

// Vectors as the numbers they are made of.
template <typename Vector>
std::span<const float> flat(const std::vector<Vector>& values) {
  static_assert(sizeof(Vector) == Vector::SizeAtCompileTime * sizeof(float));
  return {reinterpret_cast<const float*>(values.data()), values.size() * Vector::SizeAtCompileTime};
}

// Translation, rotation (x y z w), scale: ten numbers.
void append_transform(std::vector<float>& values, const Transform& transform);

// Mesh, parts, skeleton and motions: all of a character but its weights. `header` is what else the page should know.
Packet character_packet(const Character& character, nlohmann::json header);

// Mesh, parts and weights of a level of detail.
std::string level_packet(const Character& level, nlohmann::json header);

// `pins`: vertices whose weights were painted.
std::string weights_packet(const SkinWeights& weights, const std::vector<std::uint32_t>& pins, nlohmann::json header);

}  // namespace sinew::viewer
