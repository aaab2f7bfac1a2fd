#include "sinew/asset/plain/ply_document.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "sinew/asset/plain/text_scanner.h"
#include "sinew/asset/plain/text_writer.h"
#include "sinew/base/plain_text.h"

namespace sinew {
namespace {

// Calls function(T{}) with the C++ type of a PLY type.
template <typename Function>
decltype(auto) with_type(PlyType type, Function&& function) {
  switch (type) {
    case PlyType::int8:
      return function(std::int8_t{});
    case PlyType::uint8:
      return function(std::uint8_t{});
    case PlyType::int16:
      return function(std::int16_t{});
    case PlyType::uint16:
      return function(std::uint16_t{});
    case PlyType::int32:
      return function(std::int32_t{});
    case PlyType::uint32:
      return function(std::uint32_t{});
    case PlyType::float32:
      return function(float{});
    case PlyType::float64:
      break;
  }
  return function(double{});
}

struct TypeName {
  std::string_view name;
  PlyType type;
};
constexpr TypeName type_names[] = {
    {"char", PlyType::int8},      {"uchar", PlyType::uint8},    {"short", PlyType::int16},
    {"ushort", PlyType::uint16},  {"int", PlyType::int32},      {"uint", PlyType::uint32},
    {"float", PlyType::float32},  {"double", PlyType::float64}, {"int8", PlyType::int8},
    {"uint8", PlyType::uint8},    {"int16", PlyType::int16},    {"uint16", PlyType::uint16},
    {"int32", PlyType::int32},    {"uint32", PlyType::uint32},  {"float32", PlyType::float32},
    {"float64", PlyType::float64}};

std::string_view name_of(PlyType type) {
  return std::find_if(std::begin(type_names), std::end(type_names), [&](const TypeName& n) { return n.type == type; })
      ->name;
}

template <typename T>
T to_type(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (std::isnan(value)) return 0;
    const double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return static_cast<T>(std::clamp(std::round(value), low, high));
  }
}

void append_number(std::vector<std::byte>& values, PlyType type, double value) {
  with_type(type, [&](auto zero) {
    const auto typed = to_type<decltype(zero)>(value);
    const auto* bytes = reinterpret_cast<const std::byte*>(&typed);
    values.insert(values.end(), bytes, bytes + sizeof typed);
  });
}

void copy_swapped(std::byte* to, const std::byte* from, std::size_t size, bool swap) {
  if (swap) {
    std::reverse_copy(from, from + size, to);
  } else {
    std::memcpy(to, from, size);
  }
}

bool needs_swap(PlyEncoding encoding) {
  return encoding ==
         (std::endian::native == std::endian::little ? PlyEncoding::big_endian : PlyEncoding::little_endian);
}

class PlyHeaderParser {
 public:
  PlyHeaderParser(std::string_view text, const LoadOptions& options) : scanner_(text), options_(options) {}

  // Returns the text after the header.
  std::string_view parse(PlyDocument& document) {
    if (scanner_.word() != "ply") throw scanner_.error("a PLY file begins with the line 'ply'");
    scanner_.next_line();
    bool has_format = false;
    while (!scanner_.at_end()) {
      TextScanner at_line = scanner_;
      const std::string_view keyword = scanner_.word();
      if (keyword == "end_header") {
        if (!has_format) throw scanner_.error("the header has no 'format' line");
        scanner_.next_line();
        return scanner_.rest();
      }
      if (keyword == "format") {
        document.encoding = encoding(scanner_.word());
        has_format = true;
      } else if (keyword == "comment" || keyword == "obj_info") {
        document.comments.emplace_back(at_line.rest_of_line());
      } else if (keyword == "element") {
        add_element(document);
      } else if (keyword == "property") {
        add_property_line(document);
      } else if (!keyword.empty()) {
        throw scanner_.error("unknown header line " + shown(keyword));
      }
      scanner_.next_line();
    }
    throw scanner_.error("the header has no 'end_header'", "it is truncated: copy or export it again");
  }

 private:
  PlyEncoding encoding(std::string_view word) const {
    if (word == "ascii") return PlyEncoding::ascii;
    if (word == "binary_little_endian") return PlyEncoding::little_endian;
    if (word == "binary_big_endian") return PlyEncoding::big_endian;
    throw scanner_.error(ErrorCode::format_unsupported, "unknown format " + shown(word));
  }

  PlyType type(std::string_view word) const {
    for (const TypeName& known : type_names) {
      if (known.name == word) return known.type;
    }
    throw scanner_.error("unknown property type " + shown(word));
  }

  void add_element(PlyDocument& document) {
    PlyElement element;
    element.name = scanner_.word();
    std::int64_t count = 0;
    if (element.name.empty() || !scanner_.try_integer(count) || count < 0) {
      throw scanner_.error("an element needs a name and a count");
    }
    if (static_cast<std::uint64_t>(count) > options_.max_elements) {
      throw scanner_.error("it declares " + std::to_string(count) + " " + shown(element.name) +
                           ", more than the limit");
    }
    element.count = static_cast<std::size_t>(count);
    document.elements.push_back(std::move(element));
  }

