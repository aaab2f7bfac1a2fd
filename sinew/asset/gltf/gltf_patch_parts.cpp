#include <algorithm>
#include <map>
#include <set>

#include "sinew/asset/gltf/gltf_fingerprint.h"
#include "sinew/asset/gltf/gltf_mesh.h"
#include "sinew/asset/gltf/gltf_patch.h"

namespace sinew::gltf {
namespace {

constexpr const char* known_attributes[] = {"POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "COLOR_0"};

// Primitives of one mesh node can only be bound alike: a part that is bound otherwise than the first of its node is
// taken out of the file's mesh and written as a new one.
void separate_bindings(const Character& character, const std::vector<Part>& parts,
                       const std::vector<PartSource>& sources, std::vector<int>& match) {
  std::map<int, std::pair<PartBinding, int>> first;  // by node
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (match[i] < 0) continue;
    const int carrier = parts[i].binding == PartBinding::attached ? carrier_of(character, parts[i]) : -1;
    const auto [entry, is_first] = first.try_emplace(sources[match[i]].node, parts[i].binding, carrier);
    if (!is_first && entry->second != std::pair(parts[i].binding, carrier)) match[i] = -1;
  }
}

// One part that is already in the file, being edited.
class PartPatch {
 public:
  PartPatch(Patch& patch, const Part& part, const PartSource& source)
      : patch_(patch),
        part_(part),
        source_(source),
        to_character_(source.to_character),
        from_character_(source.to_character.inverse()) {}

  // Whether the part needs vertices of its own: it shares them with other primitives in the file, and not all stay.
  bool leaves_shared_vertices() const {
    const Change change = find_change();
    return !source_.vertex_of.empty() && (change.rebuild || change.vertices);
  }

  // `own_vertices`: other primitives of the mesh leave the vertices it shares with them, so it does too.
  // Returns the node that holds the part's mesh now.
  int apply(bool own_vertices) {
    const Change change = find_change();
    if (!change.any && !own_vertices) return source_.node;
    patch_.changed = true;
    if (change.content || own_vertices || !source_.exact) own_mesh();
    if (change.rebuild) {
      rebuild_primitive();
    } else {
      if (own_vertices) compact_primitive();
      if (change.triangles) {
        set_primitive("indices", add_indices(patch_.builder, mesh(), part_, mirrored()));
        primitive().erase("mode");
      }
      patch_geometry(change.now, source_.print);
    }
    if (!source_.exact && (change.weights || change.placement || change.rebuild)) leave_inexact_space(change.rebuild);
    if (part_.binding == PartBinding::skinned && patch_.character.has_skin()) {
      skin_part(change.weights || change.rebuild || change.placement, change.placement);
    } else {
      drop_weight_attributes();
      if (change.placement) place_rigid();
    }
    return node_;
  }

 private:
  Patch& patch_;
  const Part& part_;
  const PartSource& source_;
  Affine3d to_character_;    // from the space of the file's POSITIONs
  Affine3d from_character_;  // and back
  int node_ = source_.node;

  const TriangleMesh& mesh() const { return patch_.character.mesh; }
  bool mirrored() const { return from_character_.linear().determinant() < 0; }
  Json& primitive() { return patch_.json["meshes"][patch_.mesh_of_node[node_]]["primitives"][source_.primitive]; }
  // Content is made before the primitive is looked up: making it may move the JSON.
  void set_attribute(const char* name, int accessor) { primitive()["attributes"][name] = accessor; }
  void set_primitive(const char* name, int value) { primitive()[name] = value; }

  struct Change {
    PartFingerprint now;
    bool triangles = false;  // other triangles over the same vertices
    bool rebuild = false;    // other vertices
    bool weights = false, placement = false;
    bool vertices = false;  // any new vertex attribute
    bool content = false;   // anything inside the mesh
    bool any = false;
  };

  Change find_change() const {
    Change change;
    change.now = fingerprint(patch_.character, part_);
    const PartFingerprint &now = change.now, &then = source_.print;
    const bool geometry = now.positions != then.positions || now.normals != then.normals ||
                          now.tangents != then.tangents || now.uvs != then.uvs || now.colors != then.colors;
    change.triangles = now.topology != then.topology;
    change.rebuild = part_.vertex_count != source_.vertex_count || (change.triangles && geometry);
    change.weights = weights_changed(now);
    change.placement = placement_changed(now);
    const bool skinned_anew = change.placement && part_.binding == PartBinding::skinned;
    change.vertices = geometry || change.weights || skinned_anew || (change.placement && !source_.exact);
    change.content = change.vertices || change.triangles || change.rebuild || part_.binding != source_.binding;
    change.any = change.content || change.placement;
    return change;
  }

