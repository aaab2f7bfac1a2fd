#include <algorithm>
#include <cstring>

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew::gltf {
namespace {

struct Shape {
  int components = 1;
  int rows = 0;  // of a matrix; 0 for scalars and vectors
};

Shape element_shape(const Json& object, std::string_view where) {
  const std::string type = string_member(object, "type", "", where);
  if (type == "SCALAR") return {1, 0};
  if (type == "VEC2") return {2, 0};
  if (type == "VEC3") return {3, 0};
  if (type == "VEC4") return {4, 0};
  if (type == "MAT2") return {4, 2};
  if (type == "MAT3") return {9, 3};
  if (type == "MAT4") return {16, 4};
  throw Error(ErrorCode::file_damaged, std::string(where) + " has the unknown type '" + type + "'");
}

// Columns of matrices begin at multiples of four bytes (3.6.2.4).
std::size_t element_size(const Shape& shape, Component component) {
  const std::size_t size = component_size(component);
  if (shape.rows == 0) return size * static_cast<std::size_t>(shape.components);
  const std::size_t column = (size * static_cast<std::size_t>(shape.rows) + 3) / 4 * 4;
  return column * static_cast<std::size_t>(shape.rows);
}

struct Window {
  std::span<const std::byte> bytes;
  std::size_t stride = 0;  // 0: tightly packed
};

std::span<const std::byte> bytes_of(const Document& document, const Json& view, const std::string& where) {
  const int buffer = index_member(view, "buffer", document.buffers.size(), where);
  if (buffer < 0) throw Error(ErrorCode::file_damaged, where + ": 'buffer' is missing");
  const std::span<const std::byte> bytes = document.buffers[static_cast<std::size_t>(buffer)].bytes;
  const std::uint64_t offset = unsigned_member(view, "byteOffset", 0, where);
  const std::uint64_t length = required_unsigned(view, "byteLength", where);
  if (offset > bytes.size() || length > bytes.size() - offset) {
    throw Error(ErrorCode::file_damaged, where + " reaches beyond the end of buffer " + std::to_string(buffer),
                "it may be truncated: copy or export it again");
  }
  return bytes.subspan(offset, length);
}

Window buffer_view(const Document& document, int index) {
  const std::string where = "bufferView " + std::to_string(index);
  const Json& view = element(document.json, "bufferViews", index);
  const std::span<const std::byte> bytes = bytes_of(document, view, where);
  const std::uint64_t stride = unsigned_member(view, "byteStride", 0, where);
  if (stride > 65536) {
    throw Error(ErrorCode::file_damaged, where + " has the impossible byteStride " + std::to_string(stride));
  }
  return {bytes, stride};
}

void check_range(const Window& window, std::uint64_t offset, std::size_t count, std::size_t stride, std::size_t size,
                 const std::string& where) {
  if (count == 0) return;
  const std::uint64_t room = window.bytes.size();
  if (offset > room || room - offset < size || (count - 1) > (room - offset - size) / stride) {
    throw Error(ErrorCode::file_damaged, where + " reaches beyond the end of its bufferView",
                "it may be truncated: copy or export it again");
  }
}

void read_sparse(const Document& document, const Json& sparse, const std::string& where, AccessorView& view) {
  if (!sparse.is_object() || !sparse.contains("indices") || !sparse.contains("values")) {
    throw Error(ErrorCode::file_damaged, where + ": 'sparse' is incomplete");
  }
  view.sparse_count = required_unsigned(sparse, "count", where);
  if (view.sparse_count > view.count) {
    throw Error(ErrorCode::file_damaged, where + ": 'sparse' has more entries than the accessor");
  }
  const Json& indices = sparse["indices"];
  const Json& values = sparse["values"];
  if (!indices.is_object() || !values.is_object()) {
    throw Error(ErrorCode::file_damaged, where + ": 'sparse' is incomplete");
  }
  const std::size_t views = count_of(document.json, "bufferViews");
  const int index_view = index_member(indices, "bufferView", views, where);
  const int value_view = index_member(values, "bufferView", views, where);
  if (index_view < 0 || value_view < 0) throw Error(ErrorCode::file_damaged, where + ": 'sparse' is incomplete");

  view.sparse_index_type = component_type(indices, where);
  const std::size_t index_size = component_size(view.sparse_index_type);
  if (view.sparse_index_type != Component::u8 && view.sparse_index_type != Component::u16 &&
      view.sparse_index_type != Component::u32) {
    throw Error(ErrorCode::file_damaged, where + ": sparse indices must be unsigned integers");
  }
  const Window index_window = buffer_view(document, index_view);
  const std::uint64_t index_offset = unsigned_member(indices, "byteOffset", 0, where);
  check_range(index_window, index_offset, view.sparse_count, index_size, index_size, where);
  const Window value_window = buffer_view(document, value_view);
  const std::uint64_t value_offset = unsigned_member(values, "byteOffset", 0, where);
  check_range(value_window, value_offset, view.sparse_count, view.element_bytes, view.element_bytes, where);
  if (view.sparse_count == 0) return;
  view.sparse_indices = index_window.bytes.data() + index_offset;
  view.sparse_values = value_window.bytes.data() + value_offset;
}

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));  // files are little-endian, like every machine we build for
  return value;
}

