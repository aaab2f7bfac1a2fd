#include "sinew/asset/gltf_build.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sinew::gltf {
namespace {

template <typename T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

std::span<const float> floats_of(const std::vector<Vec3f>& values) {
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

int Builder::add_accessor(std::span<const std::byte> bytes, Component component, const char* type, std::size_t count,
                          ViewTarget target, bool normalised) {
  Json view = {{"buffer", buffer}, {"byteOffset", base + added.size()}, {"byteLength", bytes.size()}};
  if (target != ViewTarget::none) view["target"] = static_cast<int>(target);
  added.insert(added.end(), bytes.begin(), bytes.end());
  added.resize((added.size() + 3) / 4 * 4);
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
  std::vector<Vec3f> positions(source.begin(), source.end());
  if (!from_character.matrix().isIdentity(0.0)) {
    for (Vec3f& position : positions) position = (from_character * position.cast<double>()).cast<float>();
  }
  const int accessor =
      builder.add_accessor(bytes_of(positions), Component::f32, "VEC3", positions.size(), ViewTarget::vertices);
  builder.set_bounds(accessor, floats_of(positions), 3);
  return accessor;
}

int add_normals(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character) {
  const Mat3d linear = from_character.linear().inverse().transpose();
  std::vector<Vec3f> normals;
  normals.reserve(part.vertex_count);
  for (const Vec3f& normal : slice(mesh.normals, part)) {
    const Vec3d turned = linear * normal.cast<double>();
    const double length = turned.norm();
    normals.push_back(length > 1e-12 ? Vec3f((turned / length).cast<float>()) : Vec3f(0, 0, 1));
  }
  return builder.add_accessor(bytes_of(normals), Component::f32, "VEC3", normals.size(), ViewTarget::vertices);
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
  return builder.add_accessor(bytes_of(tangents), Component::f32, "VEC4", tangents.size(), ViewTarget::vertices);
}

int add_uvs(Builder& builder, const TriangleMesh& mesh, const Part& part) {
  return builder.add_accessor(std::as_bytes(slice(mesh.uvs, part)), Component::f32, "VEC2", part.vertex_count,
                              ViewTarget::vertices);
}

int add_colors(Builder& builder, const TriangleMesh& mesh, const Part& part) {
  std::vector<Vec4f> colors;
  colors.reserve(part.vertex_count);
  for (const Vec4f& color : slice(mesh.colors, part)) colors.push_back(color.cwiseMax(0.0f).cwiseMin(1.0f));
  return builder.add_accessor(bytes_of(colors), Component::f32, "VEC4", colors.size(), ViewTarget::vertices);
}

int add_indices(Builder& builder, const TriangleMesh& mesh, const Part& part, bool flip) {
  const auto first = static_cast<std::uint32_t>(part.first_vertex);
  std::vector<std::uint32_t> wide;
  wide.reserve(part.triangle_count * 3);
  for (std::size_t i = part.first_triangle; i < part.first_triangle + part.triangle_count; ++i) {
    const Triangle& t = mesh.triangles[i];
    wide.insert(wide.end(), {t[0] - first, t[flip ? 2 : 1] - first, t[flip ? 1 : 2] - first});
  }
  if (part.vertex_count <= 65535) {  // the largest index of a type restarts primitives and may not be used
    const std::vector<std::uint16_t> narrow(wide.begin(), wide.end());
    return builder.add_accessor(bytes_of(narrow), Component::u16, "SCALAR", narrow.size(), ViewTarget::indices);
  }
  return builder.add_accessor(bytes_of(wide), Component::u32, "SCALAR", wide.size(), ViewTarget::indices);
}

}  // namespace sinew::gltf
