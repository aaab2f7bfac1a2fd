#include <algorithm>
#include <memory>

#include "sinew/asset/gltf/gltf.h"
#include "sinew/asset/gltf/gltf_animation.h"
#include "sinew/asset/gltf/gltf_document.h"
#include "sinew/asset/gltf/gltf_fingerprint.h"
#include "sinew/asset/gltf/gltf_lods.h"
#include "sinew/asset/gltf/gltf_mesh.h"
#include "sinew/asset/gltf/gltf_rig.h"
#include "sinew/asset/joint_names.h"

namespace sinew {
namespace {

void take_fingerprints(const Character& character, gltf::Document& document) {
  for (std::size_t i = 0; i < character.parts.size(); ++i) {
    document.parts[i].print = gltf::fingerprint(character, character.parts[i]);
  }
  for (std::size_t i = 0; i < character.motions.size(); ++i) {
    document.motions[i].content = gltf::fingerprint(character.motions[i]);
  }
  document.skeleton = gltf::fingerprint(character.skeleton);
  document.hierarchy = gltf::hierarchy_fingerprint(character.skeleton);
}

Character read(std::vector<std::byte> bytes, const LoadOptions& options, const std::filesystem::path& path) {
  const std::shared_ptr<gltf::Document> document = gltf::read_document(std::move(bytes), options);
  document->path = path;
  Character character;
  const gltf::Scene scene = gltf::read_scene(*document, character.warnings);
  gltf::Rig rig = gltf::read_rig(*document, scene, character.warnings);
  character.skeleton = rig.skeleton;
  gltf::read_meshes(*document, scene, rig, character);
  mark_end_joints(character.skeleton, character.weights);
  gltf::read_motions(*document, scene, rig, character);
  if (character.mesh.positions.empty() && character.skeleton.empty()) {
    throw Error(ErrorCode::file_empty, "the file holds neither a mesh nor a skeleton");
  }
  check_skeleton(character.skeleton);  // mesh, weights and motions were checked or made valid on the way
  document->node_of_joint = std::move(rig.node_of_joint);
  document->skins = std::move(rig.skins);
  take_fingerprints(character, *document);
  character.source = document;
  return character;
}

// Ids of the coarser levels of a node; empty when it has none.
std::vector<int> levels_of(const gltf::Json& node, std::size_t node_count) {
  std::vector<int> levels;
  if (!node.is_object() || !node.contains("extensions")) return levels;
  const gltf::Json& extensions = node["extensions"];
  if (!extensions.is_object() || !extensions.contains("MSFT_lod")) return levels;
  for (const gltf::Json& id : gltf::array_member(extensions["MSFT_lod"], "ids", "MSFT_lod")) {
    levels.push_back(gltf::index_of(id, node_count, "MSFT_lod"));
  }
  return levels;
}

// Puts the mesh of a coarser level where the finest one was. Returns false when no node has so many levels.
bool choose_level(gltf::Json& json, std::size_t level) {
  bool found = false;
  if (!json.contains("nodes") || !json["nodes"].is_array()) return false;
  gltf::Json& nodes = json["nodes"];
  const gltf::Json as_read = nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const std::vector<int> levels = levels_of(as_read[n], nodes.size());
    if (levels.empty()) continue;
    found = found || levels.size() >= level;
    const gltf::Json& coarse = as_read[levels[std::min(level, levels.size()) - 1]];
    for (const char* key : {"mesh", "skin"}) {
      nodes[n].erase(key);
      if (coarse.contains(key)) nodes[n][key] = coarse[key];
    }
  }
  return found;
}

Character read_level(gltf::Document& document) {
  Character character;
  const gltf::Scene scene = gltf::read_scene(document, character.warnings);
  const gltf::Rig rig = gltf::read_rig(document, scene, character.warnings);
  character.skeleton = rig.skeleton;
  gltf::read_meshes(document, scene, rig, character);
  return character;
}

}  // namespace

std::vector<Character> read_gltf_lods(const Character& character) {
  std::vector<Character> levels;
  const auto source = std::dynamic_pointer_cast<const gltf::Document>(character.source);
  if (!source || source->json_text.find("MSFT_lod") == std::string_view::npos) return levels;
  try {
    while (true) {
      gltf::Document document = *source;  // its buffers are views of the source's bytes
      document.parts.clear();
      if (!choose_level(document.json, levels.size() + 1)) return levels;
      levels.push_back(read_level(document));
      levels.back().name = character.name;
    }
  } catch (const Error& error) {
    throw error.within("reading level " + std::to_string(levels.size() + 1));
  } catch (const gltf::Json::exception& error) {
    throw Error(ErrorCode::file_damaged, std::string("the levels are against the rules of MSFT_lod: ") + error.what());
  }
}

Character read_gltf(std::vector<std::byte> bytes, const LoadOptions& options, const std::filesystem::path& path) {
  try {
    return read(std::move(bytes), options, path);
  } catch (const gltf::Json::exception& error) {
    throw Error(ErrorCode::file_damaged, std::string("the JSON is against the rules of glTF: ") + error.what());
  }
}

}  // namespace sinew
