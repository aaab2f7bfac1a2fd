#include "sinew/asset/character_bytes.h"

#include <cstring>
#include <type_traits>

namespace sinew {
namespace {

// One list of fields for both directions: archive(x) writes x, or reads it.
class Writer {
 public:
  template <typename T>
  void raw(const T* values, std::size_t count) {
    if (count > 0) bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
  }
  std::uint64_t length(std::uint64_t count) {
    raw(&count, 1);
    return count;
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : bytes(text) {}
  template <typename T>
  void raw(T* values, std::size_t count) {
    if (count > bytes.size() / sizeof(T)) {
      throw Error(ErrorCode::internal, "a result between two processes was cut off");
    }
    if (count > 0) std::memcpy(static_cast<void*>(values), bytes.data(), count * sizeof(T));
    bytes.remove_prefix(count * sizeof(T));
  }
  std::uint64_t length(std::uint64_t) {
    std::uint64_t count = 0;
    raw(&count, 1);
    if (count > bytes.size()) throw Error(ErrorCode::internal, "a result between two processes was cut off");
    return count;
  }
  std::string_view bytes;
};

template <typename Archive, typename T>
void archive_value(Archive& archive, T& value) {
  archive.raw(&value, 1);
}

template <typename Archive, typename T>
void archive_array(Archive& archive, T& values) {
  const std::uint64_t count = archive.length(values.size());
  if constexpr (std::is_same_v<Archive, Reader>) values.resize(count);
  archive.raw(values.data(), values.size());
}

template <typename Archive, typename List, typename Function>
void archive_list(Archive& archive, List& items, Function&& archive_item) {
  const std::uint64_t count = archive.length(items.size());
  if constexpr (std::is_same_v<Archive, Reader>) items.resize(count);
  for (auto& item : items) archive_item(item);
}

template <typename Archive, typename C>
void archive_character(Archive& archive, C& c) {
  const auto text = [&](auto& value) { archive_array(archive, value); };
  text(c.name);
  archive_array(archive, c.mesh.positions);
  archive_array(archive, c.mesh.normals);
  archive_array(archive, c.mesh.tangents);
  archive_array(archive, c.mesh.uvs);
  archive_array(archive, c.mesh.colors);
  archive_array(archive, c.mesh.triangles);
  archive_list(archive, c.parts, [&](auto& part) {
    text(part.name);
    text(part.material);
    archive_value(archive, part.first_vertex);
    archive_value(archive, part.vertex_count);
    archive_value(archive, part.first_triangle);
    archive_value(archive, part.triangle_count);
    archive_value(archive, part.binding);
  });
  archive_list(archive, c.skeleton.names, text);
  archive_array(archive, c.skeleton.parents);
  archive_array(archive, c.skeleton.rest);
  archive_array(archive, c.skeleton.kinds);
  archive_value(archive, c.weights.influences);
  archive_array(archive, c.weights.joints);
  archive_array(archive, c.weights.weights);
  archive_list(archive, c.motions, [&](auto& motion) {
    text(motion.name);
    archive_value(archive, motion.frames_per_second);
    archive_value(archive, motion.joint_count);
    archive_array(archive, motion.transforms);
  });
  archive_list(archive, c.warnings, [&](auto& warning) {
    text(warning.code);
    text(warning.message);
  });
}

}  // namespace

std::string character_to_bytes(const Character& character) {
  Writer writer;
  archive_character(writer, character);
  return std::move(writer.bytes);
}

Character character_from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  Character character;
  archive_character(reader, character);
  return character;
}

}  // namespace sinew
