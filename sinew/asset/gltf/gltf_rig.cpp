#include "sinew/asset/gltf/gltf_rig.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/asset/gltf/gltf_clip.h"

namespace sinew::gltf {
namespace {

using Rests = std::vector<std::optional<Affine3d>>;  // per node

bool invertible(const Affine3d& transform) {
  const Mat3d linear = transform.linear();
  const double size = linear.norm();
  return transform.matrix().allFinite() && size > 0 && std::abs(linear.determinant()) > 1e-11 * size * size * size;
}

SkinSource read_skin(const Document& document, int index, std::size_t node_count, std::vector<int>& nodes,
                     Warnings& warnings) {
  const std::string where = "skin " + std::to_string(index);
  const Json& object = element(document.json, "skins", index);
  for (const Json& joint : array_member(object, "joints", where)) nodes.push_back(index_of(joint, node_count, where));
  if (nodes.empty()) throw Error(ErrorCode::file_damaged, where + " has no joints");
  std::vector<int> sorted = nodes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    throw Error(ErrorCode::file_damaged, where + " names a joint twice");
  }
  SkinSource skin;
  skin.inverse_bind.assign(nodes.size(), Affine3d::Identity());
  const int accessor = index_member(object, "inverseBindMatrices", count_of(document.json, "accessors"), where);
  if (accessor < 0) return skin;
  const AccessorView view = accessor_view(document, accessor);
  if (view.count < nodes.size() || view.component != Component::f32) {
    throw Error(ErrorCode::file_damaged, where + " has " + std::to_string(nodes.size()) +
                                             " joints but its inverse bind matrices are " + std::to_string(view.count) +
                                             " or not floats");
  }
  const std::vector<float> values = read_floats(view, 16);
  std::size_t bad_rows = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Mat4d matrix = Eigen::Map<const Eigen::Matrix4f>(values.data() + 16 * i).cast<double>();
    bad_rows += !(matrix.row(3) - Eigen::RowVector4d(0, 0, 0, 1)).isZero(1e-6);
    skin.inverse_bind[i].matrix() = matrix;
    skin.inverse_bind[i].makeAffine();
  }
  if (bad_rows > 0) {
    warnings.push_back({"inverse-bind-not-affine", where + ": the last row of " + std::to_string(bad_rows) +
                                                       " inverse bind matrices is not 0 0 0 1; taken as if it were"});
  }
  return skin;
}

// Whether two candidate transforms do the same to points about as far from the origin as the skin's joints.
bool agree(const Affine3d& a, const Affine3d& b, double reach) {
  const double size = std::max(a.linear().norm(), b.linear().norm());
  return (a.linear() - b.linear()).norm() <= 2e-3 * size &&
         (a.translation() - b.translation()).norm() <= 2e-3 * size * std::max(reach, 1e-12);
}

// How far the joints reach in the skin's own space.
double bind_reach(const SkinSource& skin) {
  double reach = 0;
  for (const Affine3d& inverse : skin.inverse_bind) {
    if (invertible(inverse)) reach = std::max(reach, inverse.inverse().translation().norm());
  }
  return reach;
}

struct Consensus {
  Affine3d transform = Affine3d::Identity();
  bool unanimous = true;
};

// `preferred`, when some candidate agrees with it and not all agree among themselves; else the candidate that a
// majority agrees with; else the first one. Looks at a sample of 128 at most.
Consensus consensus(const std::vector<Affine3d>& candidates, const std::optional<Affine3d>& preferred, double reach) {
  const std::size_t step = candidates.size() / 128 + 1;
  Consensus best{candidates.front(), true};
  std::size_t most = 0, sampled = 0;
  for (std::size_t i = 0; i < candidates.size(); i += step, ++sampled) {
    std::size_t votes = 0;
    for (std::size_t k = 0; k < candidates.size(); k += step) votes += agree(candidates[i], candidates[k], reach);
    if (votes > most) {
      most = votes;
      best.transform = candidates[i];
    }
  }
  if (2 * most <= sampled) best.transform = candidates.front();
  for (const Affine3d& candidate : candidates)
    best.unanimous = best.unanimous && agree(candidate, best.transform, reach);
  if (!best.unanimous && preferred) {
    const auto confirms = [&](const Affine3d& candidate) { return agree(candidate, *preferred, reach); };
    if (std::any_of(candidates.begin(), candidates.end(), confirms)) best.transform = *preferred;
  }
  return best;
}

// The transform of the first mesh node that uses the skin.
std::optional<Affine3d> mesh_node_transform(const Document& document, const Scene& scene, int skin) {
  for (const int node : scene.order) {
    const Json& object = element(document.json, "nodes", node);
    if (!object.contains("mesh") || index_member(object, "skin", count_of(document.json, "skins"), "a node") != skin) {
      continue;
    }
    if (invertible(scene.nodes[node].global)) return scene.nodes[node].global;
  }
  return std::nullopt;
}

