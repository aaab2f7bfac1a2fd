// Plain structs as bytes, from one process of this program to another (base/sandboxed_process.h): not a file format.
//
// One list of fields serves both directions: a function template calls archive_… on every field, and what it does
// depends on which of the two archives it is given.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "sinew/error.h"

namespace sinew {

class ArchiveWriter {
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

class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view text) : bytes(text) {}
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

// Strings and vectors of plain values.
template <typename Archive, typename T>
void archive_array(Archive& archive, T& values) {
  const std::uint64_t count = archive.length(values.size());
  if constexpr (std::is_same_v<Archive, ArchiveReader>) values.resize(count);
  archive.raw(values.data(), values.size());
}

template <typename Archive, typename List, typename Function>
void archive_list(Archive& archive, List& items, Function&& archive_item) {
  const std::uint64_t count = archive.length(items.size());
  if constexpr (std::is_same_v<Archive, ArchiveReader>) items.resize(count);
  for (auto& item : items) archive_item(item);
}

}  // namespace sinew
