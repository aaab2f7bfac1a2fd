#include "sinew/asset/gltf/gltf_lods.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/asset/gltf/gltf_patch.h"

namespace sinew {
namespace {

using namespace gltf;

const Document& document_of(const Character& character) { return dynamic_cast<const Document&>(*character.source); }

// Picks the level's vertices of one part out of every attribute of its primitive.
Json picked_primitive(Patch& patch, const PartSource& source, const Part& part, const GltfLevel& level,
                      std::size_t first_vertex) {
  std::vector<std::uint32_t> elements;
  for (std::size_t i = part.first_vertex; i < part.first_vertex + part.vertex_count; ++i) {
    const std::uint32_t local = level.vertices[i] - static_cast<std::uint32_t>(first_vertex);
    elements.push_back(source.vertex_of.empty() ? local : source.vertex_of[local]);
  }
  Json primitive = patch.source.json["meshes"][source.mesh]["primitives"][source.primitive];
  const auto gather = [&](Json& accessor) {
    accessor = gather_accessor(patch.builder, patch.source, accessor.get<int>(), elements);
  };
  for (auto& [name, accessor] : primitive["attributes"].items()) gather(accessor);
  if (primitive.contains("targets")) {
    for (Json& target : primitive["targets"]) {
      for (auto& [name, accessor] : target.items()) gather(accessor);
    }
  }
  primitive.erase("mode");
  primitive["indices"] = add_indices(patch.builder, *level.mesh, part, source.to_character.linear().determinant() < 0);
  return primitive;
}

// The mesh of a node with its parts replaced by the level's; null when the level has nothing of it.
Json level_mesh(Patch& patch, int node, const GltfLevel& level) {
  const std::vector<Part> fine = parts_of(patch.character);
  std::vector<Part> parts(level.parts.begin(), level.parts.end());
  if (parts.empty()) {
    parts = fine;
    parts[0].vertex_count = level.vertices.size();
    parts[0].triangle_count = level.mesh->triangles.size();
  }
  Json primitives = Json::array();
  int mesh = -1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PartSource& source = patch.source.parts[i];
    if (source.node != node || parts[i].triangle_count == 0) continue;
    mesh = source.mesh;
    primitives.push_back(picked_primitive(patch, source, parts[i], level, fine[i].first_vertex));
  }
  if (mesh < 0) return nullptr;
  Json result = patch.source.json["meshes"][mesh];
  result["primitives"] = std::move(primitives);
  return result;
}

std::vector<int> mesh_nodes(const Document& source) {
  std::vector<int> nodes;
  for (const PartSource& part : source.parts) nodes.push_back(part.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void add_levels_of_node(Patch& patch, int node, std::span<const GltfLevel> coarser) {
  Json ids = Json::array(), coverage = Json::array();
  const auto finest = static_cast<double>(patch.character.mesh.vertex_count());
  for (std::size_t i = 0; i < coarser.size(); ++i) {
    Json mesh = level_mesh(patch, node, coarser[i]);
    if (mesh.is_null()) break;  // points and lines have no coarser levels
    const std::string suffix = "_lod" + std::to_string(i + 1);
    mesh["name"] = mesh.value("name", "mesh") + suffix;
    Json lod = {{"name", patch.node(node).value("name", "node") + suffix}};
    for (const char* key : {"skin", "matrix", "translation", "rotation", "scale", "weights"}) {
      if (patch.node(node).contains(key)) lod[key] = patch.node(node)[key];
    }
    lod["mesh"] = patch.builder.push("meshes", std::move(mesh));
    ids.push_back(patch.builder.push("nodes", std::move(lod)));
    // On the screen a character of n vertices is as dense as the finest one at the square root of n.
    const double share = static_cast<double>(coarser[i].vertices.size()) / finest;
    coverage.push_back(std::round(1000 * std::sqrt(share)) / 1000);
  }
  if (ids.empty()) return;
  coverage.push_back(0.0);
  patch.node(node)["extensions"]["MSFT_lod"]["ids"] = std::move(ids);
  patch.node(node)["extras"]["MSFT_screencoverage"] = std::move(coverage);
}

}  // namespace

WrittenCharacter write_gltf_lods(const Character& character, std::span<const GltfLevel> coarser, FileFormat format,
                                 const SaveOptions& options) {
  const Character source = with_document(character);
  Patch patch(source, document_of(source), options);
  patch.changed = true;
  for (const int node : mesh_nodes(patch.source)) add_levels_of_node(patch, node, coarser);
  Json& used = patch.builder.array("extensionsUsed");
  if (std::find(used.begin(), used.end(), "MSFT_lod") == used.end()) used.push_back("MSFT_lod");
  return joined(write_patch(patch, format));
}

WrittenCharacter write_gltf_level(const Character& character, const GltfLevel& level, FileFormat format,
                                  const SaveOptions& options) {
  const Character source = with_document(character);
  Patch patch(source, document_of(source), options);
  patch.changed = true;
  for (const int node : mesh_nodes(patch.source)) {
    Json mesh = level_mesh(patch, node, level);
    if (mesh.is_null()) continue;
    const int old = patch.mesh_of_node[node];
    if (std::count(patch.mesh_of_node.begin(), patch.mesh_of_node.end(), old) > 1) {
      patch.mesh_of_node[node] = patch.builder.push("meshes", std::move(mesh));
      patch.node(node)["mesh"] = patch.mesh_of_node[node];
    } else {
      patch.json["meshes"][old] = std::move(mesh);
    }
  }
  return joined(write_patch(patch, format));
}

}  // namespace sinew
