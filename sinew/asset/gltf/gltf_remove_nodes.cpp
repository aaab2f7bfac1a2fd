#include <algorithm>
#include <array>

#include "sinew/asset/gltf/gltf_patch.h"

namespace sinew::gltf {
namespace {

// Extensions whose numbers of nodes, if they hold any, are known here.
std::string unknown_extension(const Json& json) {
  static constexpr std::array known{"KHR_materials_",
                                    "KHR_texture_",
                                    "KHR_lights_punctual",
                                    "KHR_mesh_quantization",
                                    "KHR_xmp_",
                                    "EXT_texture_",
                                    "EXT_meshopt_",
                                    "KHR_draco_mesh_",
                                    "MSFT_lod",
                                    "MSFT_texture",
                                    "VRM",
                                    "EXT_materials_"};
  for (const Json& name : array_member(json, "extensionsUsed", "the file")) {
    if (!name.is_string()) return "an extension without a name";
    const auto text = name.get<std::string>();
    const auto covers = [&](const char* prefix) { return text.starts_with(prefix); };
    if (std::none_of(known.begin(), known.end(), covers)) return text;
  }
  return "";
}

std::vector<int> node_parents(const Json& json) {
  std::vector<int> parents(count_of(json, "nodes"), -1);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (const Json& child : array_member(json["nodes"][i], "children", "a node")) {
      parents[child.get<std::size_t>()] = static_cast<int>(i);
    }
  }
  return parents;
}

// Nodes that a coarser level of detail stands in.
std::vector<bool> level_nodes(const Json& json, std::size_t count) {
  std::vector<bool> used(count, false);
  for (const Json& node : array_member(json, "nodes", "the file")) {
    const auto extensions = node.find("extensions");
    if (extensions == node.end() || !extensions->contains("MSFT_lod")) continue;
    for (const Json& id : array_member((*extensions)["MSFT_lod"], "ids", "MSFT_lod"))
      used[id.get<std::size_t>()] = true;
  }
  return used;
}

// Old joints, what only grouped them, and what only marked places on them: everything around the old skeleton that
// shows nothing. Data that somebody left on such a node keeps it, unless it was a joint.
std::vector<bool> dead_nodes(const Patch& patch) {
  const Json& json = patch.json;
  const std::vector<int> parents = node_parents(json);
  std::vector<bool> old(parents.size(), false), around(parents.size(), false), carries = level_nodes(json, old.size());
  for (const int node : patch.source.node_of_joint) {
    old[node] = true;
    for (int up = node; up >= 0; up = parents[up]) around[up] = true;
  }
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (int up = parents[i]; up >= 0 && !around[i]; up = parents[up]) around[i] = old[up];
    const Json& node = json["nodes"][i];
    carries[i] = carries[i] || !around[i] || node.contains("mesh") || node.contains("camera") ||
                 node.contains("extensions") || (node.contains("extras") && !old[i]);
  }
  for (const int node : patch.context.node_of_joint) carries[node] = true;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (!carries[i]) continue;
    for (int up = parents[i]; up >= 0 && !carries[up]; up = parents[up]) carries[up] = true;
  }
  carries.flip();
  return carries;
}

// Takes numbers of dead nodes out of a list and renumbers the others; a list that becomes empty goes.
void renumber_list(Json& object, const char* key, const std::vector<int>& number) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return;
  Json kept = Json::array();
  for (const Json& entry : *found) {
    const int now = number[entry.get<std::size_t>()];
    if (now >= 0) kept.push_back(now);
  }
  if (kept.empty()) {
    object.erase(key);
  } else {
    *found = std::move(kept);
  }
}

// Channels that move dead nodes go, and animations without channels.
void renumber_animations(Json& json, const std::vector<int>& number) {
  if (!json.contains("animations")) return;
  Json animations = Json::array();
  for (Json& animation : json["animations"]) {
    Json channels = Json::array(), samplers = Json::array();
    bool all = true;
    for (Json& channel : animation["channels"]) {
      Json& target = channel["target"];
      const int now = target.contains("node") ? number[target["node"].get<std::size_t>()] : -1;
      if (target.contains("node")) {
        all = all && now >= 0;
        if (now < 0) continue;
        target["node"] = now;
      }
      channels.push_back(channel);
    }
    if (!all) {  // samplers that only they used go too
      for (Json& channel : channels) {
        samplers.push_back(animation["samplers"][channel["sampler"].get<std::size_t>()]);
        channel["sampler"] = samplers.size() - 1;
      }
      animation["samplers"] = std::move(samplers);
    }
    animation["channels"] = std::move(channels);
    if (!animation["channels"].empty()) animations.push_back(std::move(animation));
  }
  json["animations"] = std::move(animations);
  if (json["animations"].empty()) json.erase("animations");
}

