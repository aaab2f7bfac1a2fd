#include "sinew/asset/gltf_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/asset/gltf_weights.h"

namespace sinew::gltf {
namespace {

const Json& primitive_of(const Document& document, const PartSource& source) {
  const Json& mesh = element(document.json, "meshes", source.mesh);
  const Json& primitive = array_member(mesh, "primitives", "a mesh")[static_cast<std::size_t>(source.primitive)];
  if (!primitive.is_object()) throw bad_input("a primitive is not an object");
  return primitive;
}

std::string describe(const PartSource& source) {
  return "mesh " + std::to_string(source.mesh) + ", primitive " + std::to_string(source.primitive);
}

// Which joint carries a mesh node rigidly: the nearest ancestor (or the node itself) in the skeleton. A helper counts
// only when some joint stands above it or an animation moves it; otherwise the mesh is fixed.
int carrying_joint(const Scene& scene, const Rig& rig, const std::vector<bool>& animated, int node) {
  int carrier = -1;
  bool moves = false;
  for (; node >= 0; node = scene.nodes[node].parent) {
    const int joint = rig.joint_of_node[node];
    if (joint < 0) continue;
    if (carrier < 0) carrier = joint;
    moves = moves || rig.skeleton.kinds[joint] != JointKind::helper || animated[node];
  }
  return moves ? carrier : -1;
}

std::vector<bool> animated_nodes(const Document& document, std::size_t node_count) {
  std::vector<bool> animated(node_count, false);
  const std::size_t animations = count_of(document.json, "animations");
  for (std::size_t i = 0; i < animations; ++i) {
    const Json& animation = element(document.json, "animations", static_cast<int>(i));
    for (const Json& channel : array_member(animation, "channels", "an animation")) {
      if (!channel.is_object() || !channel.contains("target") || !channel["target"].is_object()) continue;
      const int node = index_member(channel["target"], "node", node_count, "an animation channel");
      if (node >= 0) animated[node] = true;
    }
  }
  return animated;
}

struct Placement {
  PartSource source;
  PartBinding binding = PartBinding::fixed;
  int joint = -1;  // attached to
  std::string name, material;
};

void place_mesh_node(const Document& document, const Scene& scene, const Rig& rig, const std::vector<bool>& animated,
                     int node, std::vector<Placement>& placements, std::size_t& not_at_root, Warnings& warnings) {
  const std::string where = "node '" + scene.nodes[node].name + "'";
  const Json& object = element(document.json, "nodes", node);
  const int mesh = index_member(object, "mesh", count_of(document.json, "meshes"), where);
  if (mesh < 0) return;
  const int skin = index_member(object, "skin", rig.skins.size(), where);
  not_at_root += skin >= 0 && scene.nodes[node].parent >= 0;
  Placement placement;
  placement.source.node = node;
  placement.source.mesh = mesh;
  placement.source.skin = skin;
  placement.source.to_character = scene.nodes[node].global;
  if (skin >= 0) {
    placement.binding = PartBinding::skinned;
    placement.source.to_character = rig.skins[skin].to_character;
    placement.source.exact = rig.skins[skin].exact;
  } else if (placement.joint = carrying_joint(scene, rig, animated, node); placement.joint >= 0) {
    placement.binding = PartBinding::attached;
    const int carrier = rig.node_of_joint[placement.joint];
    Affine3d below = Affine3d::Identity();  // carrier space ← mesh space
    for (int at = node; at != carrier; at = scene.nodes[at].parent) below = scene.nodes[at].local * below;
    placement.source.to_character = rig.skeleton.rest[placement.joint] * below;
  }
  const Json& mesh_object = element(document.json, "meshes", mesh);
  const Json& primitives = array_member(mesh_object, "primitives", "mesh " + std::to_string(mesh));
  const std::size_t materials = count_of(document.json, "materials");
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    placement.source.primitive = static_cast<int>(i);
    const Json& primitive = primitive_of(document, placement.source);
    placement.name = scene.nodes[node].name + (primitives.size() > 1 ? "." + std::to_string(i) : "");
    const int material = index_member(primitive, "material", materials, describe(placement.source));
    placement.material = material < 0 ? ""
                                      : string_member(element(document.json, "materials", material), "name",
                                                      "material " + std::to_string(material), "a material");
    // A skin without joint attributes, or joint attributes without a skin: the primitive follows its node.
    Placement placed = placement;
    if (skin >= 0 && attribute_accessor(document, primitive, "JOINTS_0") < 0) {
      warnings.push_back({"skin-without-weights", describe(placement.source) + " has a skin but no joint attributes"});
    }
    placements.push_back(std::move(placed));
  }
}

// Appends the primitive's triangles, whatever its mode (3.7.2.1). Returns false for lines, which the library has no
// use for.
bool read_topology(const Json& primitive, const std::string& where, const std::vector<std::uint32_t>& indices,
                   bool flip, std::uint32_t first_vertex, std::vector<Triangle>& triangles) {
  const std::uint64_t mode = unsigned_member(primitive, "mode", 4, where);
  const auto emit = [&](std::size_t a, std::size_t b, std::size_t c) {
    if (flip) std::swap(b, c);
    triangles.push_back({indices[a] + first_vertex, indices[b] + first_vertex, indices[c] + first_vertex});
  };
  const std::size_t count = indices.size();
  switch (mode) {
    case 0:
      return true;  // points: a part without triangles
    case 4:
      if (!flip && first_vertex == 0) {
        triangles.resize(triangles.size() + count / 3);
        std::memcpy(triangles.data() + triangles.size() - count / 3, indices.data(), count / 3 * sizeof(Triangle));
        return true;
      }
      for (std::size_t i = 0; i + 2 < count; i += 3) emit(i, i + 1, i + 2);
      return true;
    case 5:
      for (std::size_t i = 0; i + 2 < count; ++i) emit(i, i + 1 + i % 2, i + 2 - i % 2);
      return true;
    case 6:
      for (std::size_t i = 0; i + 2 < count; ++i) emit(0, i + 1, i + 2);
      return true;
    case 1:
    case 2:
    case 3:
      return false;
    default:
      throw bad_input(where + " has the unknown mode " + std::to_string(mode));
  }
}

// Whether another primitive of the mesh uses the same vertices: then each part takes only those it needs.
bool shares_vertices(const Document& document, const PartSource& source, int positions) {
  const Json& mesh = element(document.json, "meshes", source.mesh);
  int users = 0;
  for (const Json& primitive : array_member(mesh, "primitives", "a mesh")) {
    users += primitive.is_object() && attribute_accessor(document, primitive, "POSITION") == positions;
  }
  return users > 1;
}

// Renumbers `indices` to the vertices they use, in ascending order; returns which these are.
std::vector<std::uint32_t> compact(std::vector<std::uint32_t>& indices, std::size_t vertex_count) {
  std::vector<std::uint32_t> new_index(vertex_count, 0), used;
  for (const std::uint32_t index : indices) new_index[index] = 1;
  for (std::size_t i = 0; i < vertex_count; ++i) {
    if (new_index[i] == 0) continue;
    new_index[i] = static_cast<std::uint32_t>(used.size());
    used.push_back(static_cast<std::uint32_t>(i));
  }
  for (std::uint32_t& index : indices) index = new_index[index];
  return used;
}

std::vector<std::uint32_t> read_indices(const Document& document, const Json& primitive, std::size_t vertex_count,
                                        const std::string& where) {
  const int accessor = index_member(primitive, "indices", count_of(document.json, "accessors"), where);
  if (accessor < 0) {
    std::vector<std::uint32_t> indices(vertex_count);
    for (std::size_t i = 0; i < vertex_count; ++i) indices[i] = static_cast<std::uint32_t>(i);
    return indices;
  }
  std::vector<std::uint32_t> indices = read_unsigned(accessor_view(document, accessor), 1);
  const auto largest = std::max_element(indices.begin(), indices.end());
  if (largest != indices.end() && *largest >= vertex_count) {
    throw bad_input(where + " uses vertex " + std::to_string(*largest) + " but has only " +
                    std::to_string(vertex_count));
  }
  return indices;
}

// Reads topology and vertex counts of all parts, so that every array can be allocated once.
void read_part_topology(Document& document, std::vector<Placement>& placements, Character& character) {
  std::uint64_t elements = 0, lines = 0;
  std::vector<Placement> kept;
  for (Placement& placement : placements) {
    const std::string where = describe(placement.source);
    const Json& primitive = primitive_of(document, placement.source);
    const int positions = attribute_accessor(document, primitive, "POSITION");
    if (positions < 0) {
      character.warnings.push_back({"primitive-without-positions", where + " has no POSITION; left out"});
      continue;
    }
    std::size_t vertex_count = accessor_view(document, positions).count;
    std::vector<std::uint32_t> indices = read_indices(document, primitive, vertex_count, where);
    elements += vertex_count + indices.size();
    if (elements > document.limits.max_elements) {
      throw bad_input("the meshes have more than " + std::to_string(document.limits.max_elements) +
                      " vertices and indices");
    }
    if (primitive.contains("indices") && shares_vertices(document, placement.source, positions)) {
      placement.source.vertex_of = compact(indices, vertex_count);
      vertex_count = placement.source.vertex_of.size();
    }
    Part part;
    part.name = placement.name;
    part.material = placement.material;
    part.binding = placement.binding;
    part.first_vertex =
        character.parts.empty() ? 0 : character.parts.back().first_vertex + character.parts.back().vertex_count;
    part.first_triangle = character.mesh.triangles.size();
    part.vertex_count = vertex_count;
    const bool flip = placement.source.to_character.linear().determinant() < 0;
    character.mesh.triangles.reserve(character.mesh.triangles.size() + indices.size() / 3);
    if (!read_topology(primitive, where, indices, flip, static_cast<std::uint32_t>(part.first_vertex),
                       character.mesh.triangles)) {
      ++lines;
      continue;
    }
    part.triangle_count = character.mesh.triangles.size() - part.first_triangle;
    character.parts.push_back(std::move(part));
    kept.push_back(std::move(placement));
  }
  if (lines > 0) {
    character.warnings.push_back({"lines-ignored", std::to_string(lines) + " line primitives are not part of the "
                                                                           "mesh; they stay in the file"});
  }
  placements = std::move(kept);
}

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
    throw bad_input(describe(source) + ": " + name + " has " + std::to_string(view.count) + " entries for " +
                    std::to_string(expected) + " vertices");
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

void read_positions(const Document& document, const Part& part, const PartSource& source, TriangleMesh& mesh,
                    std::size_t& wrong_bounds) {
  const std::span<Vec3f> positions = std::span(mesh.positions).subspan(part.first_vertex, part.vertex_count);
  if (positions.empty()) return;
  read_attribute(document, part, source, "POSITION", 3, positions.data()->data());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!positions[i].allFinite()) {
      throw bad_input(describe(source) + ": the position of vertex " + std::to_string(i) + " is not finite");
    }
  }
  check_bounds(document, source, positions, wrong_bounds);
  if (!source.exact || source.to_character.matrix().isIdentity(0.0)) return;
  const Eigen::Affine3f transform = source.to_character.cast<float>();
  for (Vec3f& position : positions) position = transform * position;
  if (!std::all_of(positions.begin(), positions.end(), [](const Vec3f& p) { return p.allFinite(); })) {
    throw bad_input(describe(source) + ": its node's transform takes vertices beyond all size");
  }
}

