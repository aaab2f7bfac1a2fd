#include "sinew/asset/gltf/gltf_meshopt.h"

#include <meshoptimizer.h>

#include <cmath>
#include <cstring>

namespace sinew::gltf {
namespace {

constexpr const char* again = "export it again, or without mesh compression";

Error damaged(const std::string& where, const std::string& what) {
  return Error(ErrorCode::file_damaged, where + ": " + what, again);
}

MeshoptView::Mode mode_of(const Json& extension, const std::string& where) {
  const std::string name = string_member(extension, "mode", "", where);
  if (name == "ATTRIBUTES") return MeshoptView::Mode::attributes;
  if (name == "TRIANGLES") return MeshoptView::Mode::triangles;
  if (name == "INDICES") return MeshoptView::Mode::indices;
  throw damaged(where, "the compression has the unknown mode '" + name + "'");
}

MeshoptView::Filter filter_of(const Json& extension, const std::string& where) {
  const std::string name = string_member(extension, "filter", "NONE", where);
  if (name == "NONE") return MeshoptView::Filter::none;
  if (name == "OCTAHEDRAL") return MeshoptView::Filter::octahedral;
  if (name == "QUATERNION") return MeshoptView::Filter::quaternion;
  if (name == "EXPONENTIAL") return MeshoptView::Filter::exponential;
  throw damaged(where, "the compression has the unknown filter '" + name + "'");
}

// The extension's rules of stride, count, mode and filter; the library takes them for granted.
bool follows_the_rules(const MeshoptView& view) {
  const bool filtered = view.filter != MeshoptView::Filter::none;
  const std::uint64_t stride = view.stride;
  if (view.mode != MeshoptView::Mode::attributes) {
    const bool whole = view.mode != MeshoptView::Mode::triangles || view.count % 3 == 0;
    return (stride == 2 || stride == 4) && whole && !filtered;
  }
  if (stride == 0 || stride % 4 != 0 || stride > 256) return false;
  if (view.filter == MeshoptView::Filter::octahedral) return stride == 4 || stride == 8;
  if (view.filter == MeshoptView::Filter::quaternion) return stride == 8;
  return true;
}

// How many bytes one compressed byte can become at most: 16 vertices of which a byte is constant take two bits; a
// triangle or an index takes a byte.
std::uint64_t most_bytes(const MeshoptView& view) {
  return (view.length + 1) * (view.mode == MeshoptView::Mode::attributes ? 64 : 12);
}

// The shared exponent must leave finite numbers: garbage is refused here, where the file is known.
void check_exponential(const MeshoptView& view, std::span<const std::byte> out) {
  for (std::size_t at = 0; at + sizeof(float) <= out.size(); at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, out.data() + at, sizeof(value));
    if (!std::isfinite(value)) throw damaged(view.where, "the compressed numbers are not finite");
  }
}

}  // namespace

MeshoptView meshopt_view(const Document& document, const Json& extension, int view) {
  MeshoptView result;
  result.where = "bufferView " + std::to_string(view);
  const std::string& where = result.where;
  if (!extension.is_object()) throw damaged(where, "'EXT_meshopt_compression' is not an object");
  result.buffer = index_member(extension, "buffer", document.buffers.size(), where);
  if (result.buffer < 0) throw damaged(where, "the compression names no buffer");
  result.offset = unsigned_member(extension, "byteOffset", 0, where);
  result.length = required_unsigned(extension, "byteLength", where);
  result.stride = required_unsigned(extension, "byteStride", where);
  result.count = required_unsigned(extension, "count", where);
  result.mode = mode_of(extension, where);
  result.filter = filter_of(extension, where);
  const std::uint64_t there = document.buffers[static_cast<std::size_t>(result.buffer)].bytes.size();
  if (result.offset > there || result.length > there - result.offset) {
    throw damaged(where, "the compressed bytes reach beyond the end of buffer " + std::to_string(result.buffer));
  }
  if (result.count > document.options.max_elements) {
    throw Error(ErrorCode::too_large, where + " has " + std::to_string(result.count) + " elements; the limit is " +
                                          std::to_string(document.options.max_elements));
  }
  if (!follows_the_rules(result)) {
    throw damaged(where, "stride, count, mode and filter of the compression do not fit together");
  }
  if (result.decoded_bytes() > most_bytes(result)) {
    throw damaged(where, "the compressed bytes are too few for " + std::to_string(result.count) + " elements");
  }
  return result;
}

void decode_meshopt(const MeshoptView& view, std::span<const std::byte> compressed, std::span<std::byte> out) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(compressed.data());
  int failed = 0;
  if (view.count == 0) return;
  switch (view.mode) {
    case MeshoptView::Mode::attributes:
      failed = meshopt_decodeVertexBuffer(out.data(), view.count, view.stride, bytes, compressed.size());
      break;
    case MeshoptView::Mode::triangles:
      failed = meshopt_decodeIndexBuffer(out.data(), view.count, view.stride, bytes, compressed.size());
      break;
    case MeshoptView::Mode::indices:
      failed = meshopt_decodeIndexSequence(out.data(), view.count, view.stride, bytes, compressed.size());
      break;
  }
  if (failed != 0) throw damaged(view.where, "the compressed bytes are damaged");
  switch (view.filter) {
    case MeshoptView::Filter::none:
      break;
    case MeshoptView::Filter::octahedral:
      meshopt_decodeFilterOct(out.data(), view.count, view.stride);
      break;
    case MeshoptView::Filter::quaternion:
      meshopt_decodeFilterQuat(out.data(), view.count, view.stride);
      break;
    case MeshoptView::Filter::exponential:
      meshopt_decodeFilterExp(out.data(), view.count, view.stride);
      check_exponential(view, out);
      break;
  }
}

}  // namespace sinew::gltf