  bool weights_changed(const PartFingerprint& now) const {
    if (part_.binding != PartBinding::skinned || !patch_.character.has_skin()) return false;
    if (now.weights != source_.print.weights) return true;
    const SaveOptions& options = patch_.context.options;
    const Json& attributes = patch_.source.json["meshes"][source_.mesh]["primitives"][source_.primitive]["attributes"];
    if (options.max_influences > 0 && attributes.contains("JOINTS_0")) {
      const auto slots = static_cast<std::size_t>(patch_.character.weights.influences);
      const auto limit = static_cast<std::size_t>(options.max_influences);
      for (std::size_t v = part_.first_vertex; limit < slots && v < part_.first_vertex + part_.vertex_count; ++v) {
        if (patch_.character.weights.weights[v * slots + limit] > 0.0f) return true;
      }
    }
    return options.quantise_weights && attributes.contains("WEIGHTS_0") &&
           patch_.source.json["accessors"][attributes["WEIGHTS_0"].get<std::size_t>()]["componentType"] != 5121;
  }

  // Whether the part hangs elsewhere than before: another binding, another joint, joints that moved or are new.
  bool placement_changed(const PartFingerprint& now) const {
    if (part_.binding != source_.binding) return true;
    if (patch_.skeleton_change == SkeletonChange::replaced) {
      return part_.binding != PartBinding::fixed || source_.binding != PartBinding::fixed;
    }
    if (part_.binding == PartBinding::skinned) return !source_.exact && patch_.skeleton_change != SkeletonChange::none;
    return patch_.skeleton_change == SkeletonChange::moved ||
           (part_.binding == PartBinding::attached && now.weights != source_.print.weights);
  }

  // A mesh that several nodes show is copied before one of them changes it.
  void own_mesh() {
    const int mesh = patch_.mesh_of_node[node_];
    if (std::count(patch_.mesh_of_node.begin(), patch_.mesh_of_node.end(), mesh) <= 1) return;
    const Json copy = patch_.json["meshes"][mesh];
    const int index = patch_.builder.push("meshes", copy);
    patch_.mesh_of_node[node_] = index;
    patch_.node(node_)["mesh"] = index;
  }

  void patch_geometry(const PartFingerprint& now, const PartFingerprint& then) {
    Builder& builder = patch_.builder;
    const auto wanted = [](std::uint64_t a, std::uint64_t b, const auto& array) { return a != b && !array.empty(); };
    if (wanted(now.positions, then.positions, mesh().positions)) {
      set_attribute("POSITION", add_positions(builder, mesh(), part_, from_character_));
    }
    if (wanted(now.normals, then.normals, mesh().normals)) {
      set_attribute("NORMAL", add_normals(builder, mesh(), part_, from_character_));
    }
    if (wanted(now.tangents, then.tangents, mesh().tangents) && primitive()["attributes"].contains("NORMAL")) {
      set_attribute("TANGENT", add_tangents(builder, mesh(), part_, from_character_));
    }
    if (wanted(now.uvs, then.uvs, mesh().uvs)) set_attribute("TEXCOORD_0", add_uvs(builder, mesh(), part_));
    if (wanted(now.colors, then.colors, mesh().colors)) set_attribute("COLOR_0", add_colors(builder, mesh(), part_));
  }

  // All primitives of a mesh must have the same morph targets, so they all lose them.
  void drop_morph_targets() {
    const int mesh = patch_.mesh_of_node[node_];
    Json& object = patch_.json["meshes"][mesh];
    bool had = false;
    for (Json& other : object["primitives"]) had = other.erase("targets") > 0 || had;
    if (!had) return;
    object.erase("weights");
    patch_.node(node_).erase("weights");
    for (Json& animation : patch_.builder.array("animations")) {
      Json& channels = animation["channels"];
      for (std::size_t i = channels.size(); i-- > 0;) {
        const Json& target = channels[i]["target"];
        if (target.value("path", "") == "weights" && target.value("node", -1) == node_) channels.erase(i);
      }
    }
    if (patch_.json["animations"].empty()) patch_.json.erase("animations");
    patch_.context.warnings.push_back(
        {"morph-targets-dropped", "'" + part_.name + "' has other vertices than before; its morph targets are gone"});
  }

