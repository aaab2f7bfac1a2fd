// Materials and pictures of FBX and COLLADA files, as Blender reads them.
#include <assimp/material.h>
#include <assimp/scene.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sinew/asset/beside_files.h"
#include "sinew/asset/fbx/assimp_scene.h"

namespace sinew {
namespace {

Vec3f unit_color(const aiColor3D& color) {
  const auto clamped = [](float value) { return std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 1.0f; };
  return {clamped(color.r), clamped(color.g), clamped(color.b)};
}

// A number that assimp knows, or that only the file does.
std::optional<float> number(const aiMaterial& from, const char* key, const char* raw) {
  float value = 0;
  for (const char* name : {key, raw}) {
    if (from.Get(name, 0, 0, value) == AI_SUCCESS && std::isfinite(value)) return value;
  }
  return std::nullopt;
}

class LookReader {
 public:
  LookReader(const aiScene& scene, SceneFormat format, Character& character)
      : scene_(scene), format_(format), character_(character), source_(std::make_shared<LookSource>()) {}

  void read(SceneSurface surface) {
    std::map<unsigned, int> known;
    for (const unsigned index : surface.material_of_part) {
      int number = -1;
      if (index < scene_.mNumMaterials && says_something(*scene_.mMaterials[index])) {
        Materials& looks = source_->materials;
        const auto [entry, is_new] = known.try_emplace(index, static_cast<int>(looks.materials.size()));
        if (is_new) looks.materials.push_back(material(*scene_.mMaterials[index]));
        number = entry->second;
      }
      source_->materials.of_part.push_back(number);
    }
    source_->shape_keys = std::move(surface.shape_keys);
    source_->vertex_count = character_.mesh.vertex_count();
    if (known.empty() && source_->shape_keys.empty()) return;
    character_.source = std::move(source_);
  }

 private:
  // assimp gives a material to meshes that have none.
  static bool says_something(const aiMaterial& from) {
    return from.GetName() != aiString(AI_DEFAULT_MATERIAL_NAME) || from.GetTextureCount(aiTextureType_DIFFUSE) > 0;
  }

  Material material(const aiMaterial& from) {
    Material to;
    to.name = from.GetName().C_Str();
    aiColor3D color(1, 1, 1);
    if (from.Get(AI_MATKEY_COLOR_DIFFUSE, color) == AI_SUCCESS) to.base_color = unit_color(color);
    color = aiColor3D(0, 0, 0);
    if (from.Get(AI_MATKEY_COLOR_EMISSIVE, color) == AI_SUCCESS) to.emissive = unit_color(color);
    to.metallic = 0.0f;
    to.roughness = 0.8f;
    if (format_ == SceneFormat::fbx) {
      // Blender's scale of shininess; 20 is what files mean that say nothing.
      const float shininess = std::max(number(from, "$mat.shininess", "$raw.Shininess").value_or(20.0f), 0.0f);
      to.roughness = std::clamp(1.0f - std::sqrt(shininess) / 10.0f, 0.0f, 1.0f);
      to.metallic = std::clamp(number(from, "$mat.reflectivity", "$raw.ReflectionFactor").value_or(0.0f), 0.0f, 1.0f);
    }
    to.alpha = alpha(from);
    to.base = texture(from, {aiTextureType_DIFFUSE, aiTextureType_BASE_COLOR});
    to.normal = texture(from, {aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA, aiTextureType_HEIGHT});
    to.glow = texture(from, {aiTextureType_EMISSIVE, aiTextureType_EMISSION_COLOR});
    const bool see_through = to.base.image >= 0 && from.GetTextureCount(aiTextureType_OPACITY) > 0;
    if (to.alpha < 1.0f || see_through) to.alpha_mode = AlphaMode::blend;
    return to;
  }

  // Programs disagree about what FBX's numbers mean: this is what Blender takes them for.
  float alpha(const aiMaterial& from) const {
    float value = 1.0f;
    if (format_ == SceneFormat::fbx) {
      value = 1.0f - number(from, "$mat.transparencyfactor", "$raw.TransparencyFactor").value_or(0.0f);
      if (value == 1.0f || value == 0.0f) {
        aiColor3D clear(0, 0, 0);
        from.Get(AI_MATKEY_COLOR_TRANSPARENT, clear);
        value = number(from, "$raw.Opacity", "$mat.opacity").value_or(1.0f - clear.r);
      }
    } else {
      value = number(from, "$mat.opacity", "$mat.opacity").value_or(1.0f);
    }
    return std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 1.0f;
  }

  // The first picture of these kinds.
  Texture texture(const aiMaterial& from, std::initializer_list<aiTextureType> kinds) {
    for (const aiTextureType kind : kinds) {
      aiString path;
      unsigned uv_set = 0;
      if (from.GetTexture(kind, 0, &path, nullptr, &uv_set) != AI_SUCCESS || path.length == 0) continue;
      if (uv_set != 0) {
        warn("a picture of '" + std::string(from.GetName().C_Str()) + "' lies on its second set of UVs; left out");
        continue;
      }
      const int index = image(path);
      if (index >= 0) return {index, uv_transform(from, kind)};
    }
    return {};
  }

