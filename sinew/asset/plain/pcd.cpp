#include "sinew/asset/plain/pcd.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "sinew/asset/color_space.h"
#include "sinew/asset/plain/text_scanner.h"

namespace sinew {
namespace {

struct Field {
  std::string name;
  std::size_t size = 4;   // bytes of one value
  char type = 'F';        // F float, I signed, U unsigned
  std::size_t count = 1;  // values per point
  std::size_t offset = 0;
};

struct Header {
  std::vector<Field> fields;
  std::size_t points = 0, stride = 0;
  std::string_view encoding, body;
};

class PcdHeaderParser {
 public:
  PcdHeaderParser(std::string_view text, const LoadOptions& options) : scanner_(text), options_(options) {}

  Header parse() {
    Header header;
    std::int64_t width = 0, height = 1, points = -1;
    for (std::string_view word = scanner_.word_anywhere('#'); !word.empty(); word = scanner_.word_anywhere('#')) {
      if (word == "FIELDS") {
        for (std::string_view name = scanner_.word(); !name.empty(); name = scanner_.word()) {
          header.fields.emplace_back().name = name;
        }
      } else if (word == "SIZE") {
        for (Field& field : header.fields) field.size = small_number(8);
      } else if (word == "COUNT") {
        for (Field& field : header.fields) field.count = small_number(1 << 16);
      } else if (word == "TYPE") {
        for (Field& field : header.fields) {
          const std::string_view type = scanner_.word();
          field.type = type.empty() ? '?' : type[0];
        }
      } else if (word == "WIDTH" || word == "HEIGHT" || word == "POINTS") {
        std::int64_t& value = word == "WIDTH" ? width : word == "HEIGHT" ? height : points;
        if (!scanner_.try_integer(value) || value < 0) throw scanner_.error(shown(word) + " needs a number");
      } else if (word == "DATA") {
        header.encoding = scanner_.word();
        scanner_.next_line();
        finish(header, width, height, points);
        return header;
      }
      scanner_.next_line();
    }
    throw scanner_.error("the header has no 'DATA' line", "it is truncated: copy or export it again");
  }

 private:
  std::size_t small_number(std::int64_t largest) {
    std::int64_t value = 0;
    if (!scanner_.try_integer(value) || value < 1 || value > largest) {
      throw scanner_.error("a bad number in the header");
    }
    return static_cast<std::size_t>(value);
  }

  void finish(Header& header, std::int64_t width, std::int64_t height, std::int64_t points) {
    const auto limit = static_cast<std::int64_t>(options_.max_elements);
    if (width > limit || height > limit || (width > 0 && height > limit / width) || points > limit) {
      throw scanner_.error(ErrorCode::too_large, "more points than the limit allows");
    }
    header.points = static_cast<std::size_t>(points >= 0 ? points : width * height);
    for (Field& field : header.fields) {
      const bool known = field.type == 'F'
                             ? field.size == 4 || field.size == 8
                             : (field.type == 'I' || field.type == 'U') && std::has_single_bit(field.size);
      if (!known) throw scanner_.error("field " + shown(field.name) + " has an unknown type");
      field.offset = header.stride;
      header.stride += field.size * field.count;
    }
    header.body = scanner_.rest();
  }