std::uint32_t load_unsigned(const std::byte* at, Component component) {
  switch (component) {
    case Component::u8:
      return load<std::uint8_t>(at);
    case Component::u16:
      return load<std::uint16_t>(at);
    default:
      return load<std::uint32_t>(at);
  }
}

template <typename T>
void decode(const std::byte* data, std::size_t count, std::size_t stride, int components, float scale, float* out) {
  for (std::size_t i = 0; i < count; ++i, data += stride) {
    for (int c = 0; c < components; ++c) {
      const auto value = static_cast<float>(load<T>(data + static_cast<std::size_t>(c) * sizeof(T)));
      // Signed normalised integers: the most negative value is clamped to -1 (3.6.2.2).
      *out++ = scale == 0.0f ? value : std::max(value / scale, -1.0f);
    }
  }
}

void decode_floats(const AccessorView& view, const std::byte* data, std::size_t count, std::size_t stride, float* out) {
  const std::size_t row = static_cast<std::size_t>(view.components) * sizeof(float);
  const auto scale = [&](float largest) { return view.normalised ? largest : 0.0f; };
  switch (view.component) {
    case Component::f32:
      if (stride == row) {
        std::memcpy(out, data, count * row);
      } else {
        decode<float>(data, count, stride, view.components, 0.0f, out);
      }
      break;
    case Component::i8:
      decode<std::int8_t>(data, count, stride, view.components, scale(127.0f), out);
      break;
    case Component::u8:
      decode<std::uint8_t>(data, count, stride, view.components, scale(255.0f), out);
      break;
    case Component::i16:
      decode<std::int16_t>(data, count, stride, view.components, scale(32767.0f), out);
      break;
    case Component::u16:
      decode<std::uint16_t>(data, count, stride, view.components, scale(65535.0f), out);
      break;
    case Component::u32:
      decode<std::uint32_t>(data, count, stride, view.components, scale(4294967295.0f), out);
      break;
  }
}

// Calls place(element index, value address) for every sparse substitution, indices checked.
template <typename Place>
void for_each_sparse(const AccessorView& view, Place place) {
  for (std::size_t i = 0; i < view.sparse_count; ++i) {
    const std::size_t index_size = component_size(view.sparse_index_type);
    const std::uint32_t index = load_unsigned(view.sparse_indices + i * index_size, view.sparse_index_type);
    if (index >= view.count) {
      throw Error(ErrorCode::file_damaged, "a sparse accessor substitutes an element that does not exist");
    }
    place(index, view.sparse_values + i * view.element_bytes);
  }
}

void expect_components(const AccessorView& view, int components) {
  if (view.components != components) {
    throw Error(ErrorCode::file_damaged, "an accessor has " + std::to_string(view.components) + " components where " +
                                             std::to_string(components) + " are expected");
  }
}

}  // namespace

Component component_type(const Json& object, std::string_view where) {
  const std::uint64_t type = required_unsigned(object, "componentType", where);
  switch (type) {
    case 5120:
    case 5121:
    case 5122:
    case 5123:
    case 5125:
    case 5126:
      return static_cast<Component>(type);
    default:
      throw Error(ErrorCode::file_damaged,
                  std::string(where) + " has the unknown componentType " + std::to_string(type));
  }
}

