#include "sinew/asset/gltf/gltf_clip.h"

namespace sinew::gltf {
namespace {

// Follows members that must be objects; null where one is missing.
const Json* object_at(const Json& root, std::initializer_list<const char*> path) {
  const Json* at = &root;
  for (const char* key : path) {
    const auto found = at->find(key);
    if (found == at->end() || !found->is_object()) return nullptr;
    at = &*found;
  }
  return at;
}

std::vector<bool> moving_nodes(const Document& document, const Scene& scene) {
  std::vector<bool> moves(scene.nodes.size(), false);
  for (std::size_t i = 0; i < count_of(document.json, "animations"); ++i) {
    const Json& animation = element(document.json, "animations", static_cast<int>(i));
    for (const Json& channel : array_member(animation, "channels", "an animation")) {
      if (!channel.is_object() || !channel.contains("target") || !channel["target"].is_object()) continue;
      const int node = index_member(channel["target"], "node", moves.size(), "an animation channel");
      const bool shows = node >= 0 && element(document.json, "nodes", node).contains("camera");
      if (node >= 0 && !shows && scene.nodes[static_cast<std::size_t>(node)].in_scene) {
        moves[static_cast<std::size_t>(node)] = true;
      }
    }
  }
  return moves;
}

}  // namespace

ClipNodes clip_nodes(const Document& document, const Scene& scene) {
  ClipNodes clip;
  if (count_of(document.json, "meshes") > 0 || count_of(document.json, "skins") > 0) return clip;
  if (const Json* bones = object_at(document.json, {"extensions", "VRMC_vrm_animation", "humanoid", "humanBones"})) {
    for (const auto& [name, bone] : bones->items()) {
      if (!bone.is_object()) continue;
      const int node = index_member(bone, "node", scene.nodes.size(), "a human bone");
      if (node >= 0 && clip.names.try_emplace(node, name).second) clip.joints.push_back(node);
    }
    return clip;
  }
  std::vector<bool> joint = moving_nodes(document, scene);
  for (const int node : scene.order) {  // parents first
    const int parent = scene.nodes[static_cast<std::size_t>(node)].parent;
    if (parent >= 0 && joint[static_cast<std::size_t>(parent)]) joint[static_cast<std::size_t>(node)] = true;
    if (joint[static_cast<std::size_t>(node)]) clip.joints.push_back(node);
  }
  return clip;
}

}  // namespace sinew::gltf