// Finds the skin's way to character space and the rest of the joints that no earlier skin has settled.
void settle_skin(const Document& document, const Scene& scene, int index, const std::vector<int>& nodes,
                 const std::vector<int>& rank, SkinSource& skin, Rests& rests, Warnings& warnings) {
  const std::string where = "skin " + std::to_string(index);
  std::vector<std::size_t> entries(nodes.size());
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = i;
  std::sort(entries.begin(), entries.end(),
            [&](std::size_t a, std::size_t b) { return rank[nodes[a]] < rank[nodes[b]]; });
  std::vector<Affine3d> shared, fresh;
  std::size_t singular = 0;
  for (const std::size_t i : entries) {
    if (!invertible(skin.inverse_bind[i])) {
      ++singular;
      continue;
    }
    if (rests[nodes[i]]) {
      shared.push_back(*rests[nodes[i]] * skin.inverse_bind[i]);
    } else if (invertible(scene.nodes[nodes[i]].global)) {
      fresh.push_back(scene.nodes[nodes[i]].global * skin.inverse_bind[i]);
    }
  }
  if (singular > 0) {
    warnings.push_back({"inverse-bind-singular", where + ": " + std::to_string(singular) +
                                                     " inverse bind matrices cannot be inverted; their joints rest "
                                                     "where their nodes are"});
  }
  const double reach = bind_reach(skin);
  if (!shared.empty()) {
    const Consensus found = consensus(shared, std::nullopt, reach);
    skin.to_character = found.transform;
    skin.exact = found.unanimous;
    if (!skin.exact) {
      warnings.push_back({"skins-disagree", where + " binds joints of an earlier skin in another pose; its vertices "
                                                    "are brought over joint by joint"});
    }
  } else if (!fresh.empty()) {
    const Consensus found = consensus(fresh, mesh_node_transform(document, scene, index), reach);
    skin.to_character = found.transform;
    if (!found.unanimous) {
      warnings.push_back({"node-pose-differs", where + ": the file's nodes do not stand in the bind pose; the "
                                                       "inverse bind matrices are taken as the rest pose"});
    }
  }
  if (!invertible(skin.to_character)) {
    throw Error(ErrorCode::skeleton_invalid, where + " flattens its mesh: its bind transform has no inverse");
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (rests[nodes[i]] || !invertible(skin.inverse_bind[i])) continue;
    rests[nodes[i]] = skin.to_character * skin.inverse_bind[i].inverse();
  }
}

std::vector<bool> skeleton_nodes(const Scene& scene, const std::vector<std::vector<int>>& skin_nodes) {
  std::vector<bool> member(scene.nodes.size(), false);
  for (const std::vector<int>& nodes : skin_nodes) {
    for (int node : nodes) {
      for (; node >= 0 && !member[node]; node = scene.nodes[node].parent) member[node] = true;
    }
  }
  return member;
}

}  // namespace

Rig read_rig(const Document& document, const Scene& scene, Warnings& warnings) {
  Rig rig;
  const std::size_t node_count = scene.nodes.size();
  rig.joint_of_node.assign(node_count, -1);
  std::vector<int> rank(node_count);
  for (std::size_t i = 0; i < node_count; ++i) rank[scene.order[i]] = static_cast<int>(i);

  const std::size_t skin_count = count_of(document.json, "skins");
  std::vector<std::vector<int>> skin_nodes(skin_count);
  Rests rests(node_count);
  std::vector<bool> is_joint(node_count, false);
  for (std::size_t i = 0; i < skin_count; ++i) {
    rig.skins.push_back(read_skin(document, static_cast<int>(i), node_count, skin_nodes[i], warnings));
    settle_skin(document, scene, static_cast<int>(i), skin_nodes[i], rank, rig.skins[i], rests, warnings);
    for (const int node : skin_nodes[i]) is_joint[node] = true;
  }
  const ClipNodes clip = clip_nodes(document, scene);
  for (const int node : clip.joints) is_joint[node] = true;
  if (!clip.joints.empty()) skin_nodes.push_back(clip.joints);
  const std::vector<bool> member = skeleton_nodes(scene, skin_nodes);
  std::size_t flattened = 0;
  for (const int node : scene.order) {
    if (!member[node]) continue;
    const SceneNode& source = scene.nodes[node];
    const int parent = source.parent < 0 ? -1 : rig.joint_of_node[source.parent];
    if (!rests[node]) {
      Affine3d local = source.local;
      if (!invertible(local)) {
        local = Eigen::Translation3d(source.trs.translation) * source.trs.rotation;
        ++flattened;
      }
      rests[node] = parent < 0 ? local : Affine3d(rig.skeleton.rest[parent] * local);
    }
    const auto named = clip.names.find(node);
    const std::string& name = named == clip.names.end() ? source.name : named->second;
    rig.joint_of_node[node] =
        add_joint(rig.skeleton, name, parent, *rests[node], is_joint[node] ? JointKind::joint : JointKind::helper);
    rig.node_of_joint.push_back(node);
  }
  if (flattened > 0) {
    warnings.push_back({"zero-scale", std::to_string(flattened) + " nodes above joints have a scale of zero; their "
                                                                  "rest is taken without it"});
  }
  if (rig.skeleton.joint_count() > 65536) throw Error(ErrorCode::too_large, "the skins have more than 65536 joints");
  for (std::size_t i = 0; i < skin_count; ++i) {
    SkinSource& skin = rig.skins[i];
    for (std::size_t k = 0; k < skin_nodes[i].size(); ++k) {
      skin.joints.push_back(rig.joint_of_node[skin_nodes[i][k]]);
      if (!skin.exact) skin.joint_to_character.push_back(rig.skeleton.rest[skin.joints[k]] * skin.inverse_bind[k]);
    }
  }
  return rig;
}

}  // namespace sinew::gltf
