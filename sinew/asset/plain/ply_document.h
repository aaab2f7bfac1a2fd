// A PLY file as it is: elements, properties, comments, all values in their own types. Nothing is lost by reading one
// and writing it again; ply.h turns it into a Character and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/io.h"

namespace sinew {

enum class PlyType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
enum class PlyEncoding : std::uint8_t { ascii, little_endian, big_endian };

std::size_t size_of(PlyType type);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;
  bool is_list = false;
  PlyType count_type = PlyType::uint8;   // of a list's length
  std::vector<std::byte> values;         // in this machine's byte order, one after the other
  std::vector<std::uint64_t> list_ends;  // lists: number of values up to and with each row

  std::size_t value_count() const { return values.size() / size_of(type); }
  double number(std::size_t index) const;
  void set_number(std::size_t index, double value);  // rounded and clamped to the type's range
  // The values of one row of a list property.
  std::size_t list_begin(std::size_t row) const { return row == 0 ? 0 : list_ends[row - 1]; }
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;

  const PlyProperty* find(std::string_view property) const;
  PlyProperty* find(std::string_view property);
};

struct PlyDocument : SourceDocument {
  PlyEncoding encoding = PlyEncoding::little_endian;
  std::vector<std::string> comments;  // whole header lines, "comment …" and "obj_info …"
  std::vector<PlyElement> elements;

  const PlyElement* find(std::string_view element) const;
};

PlyDocument read_ply_document(std::span<const std::byte> bytes, const LoadOptions& options = {});
std::string write_ply_document(const PlyDocument& document);

// A new scalar property for every row of an element, all zero.
PlyProperty& add_property(PlyElement& element, const std::string& name, PlyType type);

}  // namespace sinew
