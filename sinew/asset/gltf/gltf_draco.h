// Meshes of KHR_draco_mesh_compression, by the Draco library. Internal to gltf_unpack.cpp.
#pragma once

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew::gltf {

// What a glTF accessor wants of a Draco attribute.
struct DracoAttribute {
  std::uint64_t id = 0;  // Draco's unique id
  Component component = Component::f32;
  int components = 3;
};

struct DracoInput {
  std::string where;  // names the primitive in messages
  std::span<const std::byte> bytes;
  std::vector<DracoAttribute> attributes;
};

struct DracoMesh {
  std::uint64_t points = 0;
  std::vector<std::uint32_t> indices;  // three per triangle, each below points
  std::vector<Bytes> attributes;       // one per DracoInput::attributes: `points` rows of draco_stride()
};

// Bytes from one row to the next: a multiple of four, as vertex attributes must be.
std::size_t draco_stride(const DracoAttribute& attribute);

// Decodes every input. Counts that the data declares are checked against options.max_elements before anything is
// allocated for them, and `max_bytes` limits what all of them may become. Draco 1.5 checks its input, but not
// everywhere: LoadOptions::isolate gives it a process of its own. Throws Error(bad_input).
std::vector<DracoMesh> decode_draco(const std::vector<DracoInput>& inputs, const LoadOptions& options,
                                    std::uint64_t max_bytes);

}  // namespace sinew::gltf