  void add_property_line(PlyDocument& document) {
    if (document.elements.empty()) throw scanner_.error("a property before the first element");
    PlyProperty property;
    std::string_view word = scanner_.word();
    if (word == "list") {
      property.is_list = true;
      property.count_type = type(scanner_.word());
      word = scanner_.word();
    }
    property.type = type(word);
    property.name = scanner_.word();
    if (property.name.empty()) throw scanner_.error("a property without a name");
    document.elements.back().properties.push_back(std::move(property));
  }

  TextScanner scanner_;
  const LoadOptions& options_;
};

Error cut_off(const PlyElement& element) {
  return Error(
      ErrorCode::file_damaged,
      "the file ends before the last of " + std::to_string(element.count) + " " + shown(element.name) + " elements",
      "it is truncated: copy or export it again");
}

void read_text_rows(TextScanner& scanner, PlyElement& element, std::uint64_t max_elements) {
  // Every number takes two characters at least.
  if (element.count > scanner.bytes_left() / (2 * element.properties.size()) + 1) throw cut_off(element);
  for (PlyProperty& property : element.properties) property.values.reserve(element.count * size_of(property.type));
  const auto number = [&](double& value) {
    if (!parse_number(scanner.word_anywhere(), value)) {
      throw scanner.at_end() ? cut_off(element) : scanner.error("not a number, in element " + shown(element.name));
    }
  };
  for (std::size_t row = 0; row < element.count; ++row) {
    for (PlyProperty& property : element.properties) {
      double value = 0;
      number(value);
      if (!property.is_list) {
        append_number(property.values, property.type, value);
        continue;
      }
      if (!(value >= 0) || value > static_cast<double>(scanner.bytes_left()) ||
          value > static_cast<double>(max_elements)) {
        throw scanner.error("a list of " + number_text(value) + " values, in element " + shown(element.name));
      }
      for (auto left = static_cast<std::uint64_t>(value); left > 0; --left) {
        double item = 0;
        number(item);
        append_number(property.values, property.type, item);
      }
      property.list_ends.push_back(property.value_count());
    }
  }
}

// Rows of scalars only: fixed size, copied property by property.
void read_fixed_rows(std::span<const std::byte>& bytes, PlyElement& element, bool swap) {
  std::size_t stride = 0;
  for (const PlyProperty& property : element.properties) stride += size_of(property.type);
  if (element.count > bytes.size() / stride) throw cut_off(element);
  std::size_t offset = 0;
  for (PlyProperty& property : element.properties) {
    const std::size_t size = size_of(property.type);
    property.values.resize(element.count * size);
    with_type(property.type, [&](auto zero) {
      // The size is a constant here, so that copies are single moves.
      constexpr std::size_t constant_size = sizeof zero;
      const std::byte* from = bytes.data() + offset;
      std::byte* to = property.values.data();
      for (std::size_t row = 0; row < element.count; ++row, from += stride, to += constant_size) {
        copy_swapped(to, from, constant_size, swap);
      }
    });
    offset += size;
  }
  bytes = bytes.subspan(element.count * stride);
}

void read_list_rows(std::span<const std::byte>& bytes, PlyElement& element, bool swap) {
  std::size_t least = 0;  // bytes of a row whose lists are all empty
  for (const PlyProperty& p : element.properties) least += size_of(p.is_list ? p.count_type : p.type);
  if (element.count > bytes.size() / least) throw cut_off(element);
  const auto take = [&](PlyType type, std::uint64_t count) {
    if (count > bytes.size() / size_of(type)) throw cut_off(element);
    const std::span<const std::byte> taken = bytes.first(count * size_of(type));
    bytes = bytes.subspan(taken.size());
    return taken;
  };
  for (std::size_t row = 0; row < element.count; ++row) {
    for (PlyProperty& property : element.properties) {
      std::uint64_t count = 1;
      if (property.is_list) {
        const std::span<const std::byte> raw = take(property.count_type, 1);
        PlyProperty length;
        length.type = property.count_type;
        length.values.resize(raw.size());
        copy_swapped(length.values.data(), raw.data(), raw.size(), swap);
        const double value = length.number(0);
        if (!(value >= 0) || value > static_cast<double>(bytes.size())) throw cut_off(element);
        count = static_cast<std::uint64_t>(value);
      }
      const std::span<const std::byte> raw = take(property.type, count);
      const std::size_t size = size_of(property.type), at = property.values.size();
      property.values.resize(at + raw.size());
      if (!swap) {
        std::copy(raw.begin(), raw.end(), property.values.begin() + static_cast<std::ptrdiff_t>(at));
      } else {
        for (std::size_t i = 0; i < raw.size(); i += size) {
          copy_swapped(property.values.data() + at + i, raw.data() + i, size, true);
        }
      }
      if (property.is_list) property.list_ends.push_back(property.value_count());
    }
  }
}

void write_text_value(TextWriter& out, const PlyProperty& property, std::size_t index) {
  with_type(property.type, [&](auto zero) {
    std::memcpy(&zero, property.values.data() + index * sizeof zero, sizeof zero);
    if constexpr (sizeof zero == 1) {
      out << static_cast<int>(zero);
    } else {
      out << zero;
    }
  });
}

void write_text_rows(TextWriter& out, const PlyElement& element) {
  for (std::size_t row = 0; row < element.count; ++row) {
    bool first = true;
    const auto blank = [&] {
      if (!first) out << ' ';
      first = false;
    };
    for (const PlyProperty& property : element.properties) {
      if (!property.is_list) {
        blank();
        write_text_value(out, property, row);
        continue;
      }
      blank();
      out << property.list_ends[row] - property.list_begin(row);
      for (std::size_t i = property.list_begin(row); i < property.list_ends[row]; ++i) {
        blank();
        write_text_value(out, property, i);
      }
    }
    out << '\n';
  }
}

void write_binary_rows(std::string& out, const PlyElement& element, bool swap) {
  const auto put = [&](const std::byte* value, std::size_t size) {
    const std::size_t at = out.size();
    out.resize(at + size);
    copy_swapped(reinterpret_cast<std::byte*>(out.data()) + at, value, size, swap);
  };
  std::vector<std::byte> length;
  for (std::size_t row = 0; row < element.count; ++row) {
    for (const PlyProperty& property : element.properties) {
      const std::size_t size = size_of(property.type);
      if (!property.is_list) {
        put(property.values.data() + row * size, size);
        continue;
      }
      length.clear();
      const std::size_t begin = property.list_begin(row), end = property.list_ends[row];
      append_number(length, property.count_type, static_cast<double>(end - begin));
      put(length.data(), length.size());
      for (std::size_t i = begin; i < end; ++i) put(property.values.data() + i * size, size);
    }
  }
}

}  // namespace

