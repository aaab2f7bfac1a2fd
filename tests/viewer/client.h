// A server and what the page would do with it: requests, jobs, packets.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <span>

#include "apps/viewer/server.h"
#include "sinew/skin_weights.h"
#include "tests/viewer/http.h"
#include "tests/viewer/limb.h"

namespace sinew::test {

struct ReadPacket {
  nlohmann::json header;
  std::string data;

  bool has(const std::string& name) const { return header.at("arrays").contains(name); }
  template <typename T>
  std::vector<T> array(const std::string& name) const {
    const nlohmann::json& place = header.at("arrays").at(name);
    std::vector<T> values(place.at("bytes").get<std::size_t>() / sizeof(T));
    EXPECT_EQ(place.at("offset").get<std::size_t>() % 8, 0u);
    std::memcpy(values.data(), data.data() + place.at("offset").get<std::size_t>(), values.size() * sizeof(T));
    return values;
  }
};

inline ReadPacket unpack(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "SINW");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 4, 4);
  EXPECT_EQ(length % 8, 0u);
  return {nlohmann::json::parse(bytes.substr(8, length)), bytes.substr(8 + length)};
}

// A packet as the page sends it.
class WrittenPacket {
 public:
  explicit WrittenPacket(nlohmann::json header) : header_(std::move(header)) {
    header_["arrays"] = nlohmann::json::object();
  }
  void add(const std::string& name, const std::vector<float>& values) {
    add(name, "f32", std::as_bytes(std::span(values)));
  }
  void add(const std::string& name, const std::vector<std::uint32_t>& values) {
    add(name, "u32", std::as_bytes(std::span(values)));
  }
  std::string bytes() const { return framed(header_.dump(), data_); }

  static std::string framed(const std::string& header, const std::string& data) {
    const auto length = static_cast<std::uint32_t>(header.size());
    std::string bytes = "SINW";
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    return bytes + header + data;
  }

 private:
  void add(const std::string& name, const char* type, std::span<const std::byte> values) {
    header_["arrays"][name] = {{"type", type}, {"offset", data_.size()}, {"bytes", values.size()}};
    data_.append(reinterpret_cast<const char*>(values.data()), values.size());
  }

  nlohmann::json header_;
  std::string data_;
};

class Client {
 public:
  explicit Client(const viewer::Server& server) : server_(server) {}

  HttpAnswer get(const std::string& name) const {
    return test::get(server_.port(), "/" + server_.token() + "/api/" + name);
  }
  HttpAnswer post(const std::string& name, const std::string& body = {}) const {
    return test::post(server_.port(), "/" + server_.token() + "/api/" + name, body);
  }
  nlohmann::json state() const { return get("state").json(); }
  nlohmann::json entry() const {
    const nlohmann::json now = state();
    return now["history"][now["position"].get<std::size_t>()];
  }
  int current() const { return entry()["id"]; }
  ReadPacket packet(const std::string& name) const { return unpack(get(name).body); }
  ReadPacket character() const { return packet("character"); }
  SkinWeights weights(int id) const {
    const ReadPacket found = packet("weights/" + std::to_string(id));
    return {found.header["influences"], found.array<std::uint16_t>("joints"), found.array<float>("weights")};
  }

  // Waits for the job that the answer names.
  nlohmann::json finish(const HttpAnswer& started) const {
    EXPECT_EQ(started.status, 202) << started.body;
    nlohmann::json job = get("job").json();
    while (job["state"] == "running") job = get("job?after=" + std::to_string(job["version"].get<int>())).json();
    EXPECT_EQ(job["id"], started.json()["job"]);
    return job;
  }
  nlohmann::json bind(const nlohmann::json& request) const { return finish(post("bind", request.dump())); }
  nlohmann::json drop(const std::string& name, const std::string& bytes) const {
    return finish(post("open?name=" + name, bytes));
  }

 private:
  const viewer::Server& server_;
};

inline void expect_same(const SkinWeights& a, const SkinWeights& b) {
  EXPECT_EQ(a.influences, b.influences);
  EXPECT_EQ(a.joints, b.joints);
  EXPECT_EQ(a.weights, b.weights);
}

}  // namespace sinew::test