  TextScanner scanner_;
  const LoadOptions& options_;
};

Error cut_off(const Header& header) {
  return Error(ErrorCode::file_damaged, "it ends before the last of its " + std::to_string(header.points) + " points",
               "it is truncated: copy or export it again");
}

template <typename T>
double load_as(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double load_number(const Field& field, const std::byte* bytes) {
  if (field.type == 'F') return field.size == 4 ? load_as<float>(bytes) : load_as<double>(bytes);
  const bool is_signed = field.type == 'I';
  switch (field.size) {
    case 1:
      return is_signed ? load_as<std::int8_t>(bytes) : load_as<std::uint8_t>(bytes);
    case 2:
      return is_signed ? load_as<std::int16_t>(bytes) : load_as<std::uint16_t>(bytes);
    case 4:
      return is_signed ? load_as<std::int32_t>(bytes) : load_as<std::uint32_t>(bytes);
    default:
      return is_signed ? load_as<std::int64_t>(bytes) : load_as<std::uint64_t>(bytes);
  }
}

// Text to the layout of uncompressed binary.
std::vector<std::byte> parse_text(const Header& header) {
  TextScanner scanner(header.body);
  std::size_t values = 0;
  for (const Field& field : header.fields) values += field.count;
  if (header.points > scanner.bytes_left() / (2 * std::max<std::size_t>(values, 1)) + 1) throw cut_off(header);
  std::vector<std::byte> rows(header.points * header.stride);
  for (std::size_t point = 0; point < header.points; ++point) {
    std::byte* row = rows.data() + point * header.stride;
    for (const Field& field : header.fields) {
      for (std::size_t i = 0; i < field.count; ++i) {
        const std::string_view word = scanner.word_anywhere();
        double number = 0;
        if (word.empty()) throw cut_off(header);
        if (!parse_number(word, number)) throw scanner.error(shown(word) + " is not a number");
        std::byte* to = row + field.offset + i * field.size;
        if (field.type == 'F') {
          const auto single = static_cast<float>(number);
          std::memcpy(to, field.size == 4 ? static_cast<const void*>(&single) : &number, field.size);
        } else {
          const std::int64_t whole = std::abs(number) < 9e18 ? static_cast<std::int64_t>(number) : 0;
          std::memcpy(to, &whole, field.size);  // little-endian: the low bytes come first
        }
      }
    }
  }
  return rows;
}

// LZF (Marc Lehmann): a control byte below 32 copies that many bytes plus one; others repeat earlier output.
std::vector<std::byte> decompress_lzf(std::span<const std::byte> in, std::size_t out_size) {
  const Error damaged = Error(ErrorCode::file_damaged, "its compressed data is damaged");
  std::vector<std::byte> out;
  out.reserve(out_size);
  std::size_t at = 0;
  const auto next = [&]() -> std::size_t {
    if (at >= in.size()) throw damaged;
    return static_cast<std::size_t>(in[at++]);
  };
  while (at < in.size()) {
    const std::size_t control = next();
    if (control < 32) {
      const std::size_t run = control + 1;
      if (run > in.size() - at || run > out_size - out.size()) throw damaged;
      out.insert(out.end(), in.begin() + static_cast<std::ptrdiff_t>(at),
                 in.begin() + static_cast<std::ptrdiff_t>(at + run));
      at += run;
      continue;
    }
    std::size_t length = control >> 5;
    if (length == 7) length += next();
    const std::size_t distance = ((control & 31) << 8) + next() + 1;
    length += 2;
    if (distance > out.size() || length > out_size - out.size()) throw damaged;
    for (std::size_t i = 0; i < length; ++i) out.push_back(out[out.size() - distance]);
  }
  if (out.size() != out_size) throw damaged;
  return out;
}

// Compressed data holds one field after the other; turned into rows here.
std::vector<std::byte> unpack_compressed(const Header& header) {
  std::array<std::uint32_t, 2> sizes{};  // compressed, uncompressed
  if (header.body.size() < sizeof sizes) throw cut_off(header);
  std::memcpy(sizes.data(), header.body.data(), sizeof sizes);
  const auto body = std::as_bytes(std::span(header.body)).subspan(sizeof sizes);
  if (sizes[0] > body.size()) throw cut_off(header);
  constexpr std::uint64_t best_ratio = 90;  // three bytes stand for 264 at most
  if (sizes[1] != std::uint64_t{header.stride} * header.points || sizes[1] > best_ratio * sizes[0]) {
    throw Error(ErrorCode::file_damaged,
                "its compressed data does not have the size of " + std::to_string(header.points) + " points");
  }
  const std::vector<std::byte> columns = decompress_lzf(body.first(sizes[0]), sizes[1]);
  std::vector<std::byte> rows(columns.size());
  for (const Field& field : header.fields) {
    const std::size_t size = field.size * field.count;
    for (std::size_t point = 0; point < header.points; ++point) {
      std::memcpy(rows.data() + point * header.stride + field.offset,
                  columns.data() + field.offset * header.points + point * size, size);
    }
  }
  return rows;
}

std::vector<std::byte> rows_of(const Header& header) {
  if (header.stride == 0) throw Error(ErrorCode::file_damaged, "it has no fields");
  if (header.encoding == "ascii") return parse_text(header);
  if (header.encoding == "binary_compressed") return unpack_compressed(header);
  if (header.encoding != "binary") {
    throw Error(ErrorCode::format_unsupported, "unknown encoding " + shown(header.encoding));
  }
  if (header.points > header.body.size() / header.stride) throw cut_off(header);
  const auto bytes = std::as_bytes(std::span(header.body)).first(header.points * header.stride);
  return {bytes.begin(), bytes.end()};
}

const Field* find_field(const Header& header, std::string_view name) {
  for (const Field& field : header.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

Vec4f unpack_color(const Field& field, const std::byte* bytes) {
  std::uint32_t packed = 0;
  std::memcpy(&packed, bytes, std::min(sizeof packed, field.size));
  const auto channel = [&](int shift) { return static_cast<float>((packed >> shift) & 255u) / 255.0f; };
  return {linear_from_srgb(channel(16)), linear_from_srgb(channel(8)), linear_from_srgb(channel(0)),
          field.name == "rgba" ? channel(24) : 1.0f};
}

}  // namespace

Character read_pcd(std::span<const std::byte> bytes, const LoadOptions& options) {
  const Header header = PcdHeaderParser(as_text(bytes), options).parse();
  const std::array position{find_field(header, "x"), find_field(header, "y"), find_field(header, "z")};
  const std::array normal{find_field(header, "normal_x"), find_field(header, "normal_y"),
                          find_field(header, "normal_z")};
  if (!position[0] || !position[1] || !position[2]) {
    throw Error(ErrorCode::file_damaged, "its points have no x, y and z");
  }
  const bool has_normals = normal[0] && normal[1] && normal[2];
  const Field* color = find_field(header, "rgb");
  if (!color) color = find_field(header, "rgba");

  const std::vector<std::byte> rows = rows_of(header);
  Character character;
  TriangleMesh& mesh = character.mesh;
  const auto vector = [](const std::array<const Field*, 3>& fields, const std::byte* row) {
    return Vec3d(load_number(*fields[0], row + fields[0]->offset), load_number(*fields[1], row + fields[1]->offset),
                 load_number(*fields[2], row + fields[2]->offset));
  };
  std::size_t missing = 0;
  for (std::size_t point = 0; point < header.points; ++point) {
    const std::byte* row = rows.data() + point * header.stride;
    const Vec3d place = vector(position, row);
    if (!place.allFinite()) {
      ++missing;
      continue;
    }
    mesh.positions.push_back(place.cast<float>());
    if (has_normals) mesh.normals.push_back(vector(normal, row).cast<float>());
    if (color) mesh.colors.push_back(unpack_color(*color, row + color->offset));
  }
  if (missing > 0) {
    character.warnings.push_back(
        {"missing-points", std::to_string(missing) + " points without a position were left out"});
  }
  return character;
}

}  // namespace sinew