  // assimp's is on UVs with V up; ours has V down.
  static Eigen::Matrix3f uv_transform(const aiMaterial& from, aiTextureType kind) {
    aiUVTransform said;
    if (from.Get(AI_MATKEY_UVTRANSFORM(kind, 0), said) != AI_SUCCESS) return Eigen::Matrix3f::Identity();
    const double c = std::cos(said.mRotation), s = std::sin(said.mRotation);
    Eigen::Matrix3d turn = Eigen::Matrix3d::Identity(), flip = turn;
    turn << c * said.mScaling.x, -s * said.mScaling.y, said.mTranslation.x,  //
        s * said.mScaling.x, c * said.mScaling.y, said.mTranslation.y,       //
        0, 0, 1;
    flip << 1, 0, 0, 0, -1, 1, 0, 0, 1;
    const Eigen::Matrix3d result = flip * turn * flip;
    return result.allFinite() ? Eigen::Matrix3f(result.cast<float>()) : Eigen::Matrix3f(Eigen::Matrix3f::Identity());
  }

  int image(const aiString& path) {
    const auto [entry, is_new] = images_.try_emplace(path.C_Str(), -1);
    if (!is_new) return entry->second;
    MaterialImage made;
    if (const aiTexture* inside = scene_.GetEmbeddedTexture(path.C_Str())) {
      if (inside->mHeight != 0 || inside->mWidth == 0) {
        warn("the picture '" + std::string(path.C_Str()) + "' inside the file is in no known format; left out");
        return -1;
      }
      const auto* bytes = reinterpret_cast<const std::byte*>(inside->pcData);
      made.bytes.assign(bytes, bytes + inside->mWidth);
      const std::string file = place_beside(inside->mFilename.C_Str());
      made.name = std::filesystem::path(file).stem().string();
    } else {
      made.name = path.C_Str();  // find_scene_pictures looks for it
    }
    source_->materials.images.push_back(std::move(made));
    return entry->second = static_cast<int>(source_->materials.images.size()) - 1;
  }

  void warn(const std::string& message) {
    if (told_.insert(message).second) character_.warnings.push_back({"material", message});
  }

  const aiScene& scene_;
  SceneFormat format_;
  Character& character_;
  std::shared_ptr<LookSource> source_;
  std::map<std::string, int> images_;  // by the name the file gives them
  std::set<std::string> told_;
};

// A picture that is nowhere counts as none.
void drop_picture(Materials& looks, int image) {
  for (Material& material : looks.materials) {
    for (Texture* texture :
         {&material.base, &material.normal, &material.glow, &material.metal_rough, &material.occlusion}) {
      if (texture->image == image) *texture = {};
      if (texture->image > image) --texture->image;
    }
  }
  looks.images.erase(looks.images.begin() + image);
}

}  // namespace

void add_scene_looks(const aiScene& scene, SceneFormat format, SceneSurface surface, Character& character) {
  LookReader(scene, format, character).read(std::move(surface));
  unsigned animated = 0;
  for (unsigned a = 0; a < scene.mNumAnimations; ++a) animated += scene.mAnimations[a]->mNumMorphMeshChannels > 0;
  if (animated > 0) {
    character.warnings.push_back(
        {"lost-shape-motion", std::to_string(animated) + " animations move shape keys; that is left out"});
  }
}

void find_scene_pictures(const LoadOptions& options, Character& character) {
  const auto* made = dynamic_cast<const LookSource*>(character.source.get());
  if (made == nullptr) return;
  auto source = std::make_shared<LookSource>(*made);
  Materials& looks = source->materials;
  std::string missing;
  for (std::size_t i = looks.images.size(); i-- > 0;) {
    MaterialImage& image = looks.images[i];
    if (!image.bytes.empty()) continue;
    const std::string name = place_beside(image.name);
    try {
      if (std::optional<std::vector<std::byte>> bytes = find_picture(name, options)) image.bytes = std::move(*bytes);
      if (image.bytes.empty()) missing = "'" + name + "'" + (missing.empty() ? "" : ", ") + missing;
      image.name = std::filesystem::path(name).stem().string();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      character.warnings.push_back({"material", "'" + name + "' cannot be read: " + error.what()});
    }
    if (image.bytes.empty()) drop_picture(looks, static_cast<int>(i));
  }
  if (!missing.empty()) {
    character.warnings.push_back({"material", "pictures that the file names are not beside it: " + missing});
  }
  // What a picture covers counts as white, because programs write any colour beside it.
  for (Material& material : looks.materials) {
    if (material.base.image >= 0) material.base_color.setOnes();
    if (material.glow.image >= 0) material.emissive.setOnes();
  }
  character.source = std::move(source);
}

}  // namespace sinew