struct NormalCounts {
  std::size_t not_unit = 0, missing = 0;
};

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

// Optional attributes exist for the whole mesh when a part has them; the others get computed normals, UV 0, white.
// Tangents cannot be made up, so all parts must have them.
void allocate_attributes(const Document& document, std::size_t vertex_count, TriangleMesh& mesh) {
  const std::size_t all = document.parts.size();
  mesh.positions.resize(vertex_count);
  if (parts_with(document, document.parts, "NORMAL") > 0) mesh.normals.resize(vertex_count);
  if (all > 0 && parts_with(document, document.parts, "TANGENT") == all) mesh.tangents.resize(vertex_count);
  if (parts_with(document, document.parts, "TEXCOORD_0") > 0) mesh.uvs.assign(vertex_count, Vec2f::Zero());
  if (parts_with(document, document.parts, "COLOR_0") > 0) mesh.colors.assign(vertex_count, Vec4f::Ones());
}

}  // namespace

int attribute_accessor(const Document& document, const Json& primitive, const std::string& name) {
  const auto attributes = primitive.find("attributes");
  if (attributes == primitive.end()) return -1;
  if (!attributes->is_object()) throw bad_input("a primitive's 'attributes' is not an object");
  return index_member(*attributes, name.c_str(), count_of(document.json, "accessors"), "a primitive");
}

