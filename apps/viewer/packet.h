// Binary answers of the server: one JSON header and typed arrays that a browser can use where they lie.
//
// docs/formats/viewer-protocol.md describes the layout. All numbers are little-endian.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/character.h"

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

// Mesh, parts, skeleton and motions: all of a character but its weights. `header` is what else the page should know.
std::string character_packet(const Character& character, nlohmann::json header);

std::string weights_packet(const SkinWeights& weights, nlohmann::json header);

}  // namespace sinew::viewer