std::size_t size_of(PlyType type) {
  return with_type(type, [](auto zero) { return sizeof zero; });
}

double PlyProperty::number(std::size_t index) const {
  return with_type(type, [&](auto zero) {
    std::memcpy(&zero, values.data() + index * sizeof zero, sizeof zero);
    return static_cast<double>(zero);
  });
}

void PlyProperty::set_number(std::size_t index, double value) {
  with_type(type, [&](auto zero) {
    const auto typed = to_type<decltype(zero)>(value);
    std::memcpy(values.data() + index * sizeof typed, &typed, sizeof typed);
  });
}

const PlyProperty* PlyElement::find(std::string_view property) const {
  for (const PlyProperty& candidate : properties) {
    if (candidate.name == property) return &candidate;
  }
  return nullptr;
}

PlyProperty* PlyElement::find(std::string_view property) {
  return const_cast<PlyProperty*>(std::as_const(*this).find(property));
}

const PlyElement* PlyDocument::find(std::string_view element) const {
  for (const PlyElement& candidate : elements) {
    if (candidate.name == element) return &candidate;
  }
  return nullptr;
}

PlyProperty& add_property(PlyElement& element, const std::string& name, PlyType type) {
  PlyProperty property;
  property.name = name;
  property.type = type;
  property.values.resize(element.count * size_of(type));
  element.properties.push_back(std::move(property));
  return element.properties.back();
}

PlyDocument read_ply_document(std::span<const std::byte> bytes, const LoadOptions& options) {
  PlyDocument document;
  const std::string_view body = PlyHeaderParser(as_text(bytes), options).parse(document);
  TextScanner scanner(body);
  std::span<const std::byte> left = bytes.last(body.size());
  const bool swap = needs_swap(document.encoding);
  for (PlyElement& element : document.elements) {
    if (element.properties.empty() || element.count == 0) continue;
    if (document.encoding == PlyEncoding::ascii) {
      read_text_rows(scanner, element, options.max_elements);
    } else if (std::any_of(element.properties.begin(), element.properties.end(),
                           [](const PlyProperty& p) { return p.is_list; })) {
      read_list_rows(left, element, swap);
    } else {
      read_fixed_rows(left, element, swap);
    }
  }
  return document;
}

std::string write_ply_document(const PlyDocument& document) {
  TextWriter header;
  constexpr std::string_view encodings[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  header << "ply\nformat " << encodings[static_cast<int>(document.encoding)] << " 1.0\n";
  for (const std::string& comment : document.comments) header << comment << '\n';
  for (const PlyElement& element : document.elements) {
    header << "element " << element.name << ' ' << element.count << '\n';
    for (const PlyProperty& property : element.properties) {
      header << "property ";
      if (property.is_list) header << "list " << name_of(property.count_type) << ' ';
      header << name_of(property.type) << ' ' << property.name << '\n';
    }
  }
  header << "end_header\n";
  if (document.encoding == PlyEncoding::ascii) {
    for (const PlyElement& element : document.elements) write_text_rows(header, element);
    return header.take();
  }
  std::string out = header.take();
  for (const PlyElement& element : document.elements) {
    write_binary_rows(out, element, needs_swap(document.encoding));
  }
  return out;
}

}  // namespace sinew
