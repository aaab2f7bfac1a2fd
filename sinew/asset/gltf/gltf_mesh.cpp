#include "sinew/asset/gltf/gltf_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sinew/asset/gltf/gltf_weights.h"

namespace sinew::gltf {
namespace {

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

// Appends the primitive's triangles, whatever its mode (3.7.2.1). Returns false for lines,
// which the library has no use for.
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
      if (!flip && first_vertex == 0 && count >= 3) {
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
      throw Error(ErrorCode::file_damaged, where + " has the unknown mode " + std::to_string(mode));
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
    throw Error(ErrorCode::file_damaged,
                where + " uses vertex " + std::to_string(*largest) + " but has only " + std::to_string(vertex_count));
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
    if (elements > document.options.max_elements) {
      throw Error(ErrorCode::too_large, "the meshes have more than " + std::to_string(document.options.max_elements) +
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

}  // namespace

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
  const std::size_t wrong_bounds = read_positions(document, character);
  read_weights(document, rig, attached_to, character);
  const NormalCounts normals = read_other_attributes(document, character);
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
