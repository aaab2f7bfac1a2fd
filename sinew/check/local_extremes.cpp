// Spikes and noise: vertices whose weight of a joint is above, or below, that of every neighbour.
//
// Smooth weights have such extremes only where a plateau is (and there by nothing), hard borders have none at all: on
// either side of a border some neighbour is alike. So this tells noise from the blends and borders that artists paint.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/check/detectors.h"

namespace sinew {
namespace {

constexpr double spike_excess = 0.45;   // a vertex alone
constexpr double noise_excess = 0.05;   // one of many
constexpr double noise_offset = 0.005;  // and it moves away from its neighbours by this much, of the diagonal
constexpr std::size_t noisy_vertices = 8;
constexpr double noisy_share = 0.12;  // of the vertices of the region

constexpr double near_factor = 1.5, near_distance = 0.02;  // own bone no farther than others times this, and this much

double distance_to_bones_of(const CheckedSkin& skin, int joint, const Vec3d& point) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const int bone : skin.bones_of_joint[static_cast<std::size_t>(joint)])
    nearest = std::min(nearest, closest_point_on_bone(skin.bones[static_cast<std::size_t>(bone)], point).distance);
  return nearest;
}

// Whether a vertex follows a joint more than its neighbours do because it is farther out, or nearer to the joint's bone,
// than all of them: the tip of a tail, the point of an ear.
bool is_a_tip(const CheckedSkin& skin, std::uint32_t vertex, int joint) {
  const std::vector<int>& bones = skin.bones_of_joint[static_cast<std::size_t>(joint)];
  if (bones.empty()) return false;
  const Vec3d point = skin.position(vertex), place = skin.character.skeleton.position(joint);
  const double own = distance_to_bones_of(skin, joint, point);
  for (const Bone& bone : skin.bones) {
    if (!skin.drives[static_cast<std::size_t>(bone.joint)]) continue;
    if (own > near_factor * closest_point_on_bone(bone, point).distance + near_distance * skin.diagonal) return false;
  }
  const Vec3d axis = skin.bones[static_cast<std::size_t>(bones.front())].direction();
  const auto around = skin.neighbours[vertex];
  const bool farthest = std::all_of(around.begin(), around.end(), [&](std::uint32_t other) {
    return (skin.position(other) - place).dot(axis) < (point - place).dot(axis);
  });
  return farthest || std::all_of(around.begin(), around.end(), [&](std::uint32_t other) {
           return distance_to_bones_of(skin, joint, skin.position(other)) > own;
         });
}

struct Extreme {
  double excess = 0;  // 0: none
  int joint = -1;
};

// By how much the weight of some joint at `vertex` leaves the range of its neighbours' weights.
Extreme extreme_at(const CheckedSkin& skin, std::uint32_t vertex) {
  const auto around = skin.neighbours[vertex];
  Extreme extreme;
  if (around.size() < 3 || !skin.is_weighted(vertex)) return extreme;
  std::vector<int> joints;
  const auto collect = [&](std::size_t from) {
    const auto ids = skin.joints_at(from);
    const auto weights = skin.weights_at(from);
    for (std::size_t slot = 0; slot < ids.size() && weights[slot] > 0; ++slot) joints.push_back(ids[slot]);
  };
  collect(vertex);
  for (const std::uint32_t other : around) {
    if (!skin.is_weighted(other)) return extreme;  // unweighted places are a finding of their own
    collect(other);
  }
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  for (const int joint : joints) {
    const double own = skin.weights.weight_of(vertex, joint);
    double low = 1, high = 0;
    for (const std::uint32_t other : around) {
      const double weight = skin.weights.weight_of(other, joint);
      low = std::min(low, weight);
      high = std::max(high, weight);
    }
    const double above = own - high, excess = std::max(above, low - own);
    if (excess < noise_excess || (above == excess && is_a_tip(skin, vertex, joint))) continue;
    // What one joint has too much another has too little; the first is the one to speak of.
    if (excess > extreme.excess || (excess > 0 && excess == extreme.excess && above == excess)) {
      extreme = {excess, joint};
    }
  }
  return extreme;
}

// How far a vertex is from where its neighbours would take it, by the part of the difference that not even the nearest
// of them has.
Offset offset_beyond_neighbours(const CheckedSkin& skin, std::uint32_t vertex, double excess) {
  const WeightList apart = difference(weights_of(skin, vertex), mean_weights(skin, skin.neighbours[vertex]));
  Offset offset = worst_offset(skin, skin.position(vertex), apart);
  offset.distance *= std::min(1.0, excess / std::max(magnitude(apart), 1e-9));
  return offset;
}

}  // namespace

void find_spikes_and_noise(const CheckedSkin& skin, Suspicions& found) {
  const std::size_t count = skin.vertex_count();
  std::vector<Extreme> extremes(count);
  std::vector<Offset> offsets(count);
  parallel_for(count, 512, [&](std::size_t begin, std::size_t end) {
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      extremes[vertex] = extreme_at(skin, static_cast<std::uint32_t>(vertex));
      if (extremes[vertex].excess >= noise_excess)
        offsets[vertex] = offset_beyond_neighbours(skin, static_cast<std::uint32_t>(vertex), extremes[vertex].excess);
    }
  });
  const auto is_noisy = [&](std::uint32_t vertex) { return offsets[vertex].distance >= noise_offset; };
  // Regions in which extremes stand close: grown by their neighbours, so that two that share one are together.
  std::vector<char> near(count, 0);
  for (std::uint32_t vertex = 0; vertex < count; ++vertex) {
    if (!is_noisy(vertex)) continue;
    near[vertex] = 1;
    for (const std::uint32_t other : skin.neighbours[vertex]) near[other] = 1;
  }
  for (std::vector<std::uint32_t>& region : connected_groups(skin, near)) {
    std::vector<std::uint32_t> noisy, spikes;
    for (const std::uint32_t vertex : region) {
      if (is_noisy(vertex)) noisy.push_back(vertex);
      if (extremes[vertex].excess >= spike_excess) spikes.push_back(vertex);
    }
    const bool is_noise = noisy.size() >= noisy_vertices &&
                          static_cast<double>(noisy.size()) >= noisy_share * static_cast<double>(region.size());
    if (is_noise) {
      Suspicion own{.kind = FindingKind::noise};
      for (const std::uint32_t vertex : noisy) {
        const Offset offset = offsets[vertex];
        if (offset.distance > own.offset.distance) own.offset = offset, own.joint = extremes[vertex].joint;
      }
      own.vertices = std::move(region);
      found.push_back(std::move(own));
      continue;
    }
    for (const std::uint32_t vertex : spikes) {
      Suspicion own{.kind = FindingKind::spike};
      own.joint = extremes[vertex].joint;
      own.vertices = {vertex};
      own.offset = offsets[vertex];
      found.push_back(std::move(own));
    }
  }
}

}  // namespace sinew