void read_meshes(Document& document, const Scene& scene, const Rig& rig, Character& character) {
  const std::vector<bool> animated = animated_nodes(document, scene.nodes.size());
  std::vector<Placement> placements;
  std::size_t not_at_root = 0;
  for (const int node : scene.order) {
    if (scene.nodes[node].in_scene) {
      place_mesh_node(document, scene, rig, animated, node, placements, not_at_root, character.warnings);
    }
  }
  read_part_topology(document, placements, character);
  std::vector<int> attached_to;
  for (Placement& placement : placements) {
    const Part& part = character.parts[document.parts.size()];
    placement.source.name = part.name;
    placement.source.vertex_count = part.vertex_count;
    placement.source.binding = part.binding;
    document.parts.push_back(std::move(placement.source));
    attached_to.push_back(placement.joint);
  }
  const std::size_t vertex_count =
      character.parts.empty() ? 0 : character.parts.back().first_vertex + character.parts.back().vertex_count;
  allocate_attributes(document, vertex_count, character.mesh);

  std::size_t wrong_bounds = 0;
  NormalCounts normals;
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    read_positions(document, character.parts[i], document.parts[i], character.mesh, wrong_bounds);
  }
  read_weights(document, rig, attached_to, character);
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    const Part& part = character.parts[i];
    const PartSource& source = document.parts[i];
    if (!character.mesh.normals.empty()) read_normals(document, part, source, character.mesh, normals);
    if (!character.mesh.tangents.empty()) read_tangents(document, part, source, character.mesh);
    read_uvs_and_colors(document, part, source, character.mesh);
  }
  const auto warn = [&](std::size_t count, const char* code, const std::string& message) {
    if (count > 0) character.warnings.push_back({code, std::to_string(count) + message});
  };
  warn(not_at_root, "skinned-mesh-not-at-root",
       " skinned meshes are not at the root of the scene; the transforms above them play no part");
  warn(wrong_bounds, "bounds-wrong", " POSITION accessors have a min or max that is missing or wrong");
  warn(normals.not_unit, "normals-not-unit", " normals are not of unit length; normalised");
  warn(normals.missing, "normals-zero", " normals have no direction; taken from the triangles");
}

}  // namespace sinew::gltf
