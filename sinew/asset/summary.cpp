#include "sinew/asset/summary.h"

#include <algorithm>

#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/materials.h"

namespace sinew {
namespace {

constexpr std::size_t most_extras = 100;  // places to name

void find_extras(const gltf::Json& json, LookSummary& summary) {
  const auto add = [&](const std::string& place) {
    if (summary.extras.size() < most_extras) summary.extras.push_back(place);
  };
  if (json.contains("asset") && json["asset"].is_object() && json["asset"].contains("extras")) add("asset");
  for (const auto& [kind, list] : json.items()) {
    if (!list.is_array()) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_object() || !list[i].contains("extras")) continue;
      const auto name = list[i].find("name");
      const bool named = name != list[i].end() && name->is_string();
      const std::string one = kind == "meshes" ? "mesh" : kind.substr(0, kind.size() - 1);
      add(one + " " + (named ? "'" + name->get<std::string>() + "'" : std::to_string(i)));
    }
  }
}

}  // namespace

const char* unit_name(LengthUnit unit) {
  switch (unit) {
    case LengthUnit::metres:
      return "metres";
    case LengthUnit::centimetres:
      return "centimetres";
    case LengthUnit::millimetres:
      return "millimetres";
    case LengthUnit::unknown:
      break;
  }
  return "unknown";
}

AABBd extent_of(const Character& character) {
  if (character.mesh.vertex_count() > 0) return bounding_box(character.mesh).cast<double>();
  AABBd box;
  for (int joint = 0; joint < character.skeleton.joint_count(); ++joint) box.extend(character.skeleton.position(joint));
  return box;
}

LengthUnit guess_unit(const Character& character) {
  const AABBd box = extent_of(character);
  if (character.skeleton.empty() || box.isEmpty()) return LengthUnit::unknown;
  const double size = box.sizes().maxCoeff();
  if (size >= 0.2 && size <= 5.0) return LengthUnit::metres;
  if (size >= 50.0 && size <= 300.0) return LengthUnit::centimetres;
  if (size >= 500.0 && size <= 3000.0) return LengthUnit::millimetres;
  return LengthUnit::unknown;
}

SkinSummary summarise_skin(const Character& character) {
  SkinSummary summary;
  for (const JointKind kind : character.skeleton.kinds) {
    summary.joints += kind == JointKind::joint;
    summary.ends += kind == JointKind::end;
    summary.helpers += kind == JointKind::helper;
  }
  const SkinWeights& weights = character.weights;
  if (weights.empty()) return summary;
  std::vector<bool> used(character.skeleton.names.size(), false);
  std::vector<bool> counts(character.mesh.vertex_count(), character.parts.empty());
  for (const Part& part : character.parts) {
    if (part.binding == PartBinding::fixed) continue;
    std::fill_n(counts.begin() + static_cast<std::ptrdiff_t>(part.first_vertex), part.vertex_count, true);
  }
  std::size_t weighted = 0, influences = 0;
  for (std::size_t vertex = 0; vertex < weights.vertex_count(); ++vertex) {
    int count = 0;
    for (std::size_t slot = vertex * weights.influences; slot < (vertex + 1) * weights.influences; ++slot) {
      if (weights.weights[slot] <= SkinSummary::least_weight) continue;
      ++count;
      used[weights.joints[slot]] = true;
    }
    summary.unweighted_vertices += count == 0 && counts[vertex];
    summary.most_influences = std::max(summary.most_influences, count);
    weighted += count > 0;
    influences += static_cast<std::size_t>(count);
  }
  summary.used_joints = static_cast<int>(std::count(used.begin(), used.end(), true));
  if (weighted > 0) summary.mean_influences = static_cast<double>(influences) / static_cast<double>(weighted);
  return summary;
}

LookSummary summarise_looks(const Character& character) {
  LookSummary summary;
  const Materials looks = read_materials(character);
  for (const Material& material : looks.materials) summary.materials.push_back(material.name);
  for (const MaterialImage& image : looks.images) {
    const std::string extension = image_extension(image.bytes);
    summary.textures.push_back({image.name, extension.empty() ? "" : extension.substr(1), image.bytes.size()});
  }
  for (const ShapeKey& key : read_shape_keys(character).keys) summary.shape_keys.push_back(key.name);
  const auto document = std::dynamic_pointer_cast<const gltf::Document>(character.source);
  if (!document) return summary;
  const auto used = document->json.find("extensionsUsed");
  if (used != document->json.end() && used->is_array()) {
    for (const auto& extension : *used) {
      if (extension.is_string()) summary.extensions.push_back(extension.get<std::string>());
    }
  }
  find_extras(document->json, summary);
  return summary;
}

}  // namespace sinew
