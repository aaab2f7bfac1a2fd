#include "sinew/asset/plain/ply_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sinew/asset/color_space.h"
#include "sinew/asset/plain/polygon.h"
#include "sinew/asset/plain/text_scanner.h"
#include "sinew/error.h"

namespace sinew {
namespace {

template <std::size_t Size>
using Columns = std::array<const PlyProperty*, Size>;

// The scalar properties of these names, when all are there.
template <std::size_t Size>
std::optional<Columns<Size>> columns(const PlyElement& vertex, const std::array<const char*, Size>& names) {
  Columns<Size> found;
  for (std::size_t i = 0; i < Size; ++i) {
    found[i] = vertex.find(names[i]);
    if (!found[i] || found[i]->is_list) return std::nullopt;
  }
  return found;
}

constexpr std::array<const char*, 3> position_names{"x", "y", "z"}, normal_names{"nx", "ny", "nz"};
constexpr std::array<const char*, 2> uv_names[] = {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};
constexpr std::array<const char*, 3> color_names[] = {{"red", "green", "blue"},
                                                      {"diffuse_red", "diffuse_green", "diffuse_blue"}};
constexpr std::array<const char*, 3> splat_names{"f_dc_0", "f_dc_1", "f_dc_2"};
constexpr double splat_band0 = 0.28209479177387814;  // the constant spherical harmonic, 1 / (2 √π)

template <std::size_t Size>
std::vector<Eigen::Matrix<float, Size, 1>> gather(const Columns<Size>& from, std::size_t count) {
  std::vector<Eigen::Matrix<float, Size, 1>> result(count);
  for (std::size_t c = 0; c < Size; ++c) {
    for (std::size_t i = 0; i < count; ++i) result[i][c] = static_cast<float>(from[c]->number(i));
  }
  return result;
}

// What stands for 1: the largest value of an integer type.
double full_scale(PlyType type) {
  switch (type) {
    case PlyType::int8:
      return 127.0;
    case PlyType::uint8:
      return 255.0;
    case PlyType::int16:
      return 32767.0;
    case PlyType::uint16:
      return 65535.0;
    case PlyType::float32:
    case PlyType::float64:
      return 1.0;
    default:
      return 255.0;  // int and uint are used for bytes, too
  }
}

std::vector<Vec4f> colors_of(const PlyElement& vertex) {
  std::vector<Vec4f> colors;
  for (const auto& names : color_names) {
    const auto rgb = columns(vertex, names);
    if (!rgb) continue;
    const PlyProperty* alpha = vertex.find("alpha");
    colors.assign(vertex.count, Vec4f::Ones());
    for (std::size_t i = 0; i < vertex.count; ++i) {
      for (int c = 0; c < 3; ++c) {
        colors[i][c] = linear_from_srgb(static_cast<float>((*rgb)[c]->number(i) / full_scale((*rgb)[c]->type)));
      }
      if (alpha && !alpha->is_list) colors[i][3] = static_cast<float>(alpha->number(i) / full_scale(alpha->type));
    }
    return colors;
  }
  const auto splat = columns(vertex, splat_names);
  if (!splat) return colors;
  const PlyProperty* opacity = vertex.find("opacity");
  colors.assign(vertex.count, Vec4f::Ones());
  for (std::size_t i = 0; i < vertex.count; ++i) {
    for (int c = 0; c < 3; ++c) {
      colors[i][c] = linear_from_srgb(static_cast<float>(0.5 + splat_band0 * (*splat)[c]->number(i)));
    }
    if (opacity && !opacity->is_list) colors[i][3] = static_cast<float>(1.0 / (1.0 + std::exp(-opacity->number(i))));
  }
  return colors;
}

const PlyProperty* index_list(const PlyElement& element) {
  for (const char* name : {"vertex_indices", "vertex_index"}) {
    const PlyProperty* found = element.find(name);
    if (found && found->is_list) return found;
  }
  return nullptr;
}

std::uint32_t checked_index(const PlyProperty& list, std::size_t at, std::size_t row, std::size_t vertex_count) {
  const double index = list.number(at);
  if (!(index >= 0) || index >= static_cast<double>(vertex_count)) {
    throw Error(ErrorCode::file_damaged, "face " + std::to_string(row) + " uses vertex " +
                                             std::to_string(static_cast<long long>(index)) + ", but there are " +
                                             std::to_string(vertex_count));
  }
  return static_cast<std::uint32_t>(index);
}

void add_polygons(const PlyProperty& list, std::size_t rows, TriangleMesh& mesh) {
  std::vector<std::uint32_t> polygon;
  std::vector<Vec3f> outline;
  std::vector<std::array<std::uint32_t, 3>> cut;
  mesh.triangles.reserve(list.value_count() / 3);
  for (std::size_t row = 0; row < rows; ++row) {
    polygon.clear();
    for (std::size_t i = list.list_begin(row); i < list.list_ends[row]; ++i) {
      polygon.push_back(checked_index(list, i, row, mesh.vertex_count()));
    }
    if (polygon.size() == 3) {
      mesh.triangles.push_back({polygon[0], polygon[1], polygon[2]});
      continue;
    }
    outline.clear();
    for (std::uint32_t corner : polygon) outline.push_back(mesh.positions[corner]);
    triangulate_polygon(outline, cut);
    for (const auto& t : cut) mesh.triangles.push_back({polygon[t[0]], polygon[t[1]], polygon[t[2]]});
  }
}

// Strips end at -1; every second triangle is turned round.
void add_strips(const PlyProperty& list, std::size_t rows, TriangleMesh& mesh) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::uint32_t> strip;
    for (std::size_t i = list.list_begin(row); i < list.list_ends[row]; ++i) {
      if (list.number(i) == -1.0) {
        strip.clear();
        continue;
      }
      strip.push_back(checked_index(list, i, row, mesh.vertex_count()));
      const std::size_t n = strip.size();
      if (n < 3) continue;
      Triangle t{strip[n - 3], strip[n - 2], strip[n - 1]};
      if (n % 2 == 0) std::swap(t[0], t[1]);
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
    }
  }
}

