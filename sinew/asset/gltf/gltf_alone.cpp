#include "sinew/asset/gltf/gltf_alone.h"

#include <algorithm>

#include "sinew/asset/gltf/gltf_document.h"

namespace sinew {
namespace {

using gltf::Json;

const Json& list_of(const Json& object, const char* key) {
  static const Json empty = Json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : empty;
}

bool has_attribute(const Json& root, const char* attribute) {
  for (const Json& mesh : list_of(root, "meshes")) {
    for (const Json& primitive : list_of(mesh, "primitives")) {
      const auto attributes = primitive.find("attributes");
      if (attributes != primitive.end() && attributes->contains(attribute)) return true;
    }
  }
  return false;
}

std::size_t animated_morphs(const Json& root) {
  std::size_t count = 0;
  for (const Json& animation : list_of(root, "animations")) {
    const Json& channels = list_of(animation, "channels");
    count += std::any_of(channels.begin(), channels.end(), [](const Json& channel) {
      const auto target = channel.find("target");
      return target != channel.end() && target->is_object() && target->contains("path") &&
             target->at("path") == "weights";
    });
  }
  return count;
}

// Objects with data of some other program; names of morph targets are known ones.
std::size_t with_extras(const Json& root) {
  std::size_t count = 0;
  for (const char* kind : {"scenes", "nodes", "meshes", "materials", "animations"}) {
    for (const Json& object : list_of(root, kind)) {
      const auto extras = object.is_object() ? object.find("extras") : object.end();
      if (extras == object.end() || (extras->is_object() && extras->empty())) continue;
      const bool names_only = extras->is_object() && extras->size() == 1 && extras->contains("targetNames");
      count += !names_only;
    }
  }
  return count;
}

}  // namespace

std::string gltf_alone(const Character& character) {
  const auto* document = dynamic_cast<const gltf::Document*>(character.source.get());
  if (!document) return "";
  const Json& root = document->json;
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  const auto count = [&](std::size_t number, const char* one, const char* many) {
    if (number > 0) add(std::to_string(number) + " " + (number == 1 ? one : many));
  };
  count(list_of(root, "cameras").size(), "camera", "cameras");
  if (has_attribute(root, "TEXCOORD_1")) add("texture coordinates beyond the first set");
  if (has_attribute(root, "COLOR_1")) add("vertex colours beyond the first set");
  count(animated_morphs(root), "animation of shape keys", "animations of shape keys");
  count(with_extras(root), "object's extras", "objects' extras");
  for (const Json& extension : list_of(root, "extensionsUsed")) {
    if (!extension.is_string()) continue;
    const auto name = extension.get<std::string>();
    // How numbers, and where pictures lie: all of that has been undone.
    if (name != "KHR_mesh_quantization" && name != "KHR_texture_transform") add(name);
  }
  return text;
}

}  // namespace sinew
