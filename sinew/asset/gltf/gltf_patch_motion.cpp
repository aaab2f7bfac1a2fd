#include <algorithm>

#include "sinew/asset/gltf/gltf_fingerprint.h"
#include "sinew/asset/gltf/gltf_patch.h"

namespace sinew::gltf {
namespace {

// Takes the channels that move the old skeleton out of an animation, and the samplers only they used.
void remove_joint_channels(const Patch& patch, Json& animation) {
  const std::vector<int>& joints = patch.source.node_of_joint;
  Json channels = Json::array(), samplers = Json::array();
  for (Json& channel : animation["channels"]) {
    const Json& target = channel["target"];
    const std::string path = target.value("path", "");
    const bool transform = path == "translation" || path == "rotation" || path == "scale";
    const int node = target.value("node", -1);
    if (transform && std::find(joints.begin(), joints.end(), node) != joints.end()) continue;
    samplers.push_back(animation["samplers"][channel["sampler"].get<std::size_t>()]);
    channel["sampler"] = samplers.size() - 1;
    channels.push_back(channel);
  }
  animation["channels"] = std::move(channels);
  animation["samplers"] = std::move(samplers);
}

// The same motion of some joints alone.
Motion joints_of(const Motion& motion, std::size_t first, std::size_t count) {
  Motion part;
  part.name = motion.name;
  part.frames_per_second = motion.frames_per_second;
  part.joint_count = static_cast<int>(count);
  const auto joints = static_cast<std::size_t>(motion.joint_count);
  for (std::size_t at = first; at < motion.transforms.size(); at += joints) {
    const auto begin = motion.transforms.begin() + static_cast<std::ptrdiff_t>(at);
    part.transforms.insert(part.transforms.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  return part;
}

// Of joints from `from` on.
void append_motion(Patch& patch, const Motion& motion, Json& animation, std::size_t from = 0) {
  const std::vector<int>& nodes = patch.context.node_of_joint;
  Json made = from == 0 ? make_animation(patch.builder, motion, nodes)
                        : make_animation(patch.builder, joints_of(motion, from, nodes.size() - from),
                                         {nodes.begin() + static_cast<std::ptrdiff_t>(from), nodes.end()});
  const std::size_t first = animation["samplers"].size();
  for (Json& channel : made["channels"]) {
    channel["sampler"] = channel["sampler"].get<std::size_t>() + first;
    animation["channels"].push_back(std::move(channel));
  }
  for (Json& sampler : made["samplers"]) animation["samplers"].push_back(std::move(sampler));
  animation["name"] = motion.name;
}

// Animated nodes may not be given by a matrix.
void spell_out_matrices(Patch& patch) {
  for (const int node : patch.context.node_of_joint) {
    double m[16];
    if (!numbers_member(patch.node(node), "matrix", m, "a node")) continue;
    Affine3d transform;
    transform.matrix() = Eigen::Map<const Mat4d>(m);
    set_node_transform(patch.node(node), Transform::from_matrix(transform));
  }
}

}  // namespace

void patch_motions(Patch& patch) {
  const std::vector<Motion>& motions = patch.character.motions;
  const std::vector<MotionSource>& sources = patch.source.motions;
  std::vector<int> replaces(motions.size(), -1);  // source motion
  std::vector<bool> same(motions.size(), false), taken(sources.size(), false);
  const auto match = [&](auto equal, bool unchanged) {
    for (std::size_t i = 0; i < motions.size(); ++i) {
      for (std::size_t k = 0; k < sources.size() && replaces[i] < 0; ++k) {
        if (taken[k] || !equal(i, k)) continue;
        replaces[i] = static_cast<int>(k);
        taken[k] = true;
        same[i] = unchanged;
      }
    }
  };
  // A node that an animation leaves alone keeps its own transform, so joints that moved change every motion.
  const bool extended = patch.skeleton_change == SkeletonChange::extended;
  const std::size_t old_joints = patch.source.node_of_joint.size();
  if ((patch.skeleton_change == SkeletonChange::none && !patch.posed) || extended) {
    std::vector<std::uint64_t> prints;
    for (const Motion& motion : motions) {
      prints.push_back(fingerprint(extended ? joints_of(motion, 0, old_joints) : motion));
    }
    match([&](std::size_t i, std::size_t k) { return prints[i] == sources[k].content; }, true);
  }
  // The animations of a skeleton that stays beside the new one are its own.
  const bool keep = patch.skeleton_change == SkeletonChange::replaced && patch.context.options.keep_old_skeleton;
  if (!keep) match([&](std::size_t i, std::size_t k) { return motions[i].name == sources[k].name; }, false);

  const bool all_same = std::all_of(same.begin(), same.end(), [](bool s) { return s; }) &&
                        std::all_of(taken.begin(), taken.end(), [](bool t) { return t; });
  if (all_same && !extended) return;
  patch.changed = true;
  spell_out_matrices(patch);
  for (std::size_t i = 0; i < motions.size(); ++i) {
    if ((same[i] && !extended) || motions[i].frame_count() == 0) continue;
    Json animation = {{"name", motions[i].name}, {"samplers", Json::array()}, {"channels", Json::array()}};
    if (replaces[i] >= 0) {
      animation = patch.json["animations"][sources[replaces[i]].animation];
      if (!same[i]) remove_joint_channels(patch, animation);
    }
    append_motion(patch, motions[i], animation, same[i] ? old_joints : 0);
    if (replaces[i] >= 0) {
      patch.json["animations"][sources[replaces[i]].animation] = std::move(animation);
    } else {
      patch.builder.push("animations", std::move(animation));
    }
  }
  std::vector<int> emptied;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    if (taken[k] || keep) continue;
    Json& animation = patch.json["animations"][sources[k].animation];
    remove_joint_channels(patch, animation);
    if (animation["channels"].empty()) emptied.push_back(sources[k].animation);
  }
  std::sort(emptied.rbegin(), emptied.rend());
  for (const int animation : emptied) patch.json["animations"].erase(animation);
  if (patch.json.contains("animations") && patch.json["animations"].empty()) patch.json.erase("animations");
}

}  // namespace sinew::gltf