// Numbers of nodes anywhere inside a VRM extension: members that the specifications call "node", "source" and "center",
// and lists of bones.
void renumber_vrm(Json& value, const std::vector<int>& number) {
  if (value.is_array()) {
    for (Json& entry : value) renumber_vrm(entry, number);
    return;
  }
  if (!value.is_object()) return;
  for (auto& [key, member] : value.items()) {
    const bool index = key == "node" || key == "source" || key == "center" || key == "firstPersonBone";
    if (index && member.is_number_integer()) {
      const auto old = member.get<std::int64_t>();
      if (old >= 0 && old < static_cast<std::int64_t>(number.size())) member = number[static_cast<std::size_t>(old)];
    } else if (key == "bones" && member.is_array()) {
      Json bones = Json::array();
      for (const Json& bone : member) {
        const bool valid = bone.is_number_unsigned() && bone.get<std::size_t>() < number.size();
        if (valid && number[bone.get<std::size_t>()] >= 0) bones.push_back(number[bone.get<std::size_t>()]);
      }
      member = std::move(bones);
    } else {
      renumber_vrm(member, number);
    }
  }
}

void renumber_extensions(Json& holder, const std::vector<int>& number) {
  const auto extensions = holder.find("extensions");
  if (extensions == holder.end() || !extensions->is_object()) return;
  for (auto& [name, extension] : extensions->items()) {
    if (name == "MSFT_lod") renumber_list(extension, "ids", number);
    if (name.starts_with("VRM")) renumber_vrm(extension, number);
  }
}

// New number of every node, -1 for those that are gone.
std::vector<int> erase_nodes(Json& json, const std::vector<bool>& dead) {
  std::vector<int> number(dead.size(), -1);
  Json nodes = Json::array();
  for (std::size_t i = 0; i < dead.size(); ++i) {
    if (dead[i]) continue;
    number[i] = static_cast<int>(nodes.size());
    nodes.push_back(std::move(json["nodes"][i]));
  }
  json["nodes"] = std::move(nodes);
  for (Json& node : json["nodes"]) {
    renumber_list(node, "children", number);
    renumber_extensions(node, number);
  }
  if (json.contains("scenes")) {
    for (Json& scene : json["scenes"]) renumber_list(scene, "nodes", number);
  }
  if (json.contains("skins")) {
    for (Json& skin : json["skins"]) {
      renumber_list(skin, "joints", number);
      if (!skin.contains("skeleton")) continue;
      const int now = number[skin["skeleton"].get<std::size_t>()];
      if (now >= 0) skin["skeleton"] = now;
      if (now < 0) skin.erase("skeleton");
    }
  }
  renumber_animations(json, number);
  renumber_extensions(json, number);
  return number;
}

void forget_extension(Json& json, const std::string& name) {
  const auto forget = [&](Json& holder) {
    if (!holder.contains("extensions") || holder["extensions"].erase(name) == 0) return;
    if (holder["extensions"].empty()) holder.erase("extensions");
  };
  forget(json);
  for (Json& node : json["nodes"]) forget(node);
  for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
    if (!json.contains(list)) continue;
    Json kept = Json::array();
    for (const Json& entry : json[list]) {
      if (entry != name) kept.push_back(entry);
    }
    json[list] = std::move(kept);
    if (json[list].empty()) json.erase(list);
  }
}

// What VRM files say about joints is about the old ones. What becomes a VRM again keeps what it says of itself.
void forget_vrm(Patch& patch) {
  std::string gone;
  for (const std::string name : {"VRM", "VRMC_vrm", "VRMC_springBone", "VRMC_node_constraint"}) {
    if (patch.context.options.as_vrm && (name == "VRM" || name == "VRMC_vrm")) continue;
    const Json& used = array_member(patch.json, "extensionsUsed", "the file");
    if (std::find(used.begin(), used.end(), name) == used.end()) continue;
    forget_extension(patch.json, name);
    gone += (gone.empty() ? "" : ", ") + name;
  }
  if (gone.empty()) return;
  patch.context.warnings.push_back(
      {"vrm-dropped", gone + " described the skeleton that was replaced and is gone; a .vrm gets a new humanoid"});
}

}  // namespace

void remove_old_joints(Patch& patch) {
  if (patch.skeleton_change != SkeletonChange::replaced || patch.context.options.keep_old_skeleton) return;
  if (patch.json["nodes"].empty()) return;
  forget_vrm(patch);
  const std::string unknown = unknown_extension(patch.json);
  if (!unknown.empty()) {
    patch.context.warnings.push_back(
        {"old-nodes-kept", "the file uses " + unknown +
                               ", which may refer to nodes by their numbers; nodes of the old skeleton stay in it"});
    return;
  }
  const std::vector<int> number = erase_nodes(patch.json, dead_nodes(patch));
  for (int& node : patch.context.node_of_joint) node = number[node];
}

}  // namespace sinew::gltf
