#include "sinew/asset/gltf/gltf_draco.h"

#include <draco/compression/decode.h>
#include <draco/compression/point_cloud/point_cloud_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>
#include <draco/metadata/metadata_decoder.h>

#include <cstring>

#include "sinew/asset/archive.h"
#include "sinew/base/sandboxed_process.h"

namespace sinew::gltf {
namespace {

constexpr const char* again = "export it again, or without mesh compression";

Error damaged(const std::string& where, const std::string& what) {
  return Error(ErrorCode::file_damaged, where + ": " + what, again);
}

draco::DecoderBuffer buffer_of(const DracoInput& input) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(input.bytes.data()), input.bytes.size());
  return buffer;
}

// Draco allocates what the data declares; so that is looked at first.
void check_declared_counts(const DracoInput& input, std::uint64_t max_elements) {
  draco::DecoderBuffer buffer = buffer_of(input);
  draco::DracoHeader header;
  if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok()) {
    throw damaged(input.where, "the compressed mesh does not begin as Draco data does");
  }
  if (header.version_major != 2 || header.version_minor != 2) {
    throw Error(ErrorCode::format_unsupported,
                input.where + " is compressed with version " + std::to_string(header.version_major) + "." +
                    std::to_string(header.version_minor) + " of Draco; glTF has 2.2",
                again);
  }
  if (header.encoder_type != draco::TRIANGULAR_MESH) throw damaged(input.where, "the Draco data is not a mesh");
  buffer.set_bitstream_version(DRACO_BITSTREAM_VERSION(2, 2));
  draco::GeometryMetadata unused;
  if ((header.flags & METADATA_FLAG_MASK) != 0 && !draco::MetadataDecoder().DecodeGeometryMetadata(&buffer, &unused)) {
    throw damaged(input.where, "the metadata of the Draco data is damaged");
  }
  std::uint32_t vertices = 0, faces = 0, symbols = 0, splits = 0;
  std::uint8_t method = 0, groups = 0;
  bool whole = false;
  if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING) {
    whole = draco::DecodeVarint(&faces, &buffer) && draco::DecodeVarint(&vertices, &buffer);
  } else {
    whole = buffer.Decode(&method) && draco::DecodeVarint(&vertices, &buffer) && draco::DecodeVarint(&faces, &buffer) &&
            buffer.Decode(&groups) && draco::DecodeVarint(&symbols, &buffer) && draco::DecodeVarint(&splits, &buffer);
  }
  if (!whole) throw damaged(input.where, "the Draco data ends too early");
  const std::uint64_t corners = 3 * std::uint64_t{faces};
  const std::uint64_t all_vertices = std::uint64_t{vertices} + splits;
  // Every group of attributes has a table of all corners.
  if (corners > max_elements || all_vertices > max_elements || corners * (groups + 1u) > 16 * max_elements) {
    throw Error(ErrorCode::too_large, input.where + " declares " + std::to_string(faces) + " triangles and " +
                                          std::to_string(all_vertices) + " vertices; the limit is " +
                                          std::to_string(max_elements));
  }
}

bool same_type(draco::DataType type, Component component) {
  switch (component) {
    case Component::i8:
      return type == draco::DT_INT8;
    case Component::u8:
      return type == draco::DT_UINT8 || type == draco::DT_BOOL;
    case Component::i16:
      return type == draco::DT_INT16;
    case Component::u16:
      return type == draco::DT_UINT16;
    case Component::u32:
      return type == draco::DT_UINT32;
    default:
      return type == draco::DT_FLOAT32;
  }
}

template <typename T>
bool convert(const draco::PointAttribute& from, std::uint32_t value, int components, std::byte* out) {
  T row[4];
  if (!from.ConvertValue<T>(draco::AttributeValueIndex(value), static_cast<std::int8_t>(components), row)) return false;
  std::memcpy(out, row, sizeof(T) * static_cast<std::size_t>(components));
  return true;
}

bool convert(const draco::PointAttribute& from, std::uint32_t value, const DracoAttribute& to, std::byte* out) {
  switch (to.component) {
    case Component::i8:
      return convert<std::int8_t>(from, value, to.components, out);
    case Component::u8:
      return convert<std::uint8_t>(from, value, to.components, out);
    case Component::i16:
      return convert<std::int16_t>(from, value, to.components, out);
    case Component::u16:
      return convert<std::uint16_t>(from, value, to.components, out);
    case Component::u32:
      return convert<std::uint32_t>(from, value, to.components, out);
    default:
      return convert<float>(from, value, to.components, out);
  }
}

// What the attribute's values may be read from: every value index below this lies inside its buffer.
std::size_t values_of(const draco::PointAttribute& attribute, std::size_t row) {
  if (attribute.buffer() == nullptr || attribute.byte_stride() <= 0) return 0;
  const std::size_t stride = static_cast<std::size_t>(attribute.byte_stride());
  const std::size_t bytes = attribute.buffer()->data_size();
  if (attribute.byte_offset() != 0 || stride < row) return 0;
  return std::min(attribute.size(), bytes / stride);
}

