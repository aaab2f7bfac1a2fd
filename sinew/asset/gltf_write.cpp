#include <algorithm>
#include <map>

#include "sinew/asset/gltf.h"
#include "sinew/asset/gltf_build.h"
#include "sinew/asset/gltf_document.h"

namespace sinew {
namespace {

using gltf::Builder;
using gltf::Json;

std::vector<Part> parts_of(const Character& character) {
  if (!character.parts.empty() || character.mesh.positions.empty()) return character.parts;
  Part whole;
  whole.name = character.name.empty() ? "mesh" : character.name;
  whole.vertex_count = character.mesh.vertex_count();
  whole.triangle_count = character.mesh.triangles.size();
  whole.binding = character.has_skin() ? PartBinding::skinned : PartBinding::fixed;
  return {whole};
}

int material_index(Builder& builder, std::map<std::string, int>& known, const std::string& name) {
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  const int index = builder.push(
      "materials", {{"name", name}, {"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.8}}}});
  known.emplace(name, index);
  return index;
}

Json make_primitive(Builder& builder, const Character& character, const Part& part) {
  const TriangleMesh& mesh = character.mesh;
  const Affine3d same = Affine3d::Identity();
  Json attributes = {{"POSITION", gltf::add_positions(builder, mesh, part, same)}};
  if (!mesh.normals.empty()) attributes["NORMAL"] = gltf::add_normals(builder, mesh, part, same);
  if (!mesh.tangents.empty() && !mesh.normals.empty()) {
    attributes["TANGENT"] = gltf::add_tangents(builder, mesh, part, same);
  }
  if (!mesh.uvs.empty()) attributes["TEXCOORD_0"] = gltf::add_uvs(builder, mesh, part);
  if (!mesh.colors.empty()) attributes["COLOR_0"] = gltf::add_colors(builder, mesh, part);
  Json primitive = {{"attributes", std::move(attributes)}};
  if (part.triangle_count > 0) {
    primitive["indices"] = gltf::add_indices(builder, mesh, part, false);
  } else {
    primitive["mode"] = 0;
  }
  return primitive;
}

// The joint that carries an attached part: the one its first vertex names.
int carrier_of(const Character& character, const Part& part) {
  const std::size_t slot = part.first_vertex * static_cast<std::size_t>(character.weights.influences);
  return part.vertex_count > 0 && slot < character.weights.weights.size() && character.weights.weights[slot] > 0.0f
             ? character.weights.joints[slot]
             : -1;
}

Json matrix_of(const Affine3d& transform) {
  Json list = Json::array();
  for (int i = 0; i < 16; ++i) list.push_back(static_cast<float>(transform.matrix().data()[i]));
  return list;
}

void add_part(Builder& builder, const Character& character, const Part& part, const gltf::BuiltSkeleton& skeleton,
              std::map<std::string, int>& materials, const SaveOptions& options, Json& scene_nodes,
              Warnings& warnings) {
  if (part.vertex_count == 0) return;
  Json primitive = make_primitive(builder, character, part);
  if (!part.material.empty()) primitive["material"] = material_index(builder, materials, part.material);
  Json node = {{"name", part.name}};
  const int carrier = part.binding == PartBinding::attached && character.has_skin() ? carrier_of(character, part) : -1;
  if (part.binding == PartBinding::skinned && character.has_skin() && skeleton.skin >= 0) {
    const auto root =
        std::find_if(skeleton.skin_index.begin(), skeleton.skin_index.end(), [](int i) { return i >= 0; });
    const gltf::WeightEncoding encoding{skeleton.skin_index, static_cast<int>(root - skeleton.skin_index.begin()),
                                        options};
    const gltf::WeightAccessors accessors = gltf::add_weights(builder, character.weights, part, encoding);
    gltf::set_weight_attributes(primitive["attributes"], accessors);
    node["skin"] = skeleton.skin;
    if (accessors.unweighted > 0) {
      warnings.push_back({"vertices-unweighted", std::to_string(accessors.unweighted) + " vertices of '" + part.name +
                                                     "' have no weight; written as following the root joint"});
    }
  }
  node["mesh"] = builder.push("meshes", {{"name", part.name}, {"primitives", Json::array({primitive})}});
  if (carrier >= 0) {
    node["matrix"] = matrix_of(character.skeleton.rest[static_cast<std::size_t>(carrier)].inverse());
    const int index = builder.push("nodes", std::move(node));
    builder
        .json["nodes"][static_cast<std::size_t>(skeleton.node_of_joint[static_cast<std::size_t>(carrier)])]["children"]
        .push_back(index);
  } else {
    scene_nodes.push_back(builder.push("nodes", std::move(node)));
  }
}

Warnings write_fresh(const Character& character, const std::filesystem::path& path, const SaveOptions& options) {
  Warnings warnings;
  Json json = {{"asset", {{"version", "2.0"}, {"generator", "sinew"}}}, {"scene", 0}, {"scenes", Json::array()}};
  Builder builder{json, 0, 0, {}};
  gltf::BuiltSkeleton skeleton;
  Json scene_nodes = Json::array();
  if (!character.skeleton.empty()) {
    skeleton = gltf::add_skeleton(builder, character.skeleton, character.weights, warnings);
    for (const int root : skeleton.roots) scene_nodes.push_back(root);
  }
  std::map<std::string, int> materials;
  for (const Part& part : parts_of(character)) {
    add_part(builder, character, part, skeleton, materials, options, scene_nodes, warnings);
  }
  for (const Motion& motion : character.motions) {
    if (motion.frame_count() == 0) continue;
    Json animation = gltf::make_animation(builder, motion, skeleton.node_of_joint);
    builder.push("animations", std::move(animation));
  }
  Json scene = {{"name", character.name.empty() ? "scene" : character.name}};
  if (!scene_nodes.empty()) scene["nodes"] = scene_nodes;
  json["scenes"].push_back(std::move(scene));
  std::vector<gltf::OutputBuffer> buffers;
  if (!builder.added.empty()) {
    json["buffers"] = Json::array({{{"byteLength", builder.added.size()}}});
    buffers.push_back({path.extension() == ".gltf" ? gltf::BufferKind::file : gltf::BufferKind::glb_chunk,
                       {std::span<const std::byte>(builder.added)}});
  }
  gltf::write_document(json, buffers, path);
  return warnings;
}

}  // namespace

Warnings write_gltf(const Character& character, const std::filesystem::path& path, const SaveOptions& options) {
  check_character(character);
  return write_fresh(character, path, options);
}

}  // namespace sinew
