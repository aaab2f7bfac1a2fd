#include <assimp/scene.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "sinew/asset/fbx/assimp_scene.h"
#include "sinew/base/plain_text.h"
#include "sinew/error.h"

namespace sinew {
namespace {

constexpr double lowest_rate = 24.0, highest_rate = 240.0, usual_rate = 30.0;

// The keys around `time`: the earlier one's index, and how far to the next in [0, 1].
template <typename Key>
std::pair<unsigned, double> locate(const Key* keys, unsigned count, double time) {
  const Key* after = std::upper_bound(keys, keys + count, time, [](double t, const Key& key) { return t < key.mTime; });
  if (after == keys) return {0, 0.0};
  const auto before = static_cast<unsigned>(after - keys - 1);
  if (after == keys + count) return {before, 0.0};
  const double span = after->mTime - keys[before].mTime;
  return {before, span > 0 ? (time - keys[before].mTime) / span : 0.0};
}

Vec3d sample(const aiVectorKey* keys, unsigned count, double time) {
  const auto [i, t] = locate(keys, count, time);
  const aiVector3D value =
      t > 0 ? keys[i].mValue + (keys[i + 1].mValue - keys[i].mValue) * static_cast<ai_real>(t) : keys[i].mValue;
  return {value.x, value.y, value.z};
}

Quatd to_quat(const aiQuaternion& q) {
  const Quatd result(q.w, q.x, q.y, q.z);
  const double norm = result.norm();
  return norm > 1e-12 && std::isfinite(norm) ? result.normalized() : Quatd::Identity();
}

Quatd sample(const aiQuatKey* keys, unsigned count, double time) {
  const auto [i, t] = locate(keys, count, time);
  const Quatd value = to_quat(keys[i].mValue);
  return t > 0 ? value.slerp(t, to_quat(keys[i + 1].mValue)).normalized() : value;
}

Transform sample(const aiNodeAnim& channel, const Transform& still, double time) {
  Transform result = still;
  if (channel.mNumPositionKeys > 0) result.translation = sample(channel.mPositionKeys, channel.mNumPositionKeys, time);
  if (channel.mNumRotationKeys > 0) result.rotation = sample(channel.mRotationKeys, channel.mNumRotationKeys, time);
  if (channel.mNumScalingKeys > 0) result.scale = sample(channel.mScalingKeys, channel.mNumScalingKeys, time);
  return result;
}

struct KeyRange {
  double first = std::numeric_limits<double>::infinity();
  double last = -std::numeric_limits<double>::infinity();
  double shortest_step = std::numeric_limits<double>::infinity();
  bool sorted = true;

  template <typename Key>
  void add(const Key* keys, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      if (!std::isfinite(keys[i].mTime)) sorted = false;
      first = std::min(first, keys[i].mTime);
      last = std::max(last, keys[i].mTime);
      if (i == 0) continue;
      const double step = keys[i].mTime - keys[i - 1].mTime;
      if (step < 0) sorted = false;
      if (step > 1e-9) shortest_step = std::min(shortest_step, step);
    }
  }
};

KeyRange key_range(const aiAnimation& animation) {
  KeyRange range;
  for (unsigned c = 0; c < animation.mNumChannels; ++c) {
    const aiNodeAnim& channel = *animation.mChannels[c];
    range.add(channel.mPositionKeys, channel.mNumPositionKeys);
    range.add(channel.mRotationKeys, channel.mNumRotationKeys);
    range.add(channel.mScalingKeys, channel.mNumScalingKeys);
  }
  return range;
}

// The file's own frame rate where it makes sense as one, else that of the closest keys.
double frame_rate(const aiAnimation& animation, const KeyRange& range, double ticks_per_second) {
  if (animation.mTicksPerSecond >= lowest_rate && animation.mTicksPerSecond <= highest_rate) {
    return animation.mTicksPerSecond;
  }
  const double rate = ticks_per_second / range.shortest_step;
  if (!(rate >= lowest_rate)) return usual_rate;
  return std::min(std::round(rate * 1000.0) / 1000.0, highest_rate);
}

class MotionSampler {
 public:
  MotionSampler(const aiAnimation& animation, const SceneSkeleton& skeleton)
      : skeleton_(skeleton), channels_(skeleton.nodes.size(), nullptr) {
    std::unordered_map<std::string, const aiNodeAnim*> by_name;
    for (unsigned c = 0; c < animation.mNumChannels; ++c) {
      by_name.try_emplace(animation.mChannels[c]->mNodeName.C_Str(), animation.mChannels[c]);
    }
    for (std::size_t joint = 0; joint < channels_.size(); ++joint) {
      const auto found = by_name.find(skeleton.nodes[joint]->mName.C_Str());
      if (found != by_name.end()) channels_[joint] = found->second;
      still_.push_back(Transform::from_matrix(to_affine(*skeleton.nodes[joint])));
    }
  }

