#include <algorithm>
#include <cmath>

#include "sinew/asset/gltf/gltf_build.h"

namespace sinew::gltf {
namespace {

template <typename Vector>
Json float_list(const Vector& values) {
  Json list = Json::array();
  for (Eigen::Index i = 0; i < values.size(); ++i) list.push_back(static_cast<float>(values[i]));
  return list;
}

bool close(const Transform& a, const Transform& b) {
  return (a.translation - b.translation).norm() <= 1e-7 * (1e-3 + a.translation.norm()) &&
         std::abs(std::abs(a.rotation.dot(b.rotation)) - 1.0) < 1e-12 && (a.scale - b.scale).norm() < 1e-7;
}

}  // namespace

void set_node_transform(Json& node, const Transform& local) {
  for (const char* key : {"matrix", "translation", "rotation", "scale"}) node.erase(key);
  const Transform none;
  if (!local.translation.isZero(0.0)) node["translation"] = float_list(local.translation);
  if (!close({Vec3d::Zero(), local.rotation, Vec3d::Ones()}, none)) {
    node["rotation"] = float_list(local.rotation.coeffs());
  }
  if (!(local.scale - Vec3d::Ones()).isZero(1e-7)) node["scale"] = float_list(local.scale);
}

std::vector<int> add_joint_nodes(Builder& builder, const Skeleton& skeleton, Warnings& warnings) {
  const Pose pose = rest_pose(skeleton);
  const std::vector<Affine3d> globals = global_transforms(skeleton, pose);
  std::vector<int> nodes;
  double reach = 0, error = 0;
  for (std::size_t joint = 0; joint < skeleton.names.size(); ++joint) {
    reach = std::max(reach, skeleton.rest[joint].matrix().cwiseAbs().maxCoeff());
    error = std::max(error, (globals[joint].matrix() - skeleton.rest[joint].matrix()).cwiseAbs().maxCoeff());
    Json node = {{"name", skeleton.names[joint]}};
    set_node_transform(node, pose[joint]);
    nodes.push_back(builder.push("nodes", std::move(node)));
  }
  if (error > 1e-4 * reach) {
    warnings.push_back({"shear-lost",
                        "the rest pose has shear, which glTF nodes cannot hold; the skin is exact, the "
                        "nodes stand as near to it as they can"});
  }
  for (std::size_t joint = 0; joint < nodes.size(); ++joint) {
    const int parent = skeleton.parents[joint];
    if (parent >= 0) builder.json["nodes"][nodes[parent]]["children"].push_back(nodes[joint]);
  }
  return nodes;
}

int add_skeleton_root(Builder& builder, const Skeleton& skeleton, const std::vector<int>& node_of_joint) {
  Json roots = Json::array();
  for (const int root : roots_of(skeleton)) roots.push_back(node_of_joint[root]);
  if (roots.size() == 1) return roots[0].get<int>();
  return builder.push("nodes", {{"name", "Skeleton"}, {"children", std::move(roots)}});
}

int add_inverse_binds(Builder& builder, const Skeleton& skeleton, const std::vector<int>& joints,
                      const Affine3d& mesh_to_character) {
  std::vector<float> matrices;
  for (const int joint : joints) {
    Eigen::Matrix4f matrix = (skeleton.rest[joint].inverse() * mesh_to_character).matrix().cast<float>();
    matrix.row(3) << 0.0f, 0.0f, 0.0f, 1.0f;
    matrices.insert(matrices.end(), matrix.data(), matrix.data() + 16);
  }
  return builder.add_values(std::move(matrices), Component::f32, "MAT4", joints.size(), ViewTarget::none);
}

BuiltSkin add_skin(Builder& builder, const Skeleton& skeleton, const SkinWeights& weights,
                   const std::vector<int>& node_of_joint, const Affine3d& mesh_to_character) {
  const std::size_t count = skeleton.names.size();
  std::vector<bool> weighted(count, false);
  for (std::size_t slot = 0; slot < weights.weights.size(); ++slot) {
    if (weights.weights[slot] > 0.0f) weighted[weights.joints[slot]] = true;
  }
  BuiltSkin built;
  built.skin_index.assign(count, -1);
  std::vector<int> joints;
  Json nodes = Json::array();
  for (std::size_t joint = 0; joint < count; ++joint) {
    if (skeleton.kinds[joint] == JointKind::helper && !weighted[joint]) continue;
    built.skin_index[joint] = static_cast<int>(joints.size());
    joints.push_back(static_cast<int>(joint));
    nodes.push_back(node_of_joint[joint]);
  }
  if (joints.empty()) return built;
  const int matrices = add_inverse_binds(builder, skeleton, joints, mesh_to_character);
  built.skin = builder.push(
      "skins", {{"name", skeleton.names[0]}, {"inverseBindMatrices", matrices}, {"joints", std::move(nodes)}});
  return built;
}

Json make_animation(Builder& builder, const Motion& motion, const std::vector<int>& nodes) {
  const int frames = motion.frame_count();
  std::vector<float> times;
  for (int frame = 0; frame < frames; ++frame) times.push_back(static_cast<float>(frame / motion.frames_per_second));
  const int input = builder.add_values(times, Component::f32, "SCALAR", times.size(), ViewTarget::none);
  builder.set_bounds(input, times, 1);
  Json samplers = Json::array(), channels = Json::array();
  const auto add_channel = [&](int joint, const char* path, const std::vector<float>& values) {
    const bool rotation = path[0] == 'r';
    const int output =
        builder.add_values(values, Component::f32, rotation ? "VEC4" : "VEC3", times.size(), ViewTarget::none);
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", nodes[static_cast<std::size_t>(joint)]}, {"path", path}}}});
    samplers.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  for (int joint = 0; joint < motion.joint_count; ++joint) {
    const Json& node = builder.json["nodes"][static_cast<std::size_t>(nodes[static_cast<std::size_t>(joint)])];
    std::vector<float> translation, rotation, scale;
    Quatd previous = Quatd::Identity();
    for (int frame = 0; frame < frames; ++frame) {
      const Transform& key = motion.transforms[static_cast<std::size_t>(frame) * motion.joint_count + joint];
      // Neighbouring keys on one hemisphere, so that every reader interpolates the short way.
      const Quatd turned = key.rotation.dot(previous) < 0 ? Quatd(-key.rotation.coeffs()) : key.rotation;
      previous = turned;
      for (int c = 0; c < 3; ++c) translation.push_back(static_cast<float>(key.translation[c]));
      for (int c = 0; c < 4; ++c) rotation.push_back(static_cast<float>(turned.coeffs()[c]));
      for (int c = 0; c < 3; ++c) scale.push_back(static_cast<float>(key.scale[c]));
    }
    const auto still = [&](const char* path, const std::vector<float>& values, const std::vector<float>& otherwise) {
      const std::vector<float> own = node.contains(path) ? node[path].get<std::vector<float>>() : otherwise;
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != own[i % own.size()]) return false;
      }
      return true;
    };
    if (!still("translation", translation, {0, 0, 0})) add_channel(joint, "translation", translation);
    if (!still("rotation", rotation, {0, 0, 0, 1})) add_channel(joint, "rotation", rotation);
    if (!still("scale", scale, {1, 1, 1})) add_channel(joint, "scale", scale);
  }
  if (channels.empty() && motion.joint_count > 0) {  // an animation needs a channel: the first joint stands still
    std::vector<float> still;
    for (int frame = 0; frame < frames; ++frame) {
      const Transform& key = motion.transforms[static_cast<std::size_t>(frame) * motion.joint_count];
      for (int c = 0; c < 4; ++c) still.push_back(static_cast<float>(key.rotation.coeffs()[c]));
    }
    add_channel(0, "rotation", still);
  }
  return {{"name", motion.name}, {"samplers", samplers}, {"channels", channels}};
}

}  // namespace sinew::gltf
