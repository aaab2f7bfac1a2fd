// Buffer views of EXT_meshopt_compression, by the meshoptimizer library. Internal to gltf_unpack.cpp.
#pragma once

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew::gltf {

// The extension's object on a buffer view, checked by itself.
struct MeshoptView {
  enum class Mode : std::uint8_t { attributes, triangles, indices };
  enum class Filter : std::uint8_t { none, octahedral, quaternion, exponential };
  std::string where;  // names the view in messages
  int buffer = 0;
  std::uint64_t offset = 0, length = 0;  // of the compressed bytes
  std::uint64_t stride = 0, count = 0;   // of the decoded data
  Mode mode = Mode::attributes;
  Filter filter = Filter::none;

  std::uint64_t decoded_bytes() const { return stride * count; }  // at most 256 · LoadOptions::max_elements
};

// Throws Error(bad_input) for what breaks the extension's rules, for more than options.max_elements elements, and for
// more than the compressed bytes can possibly become, so that the decoded data may be allocated.
MeshoptView meshopt_view(const Document& document, const Json& extension, int view);

// Writes view.decoded_bytes() to `out`, filter applied. Throws Error(bad_input) for damaged data.
void decode_meshopt(const MeshoptView& view, std::span<const std::byte> compressed, std::span<std::byte> out);

}  // namespace sinew::gltf
