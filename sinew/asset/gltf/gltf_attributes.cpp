#include <algorithm>
#include <cmath>

#include "sinew/asset/gltf/gltf_mesh.h"

namespace sinew::gltf {
namespace {

// Reads an attribute of a part into `out` (part.vertex_count rows).
bool read_attribute(const Document& document, const Part& part, const PartSource& source, const std::string& name,
                    int components, float* out) {
  const int accessor = attribute_accessor(document, primitive_of(document, source), name);
  if (accessor < 0) return false;
  const AccessorView view = accessor_view(document, accessor);
  const std::size_t expected =
      source.vertex_of.empty()
          ? part.vertex_count
          : accessor_view(document, attribute_accessor(document, primitive_of(document, source), "POSITION")).count;
  if (view.count != expected) {
    throw Error(ErrorCode::file_damaged, describe(source) + ": " + name + " has " + std::to_string(view.count) +
                                             " entries for " + std::to_string(expected) + " vertices");
  }
  if (source.vertex_of.empty()) {
    read_floats(view, components, out);
    return true;
  }
  const std::vector<float> all = read_floats(view, components);
  for (const std::uint32_t vertex : source.vertex_of) {
    out = std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(vertex) * components, components, out);
  }
  return true;
}

void check_bounds(const Document& document, const PartSource& source, std::span<const Vec3f> positions,
                  std::size_t& wrong) {
  if (positions.empty() || !source.vertex_of.empty()) return;
  const int index = attribute_accessor(document, primitive_of(document, source), "POSITION");
  const AccessorView view = accessor_view(document, index);
  if (view.component != Component::f32) return;
  Vec3f low = positions[0], high = positions[0];
  for (const Vec3f& position : positions) {
    low = low.cwiseMin(position);
    high = high.cwiseMax(position);
  }
  double minimum[3], maximum[3];
  const Json& object = element(document.json, "accessors", index);
  if (!numbers_member(object, "min", minimum, "a POSITION accessor") ||
      !numbers_member(object, "max", maximum, "a POSITION accessor")) {
    ++wrong;
    return;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (static_cast<float>(minimum[axis]) != low[axis] || static_cast<float>(maximum[axis]) != high[axis]) {
      ++wrong;
      return;
    }
  }
}

void read_part_positions(const Document& document, const Part& part, const PartSource& source, TriangleMesh& mesh,
                         std::size_t& wrong_bounds) {
  const std::span<Vec3f> positions = std::span(mesh.positions).subspan(part.first_vertex, part.vertex_count);
  if (positions.empty()) return;
  read_attribute(document, part, source, "POSITION", 3, positions.data()->data());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!positions[i].allFinite()) {
      throw Error(ErrorCode::mesh_invalid,
                  describe(source) + ": the position of vertex " + std::to_string(i) + " is not finite");
    }
  }
  check_bounds(document, source, positions, wrong_bounds);
  if (!source.exact || source.to_character.matrix().isIdentity(0.0)) return;
  const Eigen::Affine3f transform = source.to_character.cast<float>();
  for (Vec3f& position : positions) position = transform * position;
  if (!std::all_of(positions.begin(), positions.end(), [](const Vec3f& p) { return p.allFinite(); })) {
    throw Error(ErrorCode::mesh_invalid, describe(source) + ": its node's transform makes positions infinite");
  }
}

// Unit normals in character space; those of length zero are taken from the triangles.
void read_normals(const Document& document, const Part& part, const PartSource& source, TriangleMesh& mesh,
                  NormalCounts& counts) {
  const std::span<Vec3f> normals = std::span(mesh.normals).subspan(part.first_vertex, part.vertex_count);
  if (normals.empty()) return;
  const bool given = read_attribute(document, part, source, "NORMAL", 3, normals.data()->data());
  const bool moves = !source.to_character.linear().isIdentity(0.0);
  const Eigen::Matrix3f linear = source.to_character.linear().inverse().transpose().cast<float>();
  bool some_missing = !given;
  for (Vec3f& normal : normals) {
    if (!given) break;
    const float length2 = normal.squaredNorm();
    if (!(length2 > 1e-12f) || !std::isfinite(length2)) {
      normal.setZero();
      some_missing = true;
      ++counts.missing;
      continue;
    }
    counts.not_unit += std::abs(length2 - 1.0f) > 0.0135f;
    if (moves)
      normal = (linear * normal).normalized();
    else if (std::abs(length2 - 1.0f) > 1e-6f)
      normal /= std::sqrt(length2);
  }
  if (!some_missing) return;
  std::vector<Triangle> local(
      mesh.triangles.begin() + static_cast<std::ptrdiff_t>(part.first_triangle),
      mesh.triangles.begin() + static_cast<std::ptrdiff_t>(part.first_triangle + part.triangle_count));
  for (Triangle& triangle : local) {
    for (std::uint32_t& corner : triangle) corner -= static_cast<std::uint32_t>(part.first_vertex);
  }
  const auto begin = mesh.positions.begin() + static_cast<std::ptrdiff_t>(part.first_vertex);
  const std::vector<Vec3f> computed =
      vertex_normals({begin, begin + static_cast<std::ptrdiff_t>(part.vertex_count)}, local);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    if (!given || normals[i].isZero(0.0f)) normals[i] = computed[i];
  }
}