  void rebuild_primitive() {
    for (const auto& [name, accessor] : primitive()["attributes"].items()) {
      const bool known =
          name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_") ||
          std::find(std::begin(known_attributes), std::end(known_attributes), name) != std::end(known_attributes);
      if (known) continue;
      patch_.context.warnings.push_back(
          {"attributes-dropped", "'" + part_.name + "' has other vertices than before; " + name + " is gone"});
    }
    drop_morph_targets();
    Json rebuilt = primitive();
    set_geometry(patch_.builder, mesh(), part_, from_character_, rebuilt);
    primitive() = std::move(rebuilt);
  }

  int gather(const Json& accessor) {
    return gather_accessor(patch_.builder, patch_.source, accessor.get<int>(), source_.vertex_of);
  }

  // Gives a primitive that shares its vertices with others those of its own that the part holds.
  void compact_primitive() {
    Json own = primitive();
    for (const auto& [name, accessor] : own["attributes"].items()) accessor = gather(accessor);
    if (own.contains("targets")) {
      for (Json& target : own["targets"]) {
        for (const auto& [name, accessor] : target.items()) accessor = gather(accessor);
      }
    }
    own["indices"] = add_indices(patch_.builder, mesh(), part_, mirrored());
    own.erase("mode");
    if (part_.triangle_count == 0) own["mode"] = 0;
    primitive() = std::move(own);
  }

  // A skin that no single transform explains is left for a new one, with positions in character space.
  void leave_inexact_space(bool rebuilt) {
    to_character_ = from_character_ = Affine3d::Identity();
    if (rebuilt) {
      Json again = primitive();
      set_geometry(patch_.builder, mesh(), part_, from_character_, again);
      primitive() = std::move(again);
      return;
    }
    set_attribute("POSITION", add_positions(patch_.builder, mesh(), part_, from_character_));
    if (primitive()["attributes"].contains("NORMAL") && !mesh().normals.empty()) {
      set_attribute("NORMAL", add_normals(patch_.builder, mesh(), part_, from_character_));
    }
  }

  void drop_weight_attributes() {
    if (part_.binding == source_.binding) return;
    set_weight_attributes(primitive()["attributes"], {});
  }

  // The file's skin, with every joint the part needs added to it.
  std::vector<int> extended_skin_index() {
    const SkinSource& skin = patch_.source.skins[source_.skin];
    std::vector<int> index(patch_.character.skeleton.names.size(), -1);
    const Json& listed = patch_.json["skins"][source_.skin]["joints"];
    std::vector<int> joints;
    for (const Json& node : listed) {
      const auto found = std::find(patch_.context.node_of_joint.begin(), patch_.context.node_of_joint.end(), node);
      joints.push_back(static_cast<int>(found - patch_.context.node_of_joint.begin()));
      index[joints.back()] = static_cast<int>(joints.size()) - 1;
    }
    const SkinWeights& weights = patch_.character.weights;
    const auto slots = static_cast<std::size_t>(weights.influences);
    const std::size_t before = joints.size();
    for (std::size_t s = part_.first_vertex * slots; s < (part_.first_vertex + part_.vertex_count) * slots; ++s) {
      if (weights.weights[s] <= 0.0f || index[weights.joints[s]] >= 0) continue;
      index[weights.joints[s]] = static_cast<int>(joints.size());
      joints.push_back(weights.joints[s]);
    }
    if (joints.size() == before) return index;
    const int matrices = add_inverse_binds(patch_.builder, patch_.character.skeleton, joints, skin.to_character);
    Json& object = patch_.json["skins"][source_.skin];
    object["inverseBindMatrices"] = matrices;
    for (std::size_t i = before; i < joints.size(); ++i) {
      object["joints"].push_back(patch_.context.node_of_joint[joints[i]]);
    }
    return index;
  }

  // Whether the part's node hangs in a skeleton that is to go.
  bool leaves_old_skeleton() {
    if (patch_.skeleton_change != SkeletonChange::replaced || patch_.context.options.keep_old_skeleton) return false;
    const std::vector<int>& joints = patch_.source.node_of_joint;
    return std::any_of(joints.begin(), joints.end(), [&](int joint) {
      const Json& children = array_member(patch_.node(joint), "children", "a node");
      return std::find(children.begin(), children.end(), node_) != children.end();
    });
  }

