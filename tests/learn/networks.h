// A network file with random numbers in all the right places.
#pragma once

#include <string>

#include "sinew/base/random.h"
#include "sinew/learn/fit_network.h"
#include "sinew/learn/image_network.h"

namespace sinew::test {

inline NetworkFile random_networks(int features, std::uint64_t seed = 3) {
  using namespace fit_network_size;
  NetworkFile file;
  Random random(seed);
  const auto add = [&](const std::string& name, std::vector<std::uint32_t> shape, double size, double mean = 0) {
    NetworkArray& array = file.arrays[name];
    std::size_t count = 1;
    for (const std::uint32_t n : shape) count *= n;
    array.shape = std::move(shape);
    for (std::size_t i = 0; i < count; ++i) array.values.push_back(static_cast<float>(mean + size * random.normal()));
  };
  const auto linear = [&](const std::string& name, int in, int out) {
    const auto i = static_cast<std::uint32_t>(in), o = static_cast<std::uint32_t>(out);
    add(name + ".w", {i, o}, 1 / std::sqrt(in));
    add(name + ".b", {o}, 0.1);
  };
  const auto attention = [&](const std::string& name) {
    for (const char* part : {".query", ".key", ".value", ".out"}) linear(name + part, code, code);
    linear(name + ".wide", code, wide);
    linear(name + ".narrow", wide, code);
    for (const char* part : {".norm1", ".norm2"}) {
      add(name + part + ".w", {code}, 0.1, 1);
      add(name + part + ".b", {code}, 0.1);
    }
  };
  linear("fit.mesh0", 6 + features, hidden);
  linear("fit.mesh1", hidden, hidden);
  linear("fit.mesh2", hidden, local);
  linear("fit.mesh3", 2 * local, hidden);
  linear("fit.mesh4", hidden, code);
  linear("fit.joint", joint_inputs, code);
  for (int i = 0; i < skeleton_layers; ++i) {
    attention("fit.skeleton" + std::to_string(i));
    add("fit.skeleton" + std::to_string(i) + ".hops", {heads, hop_kinds}, 0.5);
  }
  for (int i = 0; i < decoder_layers; ++i) {
    const std::string name = "fit.decoder" + std::to_string(i);
    attention(name);
    linear(name + ".seen", 3 * looks, code);
    linear(name + ".place", 3, code);
    linear(name + ".mix", code, looks);
    linear(name + ".offset", code, 3);
  }
  add("fit.nearness", {looks}, 0.5);
  for (const ImageNetwork::Shape& shape : ImageNetwork::shapes()) {
    const auto in = static_cast<std::uint32_t>(shape.inputs), out = static_cast<std::uint32_t>(shape.outputs);
    add(std::string(shape.name) + ".w", {out, in, 3, 3}, 1 / std::sqrt(9.0 * shape.inputs));
    add(std::string(shape.name) + ".b", {out}, 0.1);
  }
  return file;
}

}  // namespace sinew::test