  bool moves_anything() const {
    return std::any_of(channels_.begin(), channels_.end(), [](const aiNodeAnim* c) { return c != nullptr; });
  }

  // The joint's local transform in character units: its own and its parent's space were scaled (assimp_scene.h).
  Transform local(std::size_t joint, double time) const {
    Transform result = channels_[joint] ? sample(*channels_[joint], still_[joint], time) : still_[joint];
    const int parent = skeleton_.skeleton.parents[joint];
    if (parent < 0) result = Transform::from_matrix(skeleton_.scene_to_character * result.matrix());
    const double parent_scale = parent < 0 ? 1.0 : skeleton_.space_scale[parent];
    result.translation *= parent_scale;
    result.scale *= parent_scale / skeleton_.space_scale[joint];
    return result;
  }

 private:
  const SceneSkeleton& skeleton_;
  std::vector<const aiNodeAnim*> channels_;  // null for joints that do not move
  std::vector<Transform> still_;             // the nodes' own transforms
};

}  // namespace

void add_scene_motions(const aiScene& scene, const SceneSkeleton& skeleton, const LoadOptions& options,
                       Character& character) {
  if (skeleton.skeleton.empty()) return;
  const std::size_t joints = skeleton.nodes.size();
  for (unsigned a = 0; a < scene.mNumAnimations; ++a) {
    const aiAnimation& animation = *scene.mAnimations[a];
    const MotionSampler sampler(animation, skeleton);
    const KeyRange range = key_range(animation);
    if (!sampler.moves_anything() || !(range.last >= range.first)) continue;
    Motion motion;
    motion.name = animation.mName.C_Str();
    if (!range.sorted) {
      throw Error(ErrorCode::file_damaged, "animation '" + motion.name + "' has keys that are not in order of time");
    }
    const double ticks_per_second = animation.mTicksPerSecond > 0 ? animation.mTicksPerSecond : 25.0;
    motion.frames_per_second = frame_rate(animation, range, ticks_per_second);
    motion.joint_count = static_cast<int>(joints);
    const double frames =
        std::ceil((range.last - range.first) / ticks_per_second * motion.frames_per_second - 1e-6) + 1;
    if (!(frames * static_cast<double>(joints) <= static_cast<double>(options.max_elements))) {
      throw Error(ErrorCode::too_large,
                  "animation '" + motion.name + "' would have " + number_text(frames) + " frames");
    }
    motion.transforms.reserve(static_cast<std::size_t>(frames) * joints);
    for (std::size_t frame = 0; frame < static_cast<std::size_t>(frames); ++frame) {
      const double time = range.first + frame * ticks_per_second / motion.frames_per_second;
      for (std::size_t joint = 0; joint < joints; ++joint) motion.transforms.push_back(sampler.local(joint, time));
    }
    character.motions.push_back(std::move(motion));
  }
}

}  // namespace sinew