Bytes attribute_rows(const draco::Mesh& mesh, const DracoAttribute& wanted, const std::string& where) {
  const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(static_cast<std::uint32_t>(wanted.id));
  if (attribute == nullptr) throw damaged(where, "the Draco data has no attribute " + std::to_string(wanted.id));
  const int components = attribute->num_components();
  if (components != wanted.components) {
    throw damaged(where, "a compressed attribute has " + std::to_string(components) + " components instead of " +
                             std::to_string(wanted.components));
  }
  const bool same = same_type(attribute->data_type(), wanted.component);
  const std::size_t row =
      static_cast<std::size_t>(components) * static_cast<std::size_t>(draco::DataTypeLength(attribute->data_type()));
  const std::size_t values = values_of(*attribute, row), points = mesh.num_points(), stride = draco_stride(wanted);
  Bytes rows(points * stride);
  if (points == 0) return rows;
  if (values == 0) throw damaged(where, "a compressed attribute has too few values");
  const bool identity = attribute->is_mapping_identity();
  if ((identity ? points > values : attribute->indices_map_size() < points)) {
    throw damaged(where, "a compressed attribute has too few values");
  }
  if (identity && same && stride == row && static_cast<std::size_t>(attribute->byte_stride()) == row && points > 0) {
    std::memcpy(rows.data(), attribute->GetAddress(draco::AttributeValueIndex(0)), rows.size());
    return rows;
  }
  const auto each = [&](auto copy) {
    for (std::size_t point = 0; point < points; ++point) {
      const std::uint32_t value = attribute->mapped_index(draco::PointIndex(static_cast<std::uint32_t>(point))).value();
      if (value >= values) throw damaged(where, "a compressed attribute has too few values");
      copy(rows.data() + point * stride, value);
    }
  };
  const std::uint8_t* from = attribute->buffer()->data();
  const auto from_stride = static_cast<std::size_t>(attribute->byte_stride());
  if (!same) {
    each([&](std::byte* out, std::uint32_t value) {
      if (convert(*attribute, value, wanted, out)) return;
      throw damaged(where, "a compressed attribute has a value that its accessor's type cannot hold");
    });
  } else if (row == 12) {  // copies of a known size are a few instructions
    each([&](std::byte* out, std::uint32_t value) { std::memcpy(out, from + value * from_stride, 12); });
  } else if (row == 8) {
    each([&](std::byte* out, std::uint32_t value) { std::memcpy(out, from + value * from_stride, 8); });
  } else {
    each([&](std::byte* out, std::uint32_t value) { std::memcpy(out, from + value * from_stride, row); });
  }
  return rows;
}

DracoMesh decode_one(const DracoInput& input, const LoadOptions& options, std::uint64_t& bytes_left) {
  check_declared_counts(input, options.max_elements);
  draco::DecoderBuffer buffer = buffer_of(input);
  draco::StatusOr<std::unique_ptr<draco::Mesh>> decoded = draco::Decoder().DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok() || decoded.value() == nullptr) {
    throw damaged(input.where, "the compressed mesh is damaged");
  }
  const draco::Mesh& mesh = *decoded.value();
  DracoMesh result;
  result.points = mesh.num_points();
  std::uint64_t bytes = 12 * std::uint64_t{mesh.num_faces()};
  for (const DracoAttribute& attribute : input.attributes) bytes += result.points * draco_stride(attribute);
  if (result.points > options.max_elements || bytes > bytes_left) {
    throw Error(ErrorCode::too_large, input.where + " becomes larger than the limits allow when it is decompressed");
  }
  bytes_left -= bytes;
  result.indices.reserve(3 * static_cast<std::size_t>(mesh.num_faces()));
  for (std::uint32_t f = 0; f < mesh.num_faces(); ++f) {
    for (const draco::PointIndex& corner : mesh.face(draco::FaceIndex(f))) {
      if (corner.value() >= result.points) throw damaged(input.where, "a compressed triangle has no such vertex");
      result.indices.push_back(corner.value());
    }
  }
  for (const DracoAttribute& attribute : input.attributes) {
    result.attributes.push_back(attribute_rows(mesh, attribute, input.where));
  }
  return result;
}

template <typename Archive>
void archive_meshes(Archive& archive, std::vector<DracoMesh>& meshes) {
  archive_list(archive, meshes, [&](DracoMesh& mesh) {
    archive_value(archive, mesh.points);
    archive_array(archive, mesh.indices);
    archive_list(archive, mesh.attributes, [&](Bytes& rows) { archive_array(archive, rows); });
  });
}

std::vector<DracoMesh> decode_here(const std::vector<DracoInput>& inputs, const LoadOptions& options,
                                   std::uint64_t max_bytes) {
  std::vector<DracoMesh> meshes;
  for (const DracoInput& input : inputs) {
    try {
      meshes.push_back(decode_one(input, options, max_bytes));
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::reader_failed, "the Draco reader ran out of memory on " + input.where);
    }
  }
  return meshes;
}

}  // namespace

std::size_t draco_stride(const DracoAttribute& attribute) {
  return (component_size(attribute.component) * static_cast<std::size_t>(attribute.components) + 3) / 4 * 4;
}

std::vector<DracoMesh> decode_draco(const std::vector<DracoInput>& inputs, const LoadOptions& options,
                                    std::uint64_t max_bytes) {
  if (inputs.empty()) return {};
  if (!options.isolate) return decode_here(inputs, options, max_bytes);
  std::uint64_t size = 0;
  for (const DracoInput& input : inputs) size += input.bytes.size();
  SandboxLimits limits;
  limits.cpu_seconds = 30.0 + 2e-6 * static_cast<double>(size);
  limits.extra_bytes = (std::uint64_t{2} << 30) + 256 * size;
  const std::string bytes = run_sandboxed(
      "the Draco reader",
      [&] {
        std::vector<DracoMesh> meshes = decode_here(inputs, options, max_bytes);
        ArchiveWriter writer;
        archive_meshes(writer, meshes);
        return std::move(writer.bytes);
      },
      limits);
  std::vector<DracoMesh> meshes;
  ArchiveReader reader(bytes);
  archive_meshes(reader, meshes);
  if (meshes.size() != inputs.size()) throw Error(ErrorCode::internal, "a result between two processes was cut off");
  return meshes;
}

}  // namespace sinew::gltf
