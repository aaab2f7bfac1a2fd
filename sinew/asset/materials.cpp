#include "sinew/asset/materials.h"

#include <cmath>
#include <map>

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew {
namespace {

using namespace gltf;

std::vector<std::byte> image_bytes(const Document& document, int index) {
  const std::string where = "image " + std::to_string(index);
  const Json& image = element(document.json, "images", index);
  if (image.contains("uri")) return read_uri(document, string_member(image, "uri", "", where), where);
  const int view_index = index_member(image, "bufferView", count_of(document.json, "bufferViews"), where);
  if (view_index < 0) throw Error(ErrorCode::file_damaged, where + " has no data");
  const std::span<const std::byte> bytes = view_bytes(document, view_index);
  return {bytes.begin(), bytes.end()};
}

// KHR_texture_transform: scale, then rotation, then offset.
Eigen::Matrix3f texture_transform(const Json& texture, const std::string& where) {
  const auto extensions = texture.find("extensions");
  if (extensions == texture.end() || !extensions->is_object()) return Eigen::Matrix3f::Identity();
  const auto transform = extensions->find("KHR_texture_transform");
  if (transform == extensions->end() || !transform->is_object()) return Eigen::Matrix3f::Identity();
  double offset[2] = {0, 0}, scale[2] = {1, 1}, rotation = 0;
  numbers_member(*transform, "offset", offset, where);
  numbers_member(*transform, "scale", scale, where);
  const auto angle = transform->find("rotation");
  if (angle != transform->end() && angle->is_number()) rotation = angle->get<double>();
  const double c = std::cos(rotation), s = std::sin(rotation);
  Eigen::Matrix3d matrix;
  matrix << c * scale[0], s * scale[1], offset[0],  //
      -s * scale[0], c * scale[1], offset[1],       //
      0, 0, 1;
  return matrix.cast<float>();
}

class MaterialReader {
 public:
  explicit MaterialReader(const Document& document) : document_(document) {}

  Material read(int index) {
    const std::string where = "material " + std::to_string(index);
    const Json& object = element(document_.json, "materials", index);
    Material material;
    material.name = string_member(object, "name", "", where);
    const std::string mode = string_member(object, "alphaMode", "OPAQUE", where);
    material.alpha_mode = mode == "BLEND" ? AlphaMode::blend : mode == "MASK" ? AlphaMode::mask : AlphaMode::opaque;
    double color[3] = {0, 0, 0};
    if (numbers_member(object, "emissiveFactor", color, where)) {
      material.emissive = Vec3d(color[0], color[1], color[2]).cast<float>();
    }
    material.normal = texture(object, "normalTexture", where);
    material.glow = texture(object, "emissiveTexture", where);
    material.occlusion = texture(object, "occlusionTexture", where);
    const auto look = object.find("pbrMetallicRoughness");
    if (look == object.end() || !look->is_object()) return material;
    double factor[4] = {1, 1, 1, 1};
    if (numbers_member(*look, "baseColorFactor", factor, where)) {
      material.base_color = Vec3d(factor[0], factor[1], factor[2]).cast<float>();
      material.alpha = static_cast<float>(factor[3]);
    }
    material.metallic = number(*look, "metallicFactor");
    material.roughness = number(*look, "roughnessFactor");
    material.base = texture(*look, "baseColorTexture", where);
    material.metal_rough = texture(*look, "metallicRoughnessTexture", where);
    return material;
  }

  Materials result;

 private:
  static float number(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<float>() : 1.0f;
  }

  Texture texture(const Json& object, const char* key, const std::string& where) {
    const auto said = object.find(key);
    // Characters hold the first set of texture coordinates only.
    if (said == object.end() || !said->is_object() || unsigned_member(*said, "texCoord", 0, where) != 0) return {};
    const int number = index_member(*said, "index", count_of(document_.json, "textures"), where);
    if (number < 0) return {};
    const Json& entry = element(document_.json, "textures", number);
    const int source = index_member(entry, "source", count_of(document_.json, "images"), where);
    if (source < 0) return {};
    try {
      return {image(source), texture_transform(*said, where)};
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      images_[source] = -1;
      result.warnings.push_back({"material", error.what()});
      return {};
    }
  }

  int image(int index) {
    const auto known = images_.find(index);
    if (known != images_.end()) return known->second;
    std::vector<std::byte> bytes = image_bytes(document_, index);
    const Json& object = element(document_.json, "images", index);
    std::string name = string_member(object, "name", "", "an image");
    const std::string uri = string_member(object, "uri", "", "an image");
    if (name.empty() && !uri.starts_with("data:")) name = std::filesystem::path(uri).stem().string();
    result.images.push_back({std::move(name), std::move(bytes)});
    return images_[index] = static_cast<int>(result.images.size()) - 1;
  }

  const Document& document_;
  std::map<int, int> images_;  // of the file → of the result
};

Materials read_gltf_materials(const Character& character, const Document& document) {
  const std::vector<int> match = match_parts(character.parts, document.parts);
  MaterialReader reader(document);
  std::map<int, int> known;  // material of the file → of the result
  bool any = false;
  for (const int from : match) {
    int number = -1;
    try {
      if (from >= 0) {
        const PartSource& part = document.parts[static_cast<std::size_t>(from)];
        const Json& primitive = element(document.json, "meshes", part.mesh).at("primitives").at(part.primitive);
        const int index = index_member(primitive, "material", count_of(document.json, "materials"), part.name);
        if (index >= 0 && !known.count(index)) {
          reader.result.materials.push_back(reader.read(index));
          known[index] = static_cast<int>(reader.result.materials.size()) - 1;
        }
        if (index >= 0) number = known[index];
      }
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      reader.result.warnings.push_back({"material", error.what()});
    }
    any = any || number >= 0;
    reader.result.of_part.push_back(number);
  }
  if (!any) reader.result.of_part.clear();
  return std::move(reader.result);
}

std::string target_name(const Json& mesh, std::size_t target) {
  const auto extras = mesh.find("extras");
  if (extras != mesh.end() && extras->is_object()) {
    const auto names = extras->find("targetNames");
    if (names != extras->end() && names->is_array() && target < names->size() && names->at(target).is_string()) {
      return names->at(target).get<std::string>();
    }
  }
  return "target " + std::to_string(target);
}

// What one target of one primitive moves.
void add_target(const Document& document, const PartSource& source, const Part& part, const Json& target,
                ShapeKey& key) {
  const std::size_t accessors = count_of(document.json, "accessors");
  const int moves = index_member(target, "POSITION", accessors, "a morph target");
  const int turns = index_member(target, "NORMAL", accessors, "a morph target");
  if (moves < 0) return;
  const std::vector<float> offsets = read_floats(accessor_view(document, moves), 3);
  const std::vector<float> turned = turns < 0 ? std::vector<float>() : read_floats(accessor_view(document, turns), 3);
  const Mat3d linear = source.to_character.linear();
  const Mat3d normal_linear = linear.inverse().transpose() * std::cbrt(std::abs(linear.determinant()));
  for (std::size_t i = 0; i < part.vertex_count; ++i) {
    const std::size_t at = 3 * (source.vertex_of.empty() ? i : source.vertex_of[i]);
    if (at + 3 > offsets.size()) throw Error(ErrorCode::file_damaged, "a morph target has too few entries");
    const Vec3d offset(offsets[at], offsets[at + 1], offsets[at + 2]);
    const Vec3d turn =
        at + 3 <= turned.size() ? Vec3d(turned[at], turned[at + 1], turned[at + 2]) : Vec3d(Vec3d::Zero());
    if ((offset.isZero(0.0) && turn.isZero(0.0)) || !offset.allFinite() || !turn.allFinite()) continue;
    key.vertices.push_back(static_cast<std::uint32_t>(part.first_vertex + i));
    key.offsets.push_back((linear * offset).cast<float>());
    key.normals.push_back((normal_linear * turn).cast<float>());
  }
}

ShapeKeys read_gltf_shape_keys(const Character& character, const Document& document) {
  ShapeKeys result;
  std::map<std::pair<int, std::size_t>, std::size_t> known;  // node and target → key
  const std::vector<int> match = match_parts(character.parts, document.parts);
  std::vector<bool> kept(document.parts.size(), false);
  const auto targets_of = [&](const PartSource& source) -> const Json& {
    const Json& primitive = element(document.json, "meshes", source.mesh).at("primitives").at(source.primitive);
    return array_member(primitive, "targets", "a primitive");
  };
  for (std::size_t i = 0; i < match.size(); ++i) {
    if (match[i] < 0) continue;
    const PartSource& source = document.parts[static_cast<std::size_t>(match[i])];
    const Json& targets = targets_of(source);
    if (targets.empty() || source.vertex_count != character.parts[i].vertex_count || !source.exact) continue;
    kept[static_cast<std::size_t>(match[i])] = true;
    const Json& mesh = element(document.json, "meshes", source.mesh);
    const Json& values = array_member(mesh, "weights", "a mesh");
    for (std::size_t target = 0; target < targets.size(); ++target) {
      const auto [entry, is_new] = known.try_emplace({source.node, target}, result.keys.size());
      if (is_new) {
        ShapeKey key;
        key.name = target_name(mesh, target);
        if (target < values.size() && values[target].is_number()) key.value = values[target].get<double>();
        result.keys.push_back(std::move(key));
      }
      add_target(document, source, character.parts[i], targets[target], result.keys[entry->second]);
    }
  }
  for (std::size_t part = 0; part < kept.size(); ++part) {
    if (!kept[part]) result.lost += targets_of(document.parts[part]).size();
  }
  return result;
}

}  // namespace

Materials read_materials(const Character& character) {
  if (const auto* look = dynamic_cast<const LookSource*>(character.source.get())) {
    return character.parts.size() == look->materials.of_part.size() ? look->materials : Materials();
  }
  const auto* document = dynamic_cast<const Document*>(character.source.get());
  return document ? read_gltf_materials(character, *document) : Materials();
}

ShapeKeys read_shape_keys(const Character& character) {
  if (const auto* look = dynamic_cast<const LookSource*>(character.source.get())) {
    if (character.mesh.vertex_count() == look->vertex_count) return {look->shape_keys, 0};
    return {{}, look->shape_keys.size()};
  }
  const auto* document = dynamic_cast<const Document*>(character.source.get());
  return document ? read_gltf_shape_keys(character, *document) : ShapeKeys();
}

std::string image_extension(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\x89PNG")) return ".png";
  if (text.starts_with("\xff\xd8\xff")) return ".jpg";
  if (text.starts_with("RIFF") && text.substr(0, 12).ends_with("WEBP")) return ".webp";
  if (text.starts_with("\xabKTX")) return ".ktx2";
  if (text.starts_with("DDS ")) return ".dds";
  if (text.starts_with("GIF8")) return ".gif";
  if (text.starts_with("BM")) return ".bmp";
  return "";
}

}  // namespace sinew
