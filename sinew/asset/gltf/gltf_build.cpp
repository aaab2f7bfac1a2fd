#include "sinew/asset/gltf/gltf_build.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sinew::gltf {
namespace {

std::span<const float> floats_of(std::span<const Vec3f> values) {
  return {values.empty() ? nullptr : values.front().data(), values.size() * 3};
}

template <typename T>
std::span<const T> slice(const std::vector<T>& values, const Part& part) {
  return std::span(values).subspan(part.first_vertex, part.vertex_count);
}

}  // namespace

Json& Builder::array(const char* name) {
  Json& member = json[name];
  if (!member.is_array()) member = Json::array();
  return member;
}

int Builder::push(const char* name, Json object) {
  Json& list = array(name);
  list.push_back(std::move(object));
  return static_cast<int>(list.size()) - 1;
}

std::size_t Builder::append(std::span<const std::byte> bytes) {
  static const std::array<std::byte, 4> zeros{};
  const std::size_t offset = base + added_bytes;
  const std::size_t padding = (4 - bytes.size() % 4) % 4;
  added.push_back(bytes);
  if (padding > 0) added.push_back(std::span(zeros).first(padding));
  added_bytes += bytes.size() + padding;
  return offset;
}

int Builder::add_borrowed(std::span<const std::byte> bytes, Component component, const char* type, std::size_t count,
                          ViewTarget target, bool normalised) {
  Json view = {{"buffer", buffer}, {"byteOffset", append(bytes)}, {"byteLength", bytes.size()}};
  if (target != ViewTarget::none) view["target"] = static_cast<int>(target);
  Json accessor = {{"bufferView", push("bufferViews", std::move(view))},
                   {"componentType", static_cast<int>(component)},
                   {"count", count},
                   {"type", type}};
  if (normalised) accessor["normalized"] = true;
  return push("accessors", std::move(accessor));
}

void Builder::set_bounds(int accessor, std::span<const float> values, int components) {
  const auto n = static_cast<std::size_t>(components);
  if (values.empty()) return;
  std::vector<float> low(values.begin(), values.begin() + components), high = low;
  for (std::size_t i = n; i < values.size(); i += n) {
    for (std::size_t c = 0; c < n; ++c) {
      low[c] = std::min(low[c], values[i + c]);
      high[c] = std::max(high[c], values[i + c]);
    }
  }
  Json& object = array("accessors")[static_cast<std::size_t>(accessor)];
  object["min"] = low;
  object["max"] = high;
}

int add_positions(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character) {
  const std::span<const Vec3f> source = slice(mesh.positions, part);
  if (from_character.matrix().isIdentity(0.0)) {
    const int accessor =
        builder.add_borrowed(std::as_bytes(source), Component::f32, "VEC3", source.size(), ViewTarget::vertices);
    builder.set_bounds(accessor, floats_of(source), 3);
    return accessor;
  }
  std::vector<Vec3f> positions;
  positions.reserve(source.size());
  for (const Vec3f& position : source) positions.push_back((from_character * position.cast<double>()).cast<float>());
  const std::span<const float> floats = floats_of(positions);  // stays valid: the vector is moved, not copied
  const int accessor =
      builder.add_values(std::move(positions), Component::f32, "VEC3", source.size(), ViewTarget::vertices);
  builder.set_bounds(accessor, floats, 3);
  return accessor;
}

int add_normals(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character) {
  const Eigen::Matrix3f linear = from_character.linear().inverse().transpose().cast<float>();
  std::vector<Vec3f> normals;
  normals.reserve(part.vertex_count);
  for (const Vec3f& normal : slice(mesh.normals, part)) {
    const Vec3f turned = linear * normal;
    const float length = turned.norm();
    normals.push_back(length > 1e-30f ? Vec3f(turned / length) : Vec3f(0, 0, 1));
  }
  return builder.add_values(std::move(normals), Component::f32, "VEC3", part.vertex_count, ViewTarget::vertices);
}

int add_tangents(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character) {
  const Mat3d linear = from_character.linear();
  const float side = linear.determinant() < 0 ? -1.0f : 1.0f;
  std::vector<Vec4f> tangents;
  tangents.reserve(part.vertex_count);
  for (const Vec4f& tangent : slice(mesh.tangents, part)) {
    const Vec3d turned = linear * tangent.head<3>().cast<double>();
    const double length = turned.norm();
    const Vec3f direction = length > 1e-12 ? Vec3f((turned / length).cast<float>()) : Vec3f(1, 0, 0);
    tangents.emplace_back(direction.x(), direction.y(), direction.z(), tangent.w() < 0 ? -side : side);
  }
  return builder.add_values(std::move(tangents), Component::f32, "VEC4", part.vertex_count, ViewTarget::vertices);
}

int add_uvs(Builder& builder, const TriangleMesh& mesh, const Part& part) {
  return builder.add_borrowed(std::as_bytes(slice(mesh.uvs, part)), Component::f32, "VEC2", part.vertex_count,
                              ViewTarget::vertices);
}

int add_colors(Builder& builder, const TriangleMesh& mesh, const Part& part) {
  std::vector<Vec4f> colors;
  colors.reserve(part.vertex_count);
  for (const Vec4f& color : slice(mesh.colors, part)) colors.push_back(color.cwiseMax(0.0f).cwiseMin(1.0f));
  return builder.add_values(std::move(colors), Component::f32, "VEC4", part.vertex_count, ViewTarget::vertices);
}

int add_indices(Builder& builder, const TriangleMesh& mesh, const Part& part, bool flip) {
  const std::span<const Triangle> triangles =
      std::span(mesh.triangles).subspan(part.first_triangle, part.triangle_count);
  const std::size_t count = part.triangle_count * 3;
  const auto first = static_cast<std::uint32_t>(part.first_vertex);
  const auto encode = [&]<typename T>(std::vector<T> indices, Component component) {
    indices.reserve(count);
    for (const Triangle& t : triangles) {
      for (const int corner : {0, flip ? 2 : 1, flip ? 1 : 2}) indices.push_back(static_cast<T>(t[corner] - first));
    }
    return builder.add_values(std::move(indices), component, "SCALAR", count, ViewTarget::indices);
  };
  // The largest index of a type restarts primitives and may not be used.
  if (part.vertex_count <= 65535) return encode(std::vector<std::uint16_t>(), Component::u16);
  if (first != 0 || flip) return encode(std::vector<std::uint32_t>(), Component::u32);
  return builder.add_borrowed(std::as_bytes(triangles), Component::u32, "SCALAR", count, ViewTarget::indices);
}

}  // namespace sinew::gltf