int component_count(const Json& accessor, std::string_view where) { return element_shape(accessor, where).components; }

std::span<const std::byte> view_bytes(const Document& document, int view) {
  return bytes_of(document, element(document.json, "bufferViews", view), "bufferView " + std::to_string(view));
}

std::size_t component_size(Component component) {
  switch (component) {
    case Component::i8:
    case Component::u8:
      return 1;
    case Component::i16:
    case Component::u16:
      return 2;
    default:
      return 4;
  }
}

AccessorView accessor_view(const Document& document, int accessor) {
  const std::string where = "accessor " + std::to_string(accessor);
  const Json& object = element(document.json, "accessors", accessor);
  const Shape shape = element_shape(object, where);
  AccessorView view;
  view.component = component_type(object, where);
  view.components = shape.components;
  view.matrix = shape.rows > 0;
  view.normalised = bool_member(object, "normalized", false, where);
  view.element_bytes = element_size(shape, view.component);
  view.stride = view.element_bytes;
  view.count = required_unsigned(object, "count", where);
  if (view.count > document.options.max_elements) {
    throw Error(ErrorCode::too_large, where + " has " + std::to_string(view.count) + " elements; the limit is " +
                                          std::to_string(document.options.max_elements));
  }
  const int view_index = index_member(object, "bufferView", count_of(document.json, "bufferViews"), where);
  if (view_index >= 0) {
    const Window window = buffer_view(document, view_index);
    const std::uint64_t offset = unsigned_member(object, "byteOffset", 0, where);
    if (window.stride != 0) view.stride = window.stride;
    if (view.stride < view.element_bytes) {
      throw Error(ErrorCode::file_damaged, where + " is larger than its bufferView's byteStride");
    }
    check_range(window, offset, view.count, view.stride, view.element_bytes, where);
    view.data = window.bytes.data() + (view.count > 0 ? offset : 0);
  }
  const auto sparse = object.find("sparse");
  if (sparse != object.end()) read_sparse(document, *sparse, where, view);
  return view;
}

void read_floats(const AccessorView& view, int components, float* out) {
  expect_components(view, components);
  if (view.count == 0) return;
  const std::size_t row = static_cast<std::size_t>(components);
  if (view.data) {
    decode_floats(view, view.data, view.count, view.stride, out);
  } else {
    std::fill_n(out, view.count * row, 0.0f);
  }
  for_each_sparse(view, [&](std::size_t index, const std::byte* value) {
    decode_floats(view, value, 1, view.element_bytes, out + index * row);
  });
}

std::vector<float> read_floats(const AccessorView& view, int components) {
  expect_components(view, components);
  std::vector<float> result(view.count * static_cast<std::size_t>(components));
  read_floats(view, components, result.data());
  return result;
}

std::vector<std::uint32_t> read_unsigned(const AccessorView& view, int components) {
  expect_components(view, components);
  if (view.component != Component::u8 && view.component != Component::u16 && view.component != Component::u32) {
    throw Error(ErrorCode::file_damaged,
                "an accessor holds floats or signed integers where unsigned integers are expected");
  }
  const std::size_t row = static_cast<std::size_t>(components);
  const std::size_t size = component_size(view.component);
  std::vector<std::uint32_t> result(view.count * row, 0u);
  if (result.empty()) return result;
  if (view.data && view.component == Component::u32 && view.stride == row * size) {
    std::memcpy(result.data(), view.data, result.size() * size);
  } else if (view.data) {
    for (std::size_t i = 0; i < view.count; ++i) {
      for (std::size_t c = 0; c < row; ++c) {
        result[i * row + c] = load_unsigned(view.data + i * view.stride + c * size, view.component);
      }
    }
  }
  for_each_sparse(view, [&](std::size_t index, const std::byte* value) {
    for (std::size_t c = 0; c < row; ++c) result[index * row + c] = load_unsigned(value + c * size, view.component);
  });
  return result;
}

}  // namespace sinew::gltf
