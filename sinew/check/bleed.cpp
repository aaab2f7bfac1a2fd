// Bleed: skin that follows a joint although the bones that move with it are far, and bones that do not are near.
//
// In the pose of joint j the skin is cut in two by the share of j: what moves and what stays. A vertex that moves is out
// of place when every bone below j is much farther from it than some other bone; one that stays is, when it is the
// other way round. Distance alone would accuse swords and hair, so a group of such vertices only counts where it
// is an island: over the surface it does not hang together with skin that moves (or stays) rightly, and it is not a
// whole piece of the mesh.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"
#include "sinew/check/detectors.h"

namespace sinew {
namespace {

constexpr float bleed_share = 0.1f;    // less is not worth a finding, whatever it moves
constexpr double far_factor = 1.6;     // own bones are so many times as far as others
constexpr double far_distance = 0.03;  // and this much besides, of the diagonal
constexpr double rightful = 0.25;      // an island may hold this share of vertices that are in place
constexpr double most_of_piece = 0.7;  // a whole piece is not an island on it

// Distance from a vertex to the nearest bone of every joint that has weight; infinity for others.
void distances_to_bones(const CheckedSkin& skin, std::size_t vertex, std::vector<float>& distances) {
  const Vec3d point = skin.position(vertex);
  for (std::size_t joint = 0; joint < distances.size(); ++joint) {
    double nearest = std::numeric_limits<double>::infinity();
    if (skin.drives[joint]) {
      for (const int bone : skin.bones_of_joint[joint])
        nearest = std::min(nearest, closest_point_on_bone(skin.bones[static_cast<std::size_t>(bone)], point).distance);
    }
    distances[joint] = static_cast<float>(nearest);
  }
}

// Per vertex and joint, which side is out of place.
struct Misplaced {
  std::uint32_t vertex;
  std::int16_t joint;
  bool moves;  // it moves and should not; otherwise it stays and should not
};

std::vector<Misplaced> misplaced_vertices(const CheckedSkin& skin) {
  const std::size_t count = skin.vertex_count(), joints = static_cast<std::size_t>(skin.joint_count());
  constexpr std::size_t grain = 256;
  std::vector<std::vector<Misplaced>> blocks((count + grain - 1) / grain);
  const std::vector<int>& parents = skin.character.skeleton.parents;
  parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
    std::vector<float> distances(joints), inside(joints), share(joints);
    for (std::size_t vertex = begin; vertex < end; ++vertex) {
      if (!skin.is_weighted(vertex)) continue;
      distances_to_bones(skin, vertex, distances);
      // The nearest bone below each joint, from the leaves up.
      inside = distances;
      for (std::size_t joint = joints; joint-- > 0;) {
        if (parents[joint] >= 0) {
          float& above = inside[static_cast<std::size_t>(parents[joint])];
          above = std::min(above, inside[joint]);
        }
      }
      std::fill(share.begin(), share.end(), 0.0f);
      const auto ids = skin.joints_at(vertex);
      const auto weights = skin.weights_at(vertex);
      for (std::size_t slot = 0; slot < ids.size() && weights[slot] > 0; ++slot) {
        for (int joint = ids[slot]; joint >= 0; joint = parents[static_cast<std::size_t>(joint)])
          share[static_cast<std::size_t>(joint)] += weights[slot];
      }
      const float far = static_cast<float>(far_distance * skin.diagonal);
      for (std::size_t joint = 0; joint < joints; ++joint) {
        if (skin.poses_of_joint[joint].empty() || !std::isfinite(inside[joint])) continue;
        const bool moves = share[joint] >= bleed_share, stays = share[joint] <= 1 - bleed_share;
        // Most joints are far from a vertex and do not move it: no need to know how far everything else is.
        float nearest = std::numeric_limits<float>::infinity();
        if (moves || inside[joint] <= 1e3f) {
          for (std::size_t other = 0; other < joints; ++other) {
            if (distances[other] < nearest && !hangs_on(parents, static_cast<int>(other), static_cast<int>(joint)))
              nearest = distances[other];
          }
        }
        if (!std::isfinite(nearest)) continue;
        if (moves && inside[joint] > far_factor * nearest + far)
          blocks[begin / grain].push_back({static_cast<std::uint32_t>(vertex), static_cast<std::int16_t>(joint), true});
        if (stays && nearest > far_factor * inside[joint] + far)
          blocks[begin / grain].push_back(
              {static_cast<std::uint32_t>(vertex), static_cast<std::int16_t>(joint), false});
      }
    }
  });
  std::vector<Misplaced> all;
  for (const std::vector<Misplaced>& block : blocks) all.insert(all.end(), block.begin(), block.end());
  std::stable_sort(all.begin(), all.end(), [](const Misplaced& a, const Misplaced& b) {
    return std::make_pair(a.joint, a.moves) < std::make_pair(b.joint, b.moves);
  });
  return all;
}

