// What tests of the C interface share: results and characters that destroy themselves, and a small bar with a skeleton.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sinew/io.h"
#include "sinew/sinew_c.h"
#include "tests/support/shapes.h"

namespace sinew::test {

struct DestroyHandle {
  void operator()(sinew_result* result) const { sinew_result_destroy(result); }
  void operator()(sinew_character* character) const { sinew_character_destroy(character); }
  void operator()(sinew_painter* painter) const { sinew_painter_destroy(painter); }
  void operator()(sinew_check_report* report) const { sinew_check_report_destroy(report); }
  void operator()(sinew_fix_report* report) const { sinew_fix_report_destroy(report); }
};
using ResultHandle = std::unique_ptr<sinew_result, DestroyHandle>;
using CharacterHandle = std::unique_ptr<sinew_character, DestroyHandle>;
using PainterHandle = std::unique_ptr<sinew_painter, DestroyHandle>;
using CheckHandle = std::unique_ptr<sinew_check_report, DestroyHandle>;
using FixHandle = std::unique_ptr<sinew_fix_report, DestroyHandle>;

inline ResultHandle new_result() { return ResultHandle(sinew_result_create()); }

inline std::string message_of(const ResultHandle& result) { return sinew_result_message(result.get()); }

// Gives mesh and skeleton of a C++ character through the C interface.
inline CharacterHandle through_arrays(const Character& from) {
  const ResultHandle result = new_result();
  sinew_character* handle = nullptr;
  EXPECT_EQ(sinew_character_create(from.name.c_str(), &handle, result.get()), SINEW_OK);
  sinew_mesh_arrays mesh{};
  mesh.struct_size = sizeof mesh;
  mesh.vertex_count = from.mesh.vertex_count();
  mesh.positions = from.mesh.positions.front().data();
  if (!from.mesh.normals.empty()) mesh.normals = from.mesh.normals.front().data();
  mesh.triangle_count = from.mesh.triangles.size();
  mesh.triangles = from.mesh.triangles.front().data();
  EXPECT_EQ(sinew_set_mesh(handle, &mesh, result.get()), SINEW_OK) << message_of(result);
  sinew_skeleton_arrays skeleton{};
  skeleton.struct_size = sizeof skeleton;
  std::vector<const char*> names;
  for (const std::string& name : from.skeleton.names) names.push_back(name.c_str());
  skeleton.joint_count = names.size();
  skeleton.names = names.data();
  skeleton.parents = from.skeleton.parents.data();
  skeleton.rest = from.skeleton.rest.empty() ? nullptr : from.skeleton.rest.front().data();
  skeleton.kinds = reinterpret_cast<const std::uint8_t*>(from.skeleton.kinds.data());
  EXPECT_EQ(sinew_set_skeleton(handle, &skeleton, result.get()), SINEW_OK) << message_of(result);
  return CharacterHandle(handle);
}

inline CharacterHandle c_bar() { return through_arrays(bar(4, 0.25, 21, 8, 2)); }

inline sinew_mesh_arrays mesh_of(const CharacterHandle& character) {
  sinew_mesh_arrays mesh{};
  mesh.struct_size = sizeof mesh;
  EXPECT_EQ(sinew_get_mesh(character.get(), &mesh, nullptr), SINEW_OK);
  return mesh;
}

inline sinew_weight_arrays weights_of(const CharacterHandle& character) {
  sinew_weight_arrays weights{};
  weights.struct_size = sizeof weights;
  EXPECT_EQ(sinew_get_weights(character.get(), &weights, nullptr), SINEW_OK);
  return weights;
}

inline std::vector<float> weights_copied(const CharacterHandle& character) {
  const sinew_weight_arrays weights = weights_of(character);
  const std::size_t count = weights.vertex_count * static_cast<std::size_t>(weights.influences);
  return {weights.weights, weights.weights + count};
}

// A character as both languages read it from the same bytes.
struct Twice {
  std::vector<std::byte> bytes;
  Character character;

  Twice() : Twice(person(1500)) {}
  explicit Twice(const Character& from) {
    bytes = write_character(from, FileFormat::glb).bytes;
    character = read_character(std::span<const std::byte>(bytes));
  }
  CharacterHandle handle() const {
    sinew_character* read = nullptr;
    EXPECT_EQ(sinew_read(bytes.data(), bytes.size(), nullptr, &read, nullptr), SINEW_OK);
    return CharacterHandle(read);
  }
};

// The weights of a handle are those of `expected`, to the bit.
inline void expect_weights(const CharacterHandle& handle, const SkinWeights& expected) {
  sinew_weight_arrays arrays{};
  arrays.struct_size = sizeof(arrays);
  ASSERT_EQ(sinew_get_weights(handle.get(), &arrays, nullptr), SINEW_OK);
  ASSERT_EQ(arrays.vertex_count, expected.vertex_count());
  ASSERT_EQ(arrays.influences, expected.influences);
  EXPECT_TRUE(std::equal(expected.weights.begin(), expected.weights.end(), arrays.weights));
  EXPECT_TRUE(std::equal(expected.joints.begin(), expected.joints.end(), arrays.joints));
}

inline nlohmann::json report_of(const ResultHandle& result) {
  return nlohmann::json::parse(sinew_result_json(result.get()));
}

inline std::string file_of(const ResultHandle& result, std::size_t index, std::string* name = nullptr) {
  const char* text = nullptr;
  const void* bytes = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(sinew_result_file(result.get(), index, &text, &bytes, &size), SINEW_OK);
  if (name) *name = text;
  return {static_cast<const char*>(bytes), size};
}

}  // namespace sinew::test
