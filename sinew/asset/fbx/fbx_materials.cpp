#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "sinew/asset/fbx/fbx_scene.h"

namespace sinew {
namespace {

class MaterialWriter {
 public:
  explicit MaterialWriter(FbxScene& scene) : scene_(scene), looks_(scene.looks) {}

  std::int64_t write(const Material& material, const std::string& name) {
    const std::int64_t id = scene_.new_id();
    FbxNode& record = scene_.add_object("Material", id, unique(name), "Material", "");
    record.child("Version").int32(102);
    record.child("ShadingModel").text("Phong");
    record.child("MultiLayer").int32(0);
    FbxNode& properties = record.child("Properties70");
    const auto color = [&](const char* key, const Vec3f& value) {
      properties.property(key, "Color", "", "A").real(value.x()).real(value.y()).real(value.z());
    };
    const auto number = [&](const char* key, double value) { properties.property(key, "Number", "", "A").real(value); };
    // A texture of metalness that cannot come along was what made the factors mean something.
    const bool lost = material.metal_rough.image >= 0;
    const double metallic = lost ? 0.0 : material.metallic, roughness = lost ? 0.8 : material.roughness;
    lost_metal_rough += lost;
    lost_occlusion += material.occlusion.image >= 0;
    color("DiffuseColor", material.base_color);
    number("DiffuseFactor", 1.0);
    color("EmissiveColor", material.emissive);
    number("EmissiveFactor", 1.0);
    color("SpecularColor", Vec3f::Ones());
    number("SpecularFactor", 0.25);
    // What Blender writes and reads as roughness and metalness.
    number("Shininess", 100.0 * (1.0 - roughness) * (1.0 - roughness));
    number("ShininessExponent", 100.0 * (1.0 - roughness) * (1.0 - roughness));
    number("ReflectionFactor", metallic);
    number("TransparencyFactor", 1.0 - material.alpha);
    number("Opacity", material.alpha);
    connect(material.base, id, "DiffuseColor");
    connect(material.normal, id, "NormalMap");
    connect(material.glow, id, "EmissiveColor");
    if (material.alpha_mode != AlphaMode::opaque) connect(material.base, id, "TransparentColor");
    return id;
  }

  std::size_t lost_metal_rough = 0, lost_occlusion = 0;

 private:
  std::string unique(const std::string& wanted) {
    const std::string base = wanted.empty() ? "material" : wanted;
    std::string name = base;
    for (int number = 2; !names_.insert(name).second; ++number) name = base + "_" + std::to_string(number);
    return name;
  }

  // A video holds the picture, a texture says how it lies; materials share both.
  void connect(const Texture& texture, std::int64_t material, const char* property) {
    if (texture.image < 0) return;
    const auto [entry, is_new] = textures_.try_emplace(texture.image, 0);
    if (is_new) entry->second = add_texture(texture.image);
    scene_.connect(entry->second, material, property);
  }

  std::int64_t add_texture(int index) {
    const MaterialImage& image = looks_.images[index];
    const std::string extension = image_extension(image.bytes);
    const std::string name = unique(image.name.empty() ? "image_" + std::to_string(index) : image.name);
    const std::string file = name + extension;
    const std::int64_t video = scene_.new_id(), texture = scene_.new_id();
    FbxNode& clip = scene_.add_object("Video", video, name, "Video", "Clip");
    clip.child("Type").text("Clip");
    clip.child("Properties70").property("Path", "KString", "XRefUrl", "").text(file);
    clip.child("UseMipMap").int32(0);
    clip.child("Filename").text(file);
    clip.child("RelativeFilename").text(file);
    clip.child("Content").raw(image.bytes);
    std::string media = name;
    media.append(std::string_view("\0\x01", 2)).append("Video");
    FbxNode& record = scene_.add_object("Texture", texture, name, "Texture", "");
    record.child("Type").text("TextureVideoClip");
    record.child("Version").int32(202);
    record.child("TextureName").object_name(name, "Texture");
    FbxNode& properties = record.child("Properties70");
    properties.property("UVSet", "KString", "", "").text("UVMap");
    properties.property("UseMaterial", "bool", "", "").int32(1);
    record.child("Media").text(media);
    record.child("FileName").text(file);
    record.child("RelativeFilename").text(file);
    record.child("ModelUVTranslation").real(0).real(0);
    record.child("ModelUVScaling").real(1).real(1);
    record.child("Texture_Alpha_Source").text("None");
    record.child("Cropping").int32(0).int32(0).int32(0).int32(0);
    scene_.connect(video, texture);
    return texture;
  }

  FbxScene& scene_;
  const Materials& looks_;
  std::map<int, std::int64_t> textures_;  // by image
  std::set<std::string> names_;
};

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

void add_fbx_materials(FbxScene& scene) {
  Materials& looks = scene.looks;
  const std::vector<Part>& parts = scene.character.parts;
  if (looks.of_part.size() != parts.size()) looks.of_part.assign(parts.size(), -1);
  // Parts whose file says no more than a material's name.
  std::map<std::string, int> named;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (looks.of_part[part] >= 0 || parts[part].material.empty()) continue;
    const auto [entry, is_new] = named.try_emplace(parts[part].material, static_cast<int>(looks.materials.size()));
    if (is_new) {
      Material plain;
      plain.name = parts[part].material;
      plain.base_color.setConstant(0.8f);
      plain.metallic = 0.0f;
      plain.roughness = 0.8f;
      looks.materials.push_back(plain);
    }
    looks.of_part[part] = entry->second;
  }
  MaterialWriter writer(scene);
  for (const Material& material : looks.materials) scene.materials.push_back(writer.write(material, material.name));
  std::string lost;
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) lost += (lost.empty() ? "" : ", ") + counted(count, one, many);
  };
  add(writer.lost_metal_rough, "texture of metalness and roughness", "textures of metalness and roughness");
  add(writer.lost_occlusion, "occlusion texture", "occlusion textures");
  if (!lost.empty()) scene.warnings.push_back({"lost-textures", scene.file + " cannot hold " + lost});
}

}  // namespace sinew
