#include "sinew/weights/skincells/skincells_file.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "sinew/asset/gltf/gltf_extras.h"
#include "sinew/base/crc32.h"
#include "sinew/base/file_bytes.h"
#include "sinew/error.h"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr char magic[8] = {'S', 'K', 'I', 'N', 'C', 'E', 'L', 'L'};
constexpr std::uint16_t version = 1;
constexpr float centre_steps = 16384.0f;  // per unit box: centres reach two boxes to each side

std::int16_t to_fixed(float value) {
  return static_cast<std::int16_t>(std::lround(std::clamp(value * centre_steps, -32767.0f, 32767.0f)));
}
float from_fixed(std::int16_t value) { return static_cast<float>(value) / centre_steps; }

std::uint16_t to_half(float value) { return Eigen::half_impl::float_to_half_rtne(value).x; }
float from_half(std::uint16_t bits) {
  return Eigen::half_impl::half_to_float(Eigen::half_impl::raw_uint16_to_half(bits));
}

template <typename T>
void put(std::vector<std::byte>& bytes, T value) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> take(std::size_t count) {
    if (count > rest_.size()) throw Error(ErrorCode::file_damaged, "the SkinCells field is truncated");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

void round_field(SkinCellField& field) {
  clamp_parameters(field);
  field.relaxation = 0;
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    float* parameters = field.parameters.data() + static_cast<std::size_t>(cell) * field.cell_stride();
    for (int site = 0; site < field.sites_per_cell; ++site) {
      float* p = parameters + site * SkinCellField::site_stride;
      for (int axis = 0; axis < 3; ++axis) p[axis] = from_fixed(to_fixed(p[axis]));
      for (int entry = 3; entry < SkinCellField::site_stride; ++entry) p[entry] = from_half(to_half(p[entry]));
    }
    parameters[field.cell_stride() - 2] = 0;
    parameters[field.cell_stride() - 1] = from_half(to_half(parameters[field.cell_stride() - 1]));
  }
}

std::vector<std::byte> write_field(const SkinCellField& field) {
  check_field(field);
  std::vector<std::byte> bytes;
  for (char letter : magic) put(bytes, letter);
  put(bytes, version);
  put(bytes, static_cast<std::uint16_t>(field.max_influences));
  put(bytes, static_cast<std::uint16_t>(field.sites_per_cell));
  put(bytes, static_cast<std::uint16_t>(field.cell_count()));
  for (int axis = 0; axis < 3; ++axis) put(bytes, field.origin[axis]);
  put(bytes, field.scale);
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    const std::string name = field.joint_names[cell].substr(0, 255);
    put(bytes, static_cast<std::uint16_t>(field.joints[cell]));
    put(bytes, static_cast<std::uint8_t>(name.size()));
    for (char letter : name) put(bytes, letter);
    const float* parameters = field.parameters.data() + static_cast<std::size_t>(cell) * field.cell_stride();
    for (int site = 0; site < field.sites_per_cell; ++site) {
      const float* p = parameters + site * SkinCellField::site_stride;
      for (int axis = 0; axis < 3; ++axis) put(bytes, to_fixed(p[axis]));
      for (int entry = 3; entry < SkinCellField::site_stride; ++entry) put(bytes, to_half(p[entry]));
    }
    put(bytes, to_half(parameters[field.cell_stride() - 1]));
  }
  put(bytes, crc32(bytes));
  return bytes;
}

bool is_field(std::span<const std::byte> bytes) {
  return bytes.size() >= sizeof magic && std::memcmp(bytes.data(), magic, sizeof magic) == 0;
}

SkinCellField read_field(std::span<const std::byte> bytes) {
  if (!is_field(bytes)) {
    const std::string text = gltf_extra(bytes, field_extra);
    if (!text.empty()) return field_from_text(text);
    throw Error(ErrorCode::format_unknown, "this is neither a .skincells file nor a glTF file with a field inside",
                "the method skincells writes such fields");
  }
  Reader reader(bytes.subspan(sizeof magic));
  if (const auto found = reader.get<std::uint16_t>(); found != version) {
    throw Error(ErrorCode::format_unsupported, "the SkinCells field has version " + std::to_string(found) +
                                                   "; only version " + std::to_string(version) + " is understood");
  }
  SkinCellField field;
  field.max_influences = reader.get<std::uint16_t>();
  field.sites_per_cell = reader.get<std::uint16_t>();
  const std::size_t cells = reader.get<std::uint16_t>();
  for (int axis = 0; axis < 3; ++axis) field.origin[axis] = reader.get<double>();
  field.scale = reader.get<double>();
  const std::size_t site_bytes = 2 * SkinCellField::site_stride;
  if (reader.left() < cells * (5 + field.sites_per_cell * site_bytes)) {
    throw Error(ErrorCode::file_damaged, "the SkinCells field is truncated");
  }
  for (std::size_t cell = 0; cell < cells; ++cell) {
    field.joints.push_back(reader.get<std::uint16_t>());
    const auto name = reader.take(reader.get<std::uint8_t>());
    field.joint_names.emplace_back(reinterpret_cast<const char*>(name.data()), name.size());
    for (int site = 0; site < field.sites_per_cell; ++site) {
      for (int axis = 0; axis < 3; ++axis) field.parameters.push_back(from_fixed(reader.get<std::int16_t>()));
      for (int entry = 3; entry < SkinCellField::site_stride; ++entry) {
        field.parameters.push_back(from_half(reader.get<std::uint16_t>()));
      }
    }
    field.parameters.push_back(0.0f);
    field.parameters.push_back(from_half(reader.get<std::uint16_t>()));
  }
  const std::size_t content = bytes.size() - reader.left();
  if (reader.get<std::uint32_t>() != crc32(bytes.first(content)) || reader.left() != 0) {
    throw Error(ErrorCode::file_damaged, "the SkinCells field is damaged");
  }
  check_field(field);
  return field;
}

void save_field(const SkinCellField& field, const std::filesystem::path& path) {
  write_file_bytes(path, write_field(field));
}

SkinCellField load_field(const std::filesystem::path& path) { return parse_file(path, read_field); }

std::string field_to_text(const SkinCellField& field) {
  const std::vector<std::byte> bytes = write_field(field);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint32_t>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool filled = i + k <= bytes.size();
      text += filled ? base64_digits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

SkinCellField field_from_text(const std::string& text) {
  std::vector<std::byte> bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (char letter : text) {
    if (letter == '=') break;
    const std::size_t digit = base64_digits.find(letter);
    if (digit == std::string_view::npos) {
      throw Error(ErrorCode::file_damaged, "the SkinCells field is not valid base64");
    }
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) bytes.push_back(static_cast<std::byte>(group >> (bits -= 8) & 255));
  }
  if (!is_field(bytes)) throw Error(ErrorCode::field_invalid, "the text in the extras is not a SkinCells field");
  return read_field(bytes);
}

SkinCellField match_field(SkinCellField field, const Skeleton& skeleton) {
  for (int cell = 0; cell < field.cell_count(); ++cell) {
    const int joint = find_joint(skeleton, field.joint_names[cell]);
    if (joint < 0) {
      throw Error(ErrorCode::skeletons_differ,
                  "the skeleton has no joint '" + field.joint_names[cell] + "', which the field drives",
                  "give the skeleton that the field was made for")
          .about("skeleton");
    }
    field.joints[cell] = joint;
  }
  return field;
}

}  // namespace sinew
