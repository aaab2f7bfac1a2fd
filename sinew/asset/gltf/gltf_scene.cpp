#include <algorithm>
#include <cmath>

#include "sinew/asset/gltf/gltf_rig.h"

namespace sinew::gltf {
namespace {

SceneNode read_node(const Document& document, int index, Warnings& warnings) {
  const std::string where = "node " + std::to_string(index);
  const Json& object = element(document.json, "nodes", index);
  SceneNode node;
  node.name = string_member(object, "name", "", where);
  if (node.name.empty()) node.name = where;
  double m[16];
  if (numbers_member(object, "matrix", m, where)) {
    node.local.matrix() = Eigen::Map<const Mat4d>(m);
    node.local.makeAffine();
    node.trs = Transform::from_matrix(node.local);
    return node;
  }
  double t[3], r[4], s[3];
  if (numbers_member(object, "translation", t, where)) node.trs.translation = Vec3d(t[0], t[1], t[2]);
  if (numbers_member(object, "scale", s, where)) node.trs.scale = Vec3d(s[0], s[1], s[2]);
  if (numbers_member(object, "rotation", r, where)) {
    const Quatd rotation(r[3], r[0], r[1], r[2]);
    if (rotation.norm() > 1e-6 && std::isfinite(rotation.norm())) {
      node.trs.rotation = rotation.normalized();
    } else {
      warnings.push_back({"bad-rotation", where + " has a rotation of length zero; taken as none"});
    }
  }
  node.local = node.trs.matrix();
  return node;
}

std::vector<int> read_children(const Document& document, int index, std::size_t count) {
  const std::string where = "the children of node " + std::to_string(index);
  std::vector<int> children;
  for (const Json& child : array_member(element(document.json, "nodes", index), "children", where)) {
    children.push_back(index_of(child, count, where));
  }
  return children;
}

std::vector<int> scene_roots(const Document& document, std::size_t node_count) {
  const std::size_t scenes = count_of(document.json, "scenes");
  const int chosen = index_member(document.json, "scene", scenes, "the file");
  std::vector<int> roots;
  if (scenes == 0) return roots;
  const Json& scene = element(document.json, "scenes", std::max(chosen, 0));
  for (const Json& root : array_member(scene, "nodes", "the scene")) {
    roots.push_back(index_of(root, node_count, "the scene"));
  }
  return roots;
}

}  // namespace

Scene read_scene(const Document& document, Warnings& warnings) {
  Scene scene;
  const std::size_t count = count_of(document.json, "nodes");
  scene.nodes.reserve(count);
  std::vector<std::vector<int>> children(count);
  for (std::size_t i = 0; i < count; ++i) {
    scene.nodes.push_back(read_node(document, static_cast<int>(i), warnings));
    children[i] = read_children(document, static_cast<int>(i), count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (const int child : children[i]) {
      int& parent = scene.nodes[static_cast<std::size_t>(child)].parent;
      if (parent >= 0) throw Error(ErrorCode::file_damaged, "node " + std::to_string(child) + " has two parents");
      parent = static_cast<int>(i);
    }
  }
  std::vector<bool> shown(count, false);
  for (const int root : scene_roots(document, count)) shown[static_cast<std::size_t>(root)] = true;
  const bool show_all = count_of(document.json, "scenes") == 0;

  struct Visit {
    int node, depth;
  };
  std::vector<Visit> stack;
  for (std::size_t i = count; i-- > 0;) {
    if (scene.nodes[i].parent < 0) stack.push_back({static_cast<int>(i), 1});
  }
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    if (visit.depth > document.options.max_node_depth) {
      throw Error(ErrorCode::too_large,
                  "the nodes are nested more than " + std::to_string(document.options.max_node_depth) + " deep");
    }
    SceneNode& node = scene.nodes[static_cast<std::size_t>(visit.node)];
    const SceneNode* parent = node.parent < 0 ? nullptr : &scene.nodes[static_cast<std::size_t>(node.parent)];
    node.in_scene = show_all || shown[static_cast<std::size_t>(visit.node)] || (parent && parent->in_scene);
    node.global = parent ? Affine3d(parent->global * node.local) : node.local;
    if (!node.global.matrix().allFinite()) {
      throw Error(ErrorCode::file_damaged, "node '" + node.name + "' has a transform that is not finite");
    }
    scene.order.push_back(visit.node);
    const std::vector<int>& below = children[static_cast<std::size_t>(visit.node)];
    for (std::size_t i = below.size(); i-- > 0;) stack.push_back({below[i], visit.depth + 1});
  }
  if (scene.order.size() != count) throw Error(ErrorCode::file_damaged, "the nodes form a cycle");
  return scene;
}

}  // namespace sinew::gltf
