#include <algorithm>
#include <cstring>

#include "sinew/asset/gltf/gltf_build.h"

namespace sinew::gltf {
namespace {

int material_index(Builder& builder, const std::string& name) {
  Json& materials = builder.array("materials");
  for (std::size_t i = 0; i < materials.size(); ++i) {
    if (materials[i].is_object() && materials[i].value("name", "") == name) return static_cast<int>(i);
  }
  return builder.push("materials",
                      {{"name", name}, {"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.8}}}});
}

}  // namespace

std::vector<Part> parts_of(const Character& character) {
  if (!character.parts.empty() || character.mesh.positions.empty()) return character.parts;
  Part whole;
  whole.name = character.name.empty() ? "mesh" : character.name;
  whole.vertex_count = character.mesh.vertex_count();
  whole.triangle_count = character.mesh.triangles.size();
  whole.binding = character.has_skin() ? PartBinding::skinned : PartBinding::fixed;
  return {whole};
}

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

const BuiltSkin& skin_for(Builder& builder, PartContext& context, const Affine3d& mesh_to_character) {
  for (const auto& [transform, skin] : context.skins) {
    if (transform.matrix() == mesh_to_character.matrix()) return skin;
  }
  BuiltSkin skin = add_skin(builder, context.character.skeleton, context.character.weights, context.node_of_joint,
                            mesh_to_character);
  context.skins.emplace_back(mesh_to_character, std::move(skin));
  return context.skins.back().second;
}

void write_weights(Builder& builder, PartContext& context, const Part& part, const std::vector<int>& skin_index,
                   Json& attributes) {
  const auto root = std::find_if(skin_index.begin(), skin_index.end(), [](int i) { return i >= 0; });
  const WeightEncoding encoding{skin_index, static_cast<int>(root - skin_index.begin()), context.options};
  const WeightAccessors accessors = add_weights(builder, context.character.weights, part, encoding);
  set_weight_attributes(attributes, accessors);
  if (accessors.unweighted > 0) {
    context.warnings.push_back({"vertices-unweighted", std::to_string(accessors.unweighted) + " vertices of '" +
                                                           part.name +
                                                           "' have no weight; written as following the root joint"});
  }
}

void set_geometry(Builder& builder, const TriangleMesh& mesh, const Part& part, const Affine3d& from_character,
                  Json& primitive) {
  Json attributes = {{"POSITION", add_positions(builder, mesh, part, from_character)}};
  if (!mesh.normals.empty()) attributes["NORMAL"] = add_normals(builder, mesh, part, from_character);
  if (!mesh.tangents.empty() && !mesh.normals.empty()) {
    attributes["TANGENT"] = add_tangents(builder, mesh, part, from_character);
  }
  if (!mesh.uvs.empty()) attributes["TEXCOORD_0"] = add_uvs(builder, mesh, part);
  if (!mesh.colors.empty()) attributes["COLOR_0"] = add_colors(builder, mesh, part);
  primitive["attributes"] = std::move(attributes);
  primitive.erase("mode");
  primitive.erase("indices");
  if (part.triangle_count > 0) {
    primitive["indices"] = add_indices(builder, mesh, part, from_character.linear().determinant() < 0);
  } else {
    primitive["mode"] = 0;
  }
}

int gather_accessor(Builder& builder, const Document& source, int accessor,
                    const std::vector<std::uint32_t>& elements) {
  const AccessorView view = accessor_view(source, accessor);
  const std::size_t row = (view.element_bytes + 3) / 4 * 4;
  Bytes all(view.count * view.element_bytes);
  for (std::size_t i = 0; view.data && i < view.count; ++i) {
    std::memcpy(all.data() + i * view.element_bytes, view.data + i * view.stride, view.element_bytes);
  }
  for (std::size_t i = 0; i < view.sparse_count; ++i) {
    std::uint32_t index = 0;
    const std::size_t size = component_size(view.sparse_index_type);
    std::memcpy(&index, view.sparse_indices + i * size, size);
    if (index >= view.count) {
      throw Error(ErrorCode::file_damaged, "a sparse accessor substitutes an element that does not exist");
    }
    std::memcpy(all.data() + index * view.element_bytes, view.sparse_values + i * view.element_bytes,
                view.element_bytes);
  }
  Bytes chosen(elements.size() * row);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] >= view.count) {
      throw Error(ErrorCode::file_damaged, "an attribute has fewer entries than its primitive");
    }
    std::memcpy(chosen.data() + i * row, all.data() + elements[i] * view.element_bytes, view.element_bytes);
  }
  const Json old = source.json["accessors"][accessor];
  const std::string type = old["type"].get<std::string>();
  const std::span<const float> floats(reinterpret_cast<const float*>(chosen.data()), chosen.size() / 4);
  const int index = builder.add_values(std::move(chosen), view.component, type.c_str(), elements.size(),
                                       ViewTarget::vertices, view.normalised);
  Json& made = builder.json["accessors"][index];
  if (row != view.element_bytes) builder.json["bufferViews"][made["bufferView"].get<std::size_t>()]["byteStride"] = row;
  if (old.contains("min") && view.component == Component::f32 && row == view.element_bytes) {
    builder.set_bounds(index, floats, view.components);
  }
  return index;
}

void add_part(Builder& builder, PartContext& context, const Part& part) {
  if (part.vertex_count == 0) return;
  const Character& character = context.character;
  Json primitive = Json::object();
  set_geometry(builder, character.mesh, part, Affine3d::Identity(), primitive);
  if (!part.material.empty()) primitive["material"] = material_index(builder, part.material);
  Json node = {{"name", part.name}};
  const int carrier = part.binding == PartBinding::attached && character.has_skin() ? carrier_of(character, part) : -1;
  if (part.binding == PartBinding::skinned && character.has_skin()) {
    const BuiltSkin& skin = skin_for(builder, context, Affine3d::Identity());
    if (skin.skin >= 0) {
      write_weights(builder, context, part, skin.skin_index, primitive["attributes"]);
      node["skin"] = skin.skin;
    }
  }
  Json mesh = {{"name", part.name}};
  add_shape_targets(builder, context.shape_keys, part, mesh, primitive);
  mesh["primitives"] = Json::array({primitive});
  node["mesh"] = builder.push("meshes", std::move(mesh));
  if (carrier >= 0) node["matrix"] = matrix_of(character.skeleton.rest[carrier].inverse());
  const int index = builder.push("nodes", std::move(node));
  if (carrier >= 0) {
    builder.json["nodes"][context.node_of_joint[carrier]]["children"].push_back(index);
  } else {
    context.scene_nodes.push_back(index);
  }
}

}  // namespace sinew::gltf
