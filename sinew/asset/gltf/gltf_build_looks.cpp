#include <algorithm>

#include "sinew/asset/gltf/gltf_build.h"

namespace sinew::gltf {
namespace {

class LookBuilder {
 public:
  LookBuilder(Builder& builder, const Materials& looks, bool embed, const std::string& stem, Output& output)
      : builder_(builder),
        looks_(looks),
        embed_(embed),
        stem_(stem),
        output_(output),
        texture_of_(looks.images.size(), unseen) {}

  void add(const Material& material) {
    Json look = {{"baseColorFactor",
                  {material.base_color.x(), material.base_color.y(), material.base_color.z(), material.alpha}},
                 {"metallicFactor", material.metallic},
                 {"roughnessFactor", material.roughness}};
    set(look, "baseColorTexture", material.base);
    Json object = {{"name", material.name}, {"pbrMetallicRoughness", std::move(look)}};
    set(object, "normalTexture", material.normal);
    set(object, "emissiveTexture", material.glow);
    if (!material.emissive.isZero(0.0f)) {
      object["emissiveFactor"] = {material.emissive.x(), material.emissive.y(), material.emissive.z()};
    }
    if (material.alpha_mode == AlphaMode::blend) object["alphaMode"] = "BLEND";
    if (material.alpha_mode == AlphaMode::mask) object["alphaMode"] = "MASK";
    builder_.push("materials", std::move(object));
  }

 private:
  static constexpr int unseen = -2;

  void set(Json& object, const char* key, const Texture& texture) {
    if (texture.image < 0) return;
    int& known = texture_of_[static_cast<std::size_t>(texture.image)];
    if (known == unseen) known = add_texture(texture.image);
    if (known >= 0) object[key] = {{"index", known}};
  }

  int add_texture(int index) {
    const MaterialImage& image = looks_.images[static_cast<std::size_t>(index)];
    const std::string extension = image_extension(image.bytes);
    if (extension != ".png" && extension != ".jpg") {
      output_.warnings.push_back(
          {"lost-textures", "the picture '" + image.name + "' is neither PNG nor JPEG, which is all that glTF holds"});
      return -1;
    }
    const std::string name = image.name.empty() ? "image_" + std::to_string(index) : image.name;
    Json object = {{"name", name}};
    if (embed_) {
      const Json view = {{"buffer", builder_.buffer},
                         {"byteOffset", builder_.append(output_.keep(image.bytes))},
                         {"byteLength", image.bytes.size()}};
      object["bufferView"] = builder_.push("bufferViews", view);
      object["mimeType"] = extension == ".png" ? "image/png" : "image/jpeg";
    } else {
      const std::string file = stem_ + "_image_" + std::to_string(index) + extension;
      output_.beside.push_back({file, {output_.keep(image.bytes)}});
      object["uri"] = file;
    }
    return builder_.push("textures", {{"source", builder_.push("images", std::move(object))}});
  }

  Builder& builder_;
  const Materials& looks_;
  bool embed_;
  std::string stem_;
  Output& output_;
  std::vector<int> texture_of_;  // by image
};

}  // namespace

void add_looks(Builder& builder, const Materials& looks, FileFormat format, const SaveOptions& options,
               Output& output) {
  output.warnings.insert(output.warnings.end(), looks.warnings.begin(), looks.warnings.end());
  const std::string stem = options.destination.empty() ? "buffer" : options.destination.stem().string();
  LookBuilder looks_builder(builder, looks, format == FileFormat::glb || options.embed, stem, output);
  for (const Material& material : looks.materials) looks_builder.add(material);
}

void add_shape_targets(Builder& builder, const std::vector<ShapeKey>& keys, const Part& part, Json& mesh,
                       Json& primitive) {
  Json targets = Json::array(), names = Json::array(), values = Json::array();
  for (const ShapeKey& key : keys) {
    const auto first = std::lower_bound(key.vertices.begin(), key.vertices.end(), part.first_vertex);
    const auto last = std::lower_bound(first, key.vertices.end(), part.first_vertex + part.vertex_count);
    if (first == last) continue;
    std::vector<Vec3f> offsets(part.vertex_count, Vec3f::Zero()), normals;
    if (!key.normals.empty() && primitive["attributes"].contains("NORMAL")) normals = offsets;
    for (auto at = first; at != last; ++at) {
      const auto i = static_cast<std::size_t>(at - key.vertices.begin());
      offsets[*at - part.first_vertex] = key.offsets[i];
      if (!normals.empty()) normals[*at - part.first_vertex] = key.normals[i];
    }
    const std::span<const float> floats(offsets[0].data(), 3 * offsets.size());  // the vector is moved, not copied
    const int moved =
        builder.add_values(std::move(offsets), Component::f32, "VEC3", part.vertex_count, ViewTarget::vertices);
    builder.set_bounds(moved, floats, 3);
    Json target = {{"POSITION", moved}};
    if (!normals.empty()) {
      target["NORMAL"] =
          builder.add_values(std::move(normals), Component::f32, "VEC3", part.vertex_count, ViewTarget::vertices);
    }
    targets.push_back(std::move(target));
    names.push_back(key.name);
    values.push_back(key.value);
  }
  if (targets.empty()) return;
  primitive["targets"] = std::move(targets);
  mesh["weights"] = std::move(values);
  mesh["extras"] = {{"targetNames", std::move(names)}};
}

}  // namespace sinew::gltf