void read_tangents(const Document& document, const Part& part, const PartSource& source, TriangleMesh& mesh) {
  const std::span<Vec4f> tangents = std::span(mesh.tangents).subspan(part.first_vertex, part.vertex_count);
  if (tangents.empty()) return;
  read_attribute(document, part, source, "TANGENT", 4, tangents.data()->data());
  const Eigen::Matrix3f linear = source.to_character.linear().cast<float>();
  const float handedness = linear.determinant() < 0 ? -1.0f : 1.0f;
  for (Vec4f& tangent : tangents) {
    Vec3f direction = linear * tangent.head<3>();
    const float length = direction.norm();
    direction = length > 1e-12f && std::isfinite(length) ? Vec3f(direction / length) : Vec3f(1, 0, 0);
    tangent << direction, (tangent.w() < 0 ? -handedness : handedness);
  }
}

void read_uvs_and_colors(const Document& document, const Part& part, const PartSource& source, TriangleMesh& mesh) {
  if (part.vertex_count == 0) return;
  if (!mesh.uvs.empty()) {
    read_attribute(document, part, source, "TEXCOORD_0", 2, mesh.uvs[part.first_vertex].data());
  }
  const int colors = mesh.colors.empty() ? -1 : attribute_accessor(document, primitive_of(document, source), "COLOR_0");
  if (colors < 0) return;
  const int components = accessor_view(document, colors).components;
  if (components == 4) {
    read_attribute(document, part, source, "COLOR_0", 4, mesh.colors[part.first_vertex].data());
  } else {
    std::vector<float> rgb(part.vertex_count * 3);
    read_attribute(document, part, source, "COLOR_0", 3, rgb.data());
    for (std::size_t i = 0; i < part.vertex_count; ++i) {
      mesh.colors[part.first_vertex + i] << rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2], 1.0f;
    }
  }
}

std::size_t parts_with(const Document& document, const std::vector<PartSource>& sources, const std::string& name) {
  return static_cast<std::size_t>(std::count_if(sources.begin(), sources.end(), [&](const PartSource& source) {
    return attribute_accessor(document, primitive_of(document, source), name) >= 0;
  }));
}

}  // namespace

const Json& primitive_of(const Document& document, const PartSource& source) {
  const Json& mesh = element(document.json, "meshes", source.mesh);
  const Json& primitive = array_member(mesh, "primitives", "a mesh")[static_cast<std::size_t>(source.primitive)];
  if (!primitive.is_object()) throw Error(ErrorCode::file_damaged, "a primitive is not an object");
  return primitive;
}

std::string describe(const PartSource& source) {
  return "mesh " + std::to_string(source.mesh) + ", primitive " + std::to_string(source.primitive);
}

int attribute_accessor(const Document& document, const Json& primitive, const std::string& name) {
  const auto attributes = primitive.find("attributes");
  if (attributes == primitive.end()) return -1;
  if (!attributes->is_object()) throw Error(ErrorCode::file_damaged, "a primitive's 'attributes' is not an object");
  return index_member(*attributes, name.c_str(), count_of(document.json, "accessors"), "a primitive");
}

void allocate_attributes(const Document& document, std::size_t vertex_count, TriangleMesh& mesh) {
  const std::size_t all = document.parts.size();
  mesh.positions.resize(vertex_count);
  if (parts_with(document, document.parts, "NORMAL") > 0) mesh.normals.resize(vertex_count);
  if (all > 0 && parts_with(document, document.parts, "TANGENT") == all) mesh.tangents.resize(vertex_count);
  if (parts_with(document, document.parts, "TEXCOORD_0") > 0) mesh.uvs.assign(vertex_count, Vec2f::Zero());
  if (parts_with(document, document.parts, "COLOR_0") > 0) mesh.colors.assign(vertex_count, Vec4f::Ones());
}

std::size_t read_positions(const Document& document, Character& character) {
  std::size_t wrong_bounds = 0;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    read_part_positions(document, character.parts[i], document.parts[i], character.mesh, wrong_bounds);
  }
  return wrong_bounds;
}

NormalCounts read_other_attributes(const Document& document, Character& character) {
  NormalCounts normals;
  TriangleMesh& mesh = character.mesh;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    const PartSource& source = document.parts[i];
    if (!mesh.normals.empty()) read_normals(document, part, source, mesh, normals);
    if (!mesh.tangents.empty()) read_tangents(document, part, source, mesh);
    read_uvs_and_colors(document, part, source, mesh);
  }
  return normals;
}

}  // namespace sinew::gltf