  void skin_part(bool write, bool placement) {
    const bool keep_skin = source_.skin >= 0 && source_.exact && patch_.skeleton_change != SkeletonChange::replaced;
    std::vector<int> skin_index;
    if (!write) return;
    if (keep_skin) {
      skin_index = extended_skin_index();
    } else {
      const BuiltSkin& skin = skin_for(patch_.builder, patch_.context, to_character_);
      skin_index = skin.skin_index;
      if (placement && (source_.skin < 0 || leaves_old_skeleton()) && patch_.placed.insert(node_).second) {
        node_ = move_mesh_node(patch_, node_, -1, Affine3d::Identity());
        patch_.placed.insert(node_);
      }
      patch_.node(node_)["skin"] = skin.skin;
    }
    Json attributes = primitive()["attributes"];
    write_weights(patch_.builder, patch_.context, part_, skin_index, attributes);
    primitive()["attributes"] = std::move(attributes);
  }

  void place_rigid() {
    const int joint = part_.binding == PartBinding::attached ? carrier_of(patch_.character, part_) : -1;
    if (patch_.placed.contains(node_)) return;  // by another primitive of the same mesh
    patch_.node(node_).erase("skin");
    if (joint < 0) {
      node_ = move_mesh_node(patch_, node_, -1, to_character_);
    } else {
      node_ = move_mesh_node(patch_, node_, patch_.context.node_of_joint[joint],
                             patch_.character.skeleton.rest[joint].inverse() * to_character_);
    }
    patch_.placed.insert(node_);
  }
};

// Takes out primitives whose part is gone; a node that loses all of them loses its mesh.
void remove_parts(Patch& patch, const std::vector<bool>& kept, const std::map<int, int>& moved) {
  std::map<int, std::set<int>> gone;  // node → primitives
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) continue;
    const auto now = moved.find(patch.source.parts[i].node);
    gone[now == moved.end() ? patch.source.parts[i].node : now->second].insert(patch.source.parts[i].primitive);
  }
  for (const auto& [node, primitives] : gone) {
    patch.changed = true;
    const int mesh = patch.mesh_of_node[node];
    Json left = patch.json["meshes"][mesh];
    for (auto it = primitives.rbegin(); it != primitives.rend(); ++it) left["primitives"].erase(*it);
    if (left["primitives"].empty()) {
      for (const char* key : {"mesh", "skin", "weights"}) patch.node(node).erase(key);
      patch.mesh_of_node[node] = -1;
    } else if (std::count(patch.mesh_of_node.begin(), patch.mesh_of_node.end(), mesh) > 1) {
      patch.mesh_of_node[node] = patch.builder.push("meshes", std::move(left));
      patch.node(node)["mesh"] = patch.mesh_of_node[node];
    } else {
      patch.json["meshes"][mesh] = std::move(left);
    }
  }
}

}  // namespace

std::vector<int> match_parts(const std::vector<Part>& parts, const std::vector<PartSource>& sources) {
  std::vector<int> match(parts.size(), -1);
  std::vector<bool> taken(sources.size(), false);
  for (std::size_t i = 0; i < parts.size() && i < sources.size(); ++i) {
    if (parts[i].name != sources[i].name) continue;
    match[i] = static_cast<int>(i);
    taken[i] = true;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t k = 0; k < sources.size() && match[i] < 0; ++k) {
      if (taken[k] || parts[i].name != sources[k].name) continue;
      match[i] = static_cast<int>(k);
      taken[k] = true;
    }
  }
  return match;
}

void patch_parts(Patch& patch) {
  const std::vector<Part> parts = parts_of(patch.character);
  std::vector<int> match = match_parts(parts, patch.source.parts);
  separate_bindings(patch.character, parts, patch.source.parts, match);
  std::vector<bool> kept(patch.source.parts.size(), false);
  std::set<int> separated;  // meshes whose primitives stop sharing vertices
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (match[i] < 0) continue;
    const PartSource& source = patch.source.parts[match[i]];
    if (PartPatch(patch, parts[i], source).leaves_shared_vertices()) separated.insert(source.mesh);
  }
  std::map<int, int> moved;  // node of the file → node that took its mesh
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (match[i] < 0) continue;
    kept[match[i]] = true;
    PartSource source = patch.source.parts[match[i]];
    const auto found = moved.find(source.node);
    const int original = source.node;
    if (found != moved.end()) source.node = found->second;
    const bool own_vertices = !source.vertex_of.empty() && separated.contains(source.mesh);
    moved[original] = PartPatch(patch, parts[i], source).apply(own_vertices);
  }
  remove_parts(patch, kept, moved);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (match[i] >= 0 || parts[i].vertex_count == 0) continue;
    patch.changed = true;
    add_part(patch.builder, patch.context, parts[i]);
  }
}

}  // namespace sinew::gltf