// The joint that a group should not have, or lacks: the one whose weight differs most from what is around the group.
int joint_to_blame(const CheckedSkin& skin, const std::vector<std::uint32_t>& group, int below, bool moves) {
  const WeightList mean = mean_weights(skin, group);
  int blamed = below;
  double most = 0;
  for (const Influence& entry : mean) {
    const bool under = hangs_on(skin.character.skeleton.parents, entry.joint, below);
    if (under == moves && entry.weight > most) most = entry.weight, blamed = entry.joint;
  }
  return blamed;
}

void find_islands(const CheckedSkin& skin, int joint, bool moves, const std::vector<char>& misplaced,
                  const std::vector<std::size_t>& piece_sizes, Suspicions& found) {
  const std::vector<float> shares = shares_of(skin, joint);
  std::vector<char> in(skin.vertex_count(), 0);
  for (std::size_t vertex = 0; vertex < in.size(); ++vertex) {
    in[vertex] =
        skin.is_weighted(vertex) && (moves ? shares[vertex] >= bleed_share : shares[vertex] <= 1 - bleed_share);
  }
  for (std::vector<std::uint32_t>& group : connected_groups(skin, in)) {
    const auto wrong = std::count_if(group.begin(), group.end(), [&](std::uint32_t v) { return misplaced[v] != 0; });
    if (static_cast<double>(wrong) < (1 - rightful) * static_cast<double>(group.size())) continue;
    const std::size_t piece = piece_sizes[skin.pieces.component_of[group.front()]];
    if (static_cast<double>(group.size()) > most_of_piece * static_cast<double>(piece)) continue;
    Suspicion own{.kind = FindingKind::bleed};
    for (const std::uint32_t vertex : group) {
      const double share = moves ? shares[vertex] : 1 - shares[vertex];
      const Vec3d lever = skin.position(vertex) - skin.character.skeleton.position(joint);
      for (const int pose : skin.poses_of_joint[static_cast<std::size_t>(joint)]) {
        const double distance = share * (skin.turns[static_cast<std::size_t>(pose)] * lever).norm() / skin.diagonal;
        if (distance > own.offset.distance) own.offset = {pose, distance};
      }
    }
    own.joint = joint_to_blame(skin, group, joint, moves);
    own.vertices = std::move(group);
    found.push_back(std::move(own));
  }
}

}  // namespace

void find_bleed(const CheckedSkin& skin, Suspicions& found) {
  const std::vector<Misplaced> all = misplaced_vertices(skin);
  std::vector<std::size_t> piece_sizes(skin.pieces.count, 0);
  for (const std::uint32_t piece : skin.pieces.component_of) ++piece_sizes[piece];
  std::vector<std::pair<std::size_t, std::size_t>> runs;  // of one joint and one way
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].joint == all[begin].joint && all[end].moves == all[begin].moves) ++end;
    runs.emplace_back(begin, end);
  }
  std::vector<Suspicions> results(runs.size());
  parallel_for(runs.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t run = first; run < last; ++run) {
      std::vector<char> misplaced(skin.vertex_count(), 0);
      for (std::size_t i = runs[run].first; i < runs[run].second; ++i) misplaced[all[i].vertex] = 1;
      find_islands(skin, all[runs[run].first].joint, all[runs[run].first].moves, misplaced, piece_sizes, results[run]);
    }
  });
  for (Suspicions& result : results) std::move(result.begin(), result.end(), std::back_inserter(found));
}

}  // namespace sinew
