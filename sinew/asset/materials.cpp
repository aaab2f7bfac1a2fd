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
  const Json& view = element(document.json, "bufferViews", view_index);
  const int buffer = index_member(view, "buffer", document.buffers.size(), where);
  const std::uint64_t offset = unsigned_member(view, "byteOffset", 0, where);
  const std::uint64_t length = required_unsigned(view, "byteLength", where);
  if (buffer < 0 || offset > document.buffers[buffer].bytes.size() ||
      length > document.buffers[buffer].bytes.size() - offset) {
    throw Error(ErrorCode::file_damaged, where + " lies outside its buffer");
  }
  const auto bytes = document.buffers[buffer].bytes.subspan(offset, length);
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
    const auto look = object.find("pbrMetallicRoughness");
    if (look == object.end() || !look->is_object()) return material;
    double factor[4] = {1, 1, 1, 1};
    if (numbers_member(*look, "baseColorFactor", factor, where)) {
      material.base_color = Vec3d(factor[0], factor[1], factor[2]).cast<float>();
    }
    const auto texture = look->find("baseColorTexture");
    // Characters hold the first set of texture coordinates only.
    if (texture == look->end() || !texture->is_object() || unsigned_member(*texture, "texCoord", 0, where) != 0) {
      return material;
    }
    const int number = index_member(*texture, "index", count_of(document_.json, "textures"), where);
    if (number < 0) return material;
    const int source =
        index_member(element(document_.json, "textures", number), "source", count_of(document_.json, "images"), where);
    if (source < 0) return material;
    material.image = image(source);
    material.uv_to_image = texture_transform(*texture, where);
    return material;
  }

  Materials result;

 private:
  int image(int index) {
    const auto known = images_.find(index);
    if (known != images_.end()) return known->second;
    result.images.push_back(image_bytes(document_, index));
    return images_[index] = static_cast<int>(result.images.size()) - 1;
  }

  const Document& document_;
  std::map<int, int> images_;  // of the file → of the result
};

}  // namespace

Materials read_materials(const Character& character) {
  const auto* document = dynamic_cast<const Document*>(character.source.get());
  if (!document || document->parts.size() != character.parts.size()) return {};
  MaterialReader reader(*document);
  std::map<int, int> known;  // material of the file → of the result
  bool any = false;
  for (const PartSource& part : document->parts) {
    int number = -1;
    try {
      const Json& primitive = element(document->json, "meshes", part.mesh).at("primitives").at(part.primitive);
      const int index = index_member(primitive, "material", count_of(document->json, "materials"), part.name);
      if (index >= 0) {
        if (!known.count(index)) {
          reader.result.materials.push_back(reader.read(index));
          known[index] = static_cast<int>(reader.result.materials.size()) - 1;
        }
        number = known[index];
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

}  // namespace sinew