template <std::size_t Size>
void set_columns(PlyElement& vertex, const std::array<const char*, Size>& names, PlyType new_type,
                 const std::vector<Eigen::Matrix<float, static_cast<int>(Size), 1>>& values) {
  for (std::size_t c = 0; c < Size; ++c) {
    PlyProperty* property = vertex.find(names[c]);
    if (!property || property->is_list) property = &add_property(vertex, names[c], new_type);
    for (std::size_t i = 0; i < values.size(); ++i) property->set_number(i, values[i][c]);
  }
}

void set_colors(PlyElement& vertex, const std::vector<Vec4f>& colors) {
  const auto names = columns(vertex, color_names[1]) ? color_names[1] : color_names[0];
  const bool has_alpha = vertex.find("alpha") != nullptr ||
                         std::any_of(colors.begin(), colors.end(), [](const Vec4f& c) { return c[3] != 1.0f; });
  for (int c = 0; c < (has_alpha ? 4 : 3); ++c) {
    const char* name = c == 3 ? "alpha" : names[c];
    PlyProperty* property = vertex.find(name);
    if (!property || property->is_list) property = &add_property(vertex, name, PlyType::uint8);
    for (std::size_t i = 0; i < colors.size(); ++i) {
      const double value = c == 3 ? colors[i][3] : srgb_from_linear(colors[i][c]);
      property->set_number(i, value * full_scale(property->type));
    }
  }
}

void set_triangles(PlyDocument& document, const std::vector<Triangle>& triangles) {
  std::erase_if(document.elements, [](const PlyElement& e) { return e.name == "face" || e.name == "tristrips"; });
  if (triangles.empty()) return;
  PlyElement face;
  face.name = "face";
  face.count = triangles.size();
  PlyProperty list;
  list.name = "vertex_indices";
  list.is_list = true;
  list.type = PlyType::int32;
  list.values.resize(triangles.size() * 3 * sizeof(std::int32_t));
  for (std::size_t i = 0; i < 3 * triangles.size(); ++i) list.set_number(i, triangles[i / 3][i % 3]);
  for (std::size_t t = 1; t <= triangles.size(); ++t) list.list_ends.push_back(3 * t);
  face.properties.push_back(std::move(list));
  document.elements.push_back(std::move(face));
}

}  // namespace

TriangleMesh mesh_of(const PlyDocument& document) {
  TriangleMesh mesh;
  const PlyElement* vertex = document.find("vertex");
  if (!vertex) throw Error(ErrorCode::file_damaged, "it has no element 'vertex'");
  const auto positions = columns(*vertex, position_names);
  if (!positions) throw Error(ErrorCode::file_damaged, "its vertices have no x, y and z");
  mesh.positions = gather(*positions, vertex->count);
  if (const auto normals = columns(*vertex, normal_names)) mesh.normals = gather(*normals, vertex->count);
  // Gaussian splat files carry normals that are all zero: they have none.
  if (std::all_of(mesh.normals.begin(), mesh.normals.end(), [](const Vec3f& n) { return n.isZero(0.0f); })) {
    mesh.normals.clear();
  }
  for (const auto& names : uv_names) {
    const auto uvs = columns(*vertex, names);
    if (!uvs || !mesh.uvs.empty()) continue;
    mesh.uvs = gather(*uvs, vertex->count);
    for (Vec2f& uv : mesh.uvs) uv.y() = 1.0f - uv.y();
  }
  mesh.colors = colors_of(*vertex);
  for (const PlyElement& element : document.elements) {
    const PlyProperty* list = index_list(element);
    if (!list || element.count == 0) continue;
    if (element.name == "face") add_polygons(*list, element.count, mesh);
    if (element.name == "tristrips") add_strips(*list, element.count, mesh);
  }
  return mesh;
}

void set_mesh(PlyDocument& document, const TriangleMesh& mesh) {
  TriangleMesh before;
  if (document.elements.empty()) {
    PlyElement vertex;
    vertex.name = "vertex";
    vertex.count = mesh.vertex_count();
    document.elements.push_back(std::move(vertex));
  } else {
    before = mesh_of(document);
  }
  PlyElement& vertex = *std::find_if(document.elements.begin(), document.elements.end(),
                                     [](const PlyElement& e) { return e.name == "vertex"; });
  if (mesh.positions != before.positions || !vertex.find("x")) {
    set_columns(vertex, position_names, PlyType::float32, mesh.positions);
  }
  if (mesh.normals != before.normals && !mesh.normals.empty()) {
    set_columns(vertex, normal_names, PlyType::float32, mesh.normals);
  }
  if (mesh.uvs != before.uvs && !mesh.uvs.empty()) {
    std::vector<Vec2f> flipped = mesh.uvs;
    for (Vec2f& uv : flipped) uv.y() = 1.0f - uv.y();
    std::size_t convention = 0;
    while (convention < 2 && !columns(vertex, uv_names[convention])) ++convention;
    if (!columns(vertex, uv_names[convention])) convention = 0;
    set_columns(vertex, uv_names[convention], PlyType::float32, flipped);
  }
  if (mesh.colors != before.colors && !mesh.colors.empty()) set_colors(vertex, mesh.colors);
  if (mesh.triangles != before.triangles) set_triangles(document, mesh.triangles);
}

}  // namespace sinew
