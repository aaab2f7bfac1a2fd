#include "sinew/check/checked_skin.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/anatomy/bones.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/cancellation.h"
#include "sinew/base/disjoint_sets.h"
#include "sinew/evaluate/skin_pair.h"
#include "sinew/mesh/weld.h"

namespace sinew {
namespace {

constexpr double same_place = 1e-6;    // of the diagonal
constexpr double same_weights = 0.02;  // half L1 distance up to which copies of a place are one vertex
constexpr float some_weight = 1e-4f;

Lists make_lists(std::size_t count, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& entries) {
  Lists lists;
  lists.begin.assign(count + 1, 0);
  for (const auto& [list, item] : entries) ++lists.begin[list + 1];
  for (std::size_t i = 0; i < count; ++i) lists.begin[i + 1] += lists.begin[i];
  lists.items.resize(entries.size());
  std::vector<std::uint32_t> next(lists.begin.begin(), lists.begin.end() - 1);
  for (const auto& [list, item] : entries) lists.items[next[list]++] = item;
  return lists;
}

// Numbers vertices so that those at one place with the same weights have one number, in order of first appearance.
std::vector<std::uint32_t> join_copies(const SkinnedSurface& surface, double diagonal, std::size_t& count) {
  const Weld weld = weld_positions(surface.mesh.positions, same_place * diagonal);
  std::vector<std::vector<std::uint32_t>> first_at(weld.welded_count());  // per place: a vertex of each kind of weights
  std::vector<std::uint32_t> number(surface.mesh.vertex_count());
  count = 0;
  for (std::uint32_t vertex = 0; vertex < number.size(); ++vertex) {
    std::vector<std::uint32_t>& there = first_at[weld.welded_of[vertex]];
    const WeightList own = weights_of(surface.weights, vertex);
    const auto same = std::find_if(there.begin(), there.end(), [&](std::uint32_t other) {
      return magnitude(difference(own, weights_of(surface.weights, other))) <= same_weights;
    });
    if (same == there.end()) {
      there.push_back(vertex);
      number[vertex] = static_cast<std::uint32_t>(count++);
    } else {
      number[vertex] = number[*same];
    }
  }
  return number;
}

void take_surface(const SkinnedSurface& surface, CheckedSkin& skin) {
  skin.diagonal = bounding_diagonal(surface.mesh);
  if (!(skin.diagonal > 0)) {
    throw Error(ErrorCode::mesh_degenerate, "all vertices of the skin are in one place", "check the units of the file");
  }
  std::size_t count = 0;
  const std::vector<std::uint32_t> number = join_copies(surface, skin.diagonal, count);
  skin.mesh.positions.resize(count);
  skin.weights = make_skin_weights(count, surface.weights.influences);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;
  const std::size_t slots = static_cast<std::size_t>(surface.weights.influences);
  std::vector<char> filled(count, 0);
  for (std::uint32_t vertex = 0; vertex < number.size(); ++vertex) {
    const std::uint32_t own = number[vertex];
    copies.emplace_back(own, surface.original[vertex]);
    if (filled[own]++) continue;
    skin.mesh.positions[own] = surface.mesh.positions[vertex];
    for (std::size_t slot = 0; slot < slots; ++slot) {
      skin.weights.joints[own * slots + slot] = surface.weights.joints[vertex * slots + slot];
      skin.weights.weights[own * slots + slot] = surface.weights.weights[vertex * slots + slot];
    }
  }
  skin.copies = make_lists(count, copies);
  for (const Triangle& triangle : surface.mesh.triangles) {
    const Triangle joined = {number[triangle[0]], number[triangle[1]], number[triangle[2]]};
    if (joined[0] != joined[1] && joined[1] != joined[2] && joined[2] != joined[0])
      skin.mesh.triangles.push_back(joined);
  }
}

void take_neighbourhoods(CheckedSkin& skin) {
  const std::size_t count = skin.vertex_count();
  skin.edges = unique_edges(skin.mesh.triangles);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  pairs.reserve(2 * skin.edges.size());
  for (const auto& [a, b] : skin.edges) pairs.emplace_back(b, a);  // smaller neighbours first
  for (const auto& [a, b] : skin.edges) pairs.emplace_back(a, b);
  skin.neighbours = make_lists(count, pairs);
  skin.area.assign(count, 0.0f);
  for (const Triangle& triangle : skin.mesh.triangles) {
    const Vec3d a = skin.position(triangle[0]), b = skin.position(triangle[1]), c = skin.position(triangle[2]);
    const float third = static_cast<float>((b - a).cross(c - a).norm() / 6);
    for (const std::uint32_t corner : triangle) skin.area[corner] += third;
  }
  skin.pieces = connected_components(count, skin.mesh.triangles);
}

void take_skeleton(CheckedSkin& skin) {
  const Skeleton& skeleton = skin.character.skeleton;
  const std::size_t count = skeleton.names.size();
  skin.roles = identify_joints_anyhow(skeleton);
  skin.drives.assign(count, 0);
  for (std::size_t slot = 0; slot < skin.weights.weights.size(); ++slot) {
    if (skin.weights.weights[slot] > some_weight) skin.drives[skin.weights.joints[slot]] = 1;
  }
  skin.below.resize(count);
  for (std::size_t joint = count; joint-- > 0;) {
    std::vector<int>& own = skin.below[joint];
    own.push_back(static_cast<int>(joint));
    std::sort(own.begin(), own.end());
    const int parent = skeleton.parents[joint];
    if (parent >= 0) {
      std::vector<int>& above = skin.below[static_cast<std::size_t>(parent)];
      above.insert(above.end(), own.begin(), own.end());
    }
  }
  skin.bones = bones_of(skeleton, BoneFan::every_child);
  skin.bones_of_joint.resize(count);
  for (std::size_t bone = 0; bone < skin.bones.size(); ++bone) {
    skin.bones_of_joint[static_cast<std::size_t>(skin.bones[bone].joint)].push_back(static_cast<int>(bone));
  }
  skin.poses = range_of_motion(skeleton);
  skin.poses_of_joint.resize(count);
  for (std::size_t pose = 0; pose < skin.poses.size(); ++pose) {
    const CheckPose& own = skin.poses[pose];
    skin.turns.emplace_back(Eigen::AngleAxisd(own.degrees * M_PI / 180, own.axis).toRotationMatrix() -
                            Mat3d::Identity());
    skin.poses_of_joint[static_cast<std::size_t>(own.joint)].push_back(static_cast<int>(pose));
  }
}

}  // namespace

CheckedSkin make_checked_skin(const Character& character) {
  if (character.skeleton.empty()) {
    throw Error(ErrorCode::skeleton_missing, "there is no skeleton to check the skin with",
                "bind the mesh to a skeleton first");
  }
  CheckedSkin skin{.character = character};
  take_surface(skinned_surface(character), skin);
  stop_if_cancelled();
  take_neighbourhoods(skin);
  stop_if_cancelled();
  take_skeleton(skin);
  return skin;
}

WeightList weights_of(const SkinWeights& weights, std::size_t vertex) {
  WeightList list;
  const std::size_t slots = static_cast<std::size_t>(weights.influences);
  for (std::size_t slot = vertex * slots; slot < (vertex + 1) * slots; ++slot) {
    if (weights.weights[slot] > 0) list.push_back({weights.joints[slot], weights.weights[slot]});
  }
  std::sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  return list;
}

WeightList weights_of(const CheckedSkin& skin, std::size_t vertex) { return weights_of(skin.weights, vertex); }

WeightList difference(const WeightList& a, const WeightList& b) {
  WeightList result;
  std::size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    if (k == b.size() || (i < a.size() && a[i].joint < b[k].joint)) {
      result.push_back(a[i++]);
    } else if (i == a.size() || b[k].joint < a[i].joint) {
      result.push_back({b[k].joint, -b[k].weight});
      ++k;
    } else {
      if (a[i].weight != b[k].weight) result.push_back({a[i].joint, a[i].weight - b[k].weight});
      ++i, ++k;
    }
  }
  return result;
}

double magnitude(const WeightList& list) {
  double sum = 0;
  for (const Influence& entry : list) sum += std::abs(entry.weight);
  return 0.5 * sum;
}

WeightList mean_weights(const CheckedSkin& skin, std::span<const std::uint32_t> vertices) {
  std::map<std::uint16_t, double> sums;
  double total = 0;
  for (const std::uint32_t vertex : vertices) {
    const auto joints = skin.joints_at(vertex);
    const auto weights = skin.weights_at(vertex);
    for (std::size_t slot = 0; slot < joints.size() && weights[slot] > 0; ++slot) {
      sums[joints[slot]] += weights[slot];
      total += weights[slot];
    }
  }
  WeightList list;
  for (const auto& [joint, sum] : sums) list.push_back({joint, sum / total});
  return list;
}

Offset worst_offset(const CheckedSkin& skin, const Vec3d& point, const WeightList& change) {
  const std::vector<int>& parents = skin.character.skeleton.parents;
  // Shares of all joints that the change reaches; a handful, so that a list is quicker than a map.
  std::vector<std::pair<int, double>> shares;
  for (const Influence& entry : change) {
    for (int joint = entry.joint; joint >= 0; joint = parents[static_cast<std::size_t>(joint)]) {
      const auto found = std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.first == joint; });
      if (found == shares.end()) {
        shares.emplace_back(joint, entry.weight);
      } else {
        found->second += entry.weight;
      }
    }
  }
  Offset worst;
  for (const auto& [joint, share] : shares) {
    if (std::abs(share) < 1e-6) continue;
    const Vec3d lever = point - skin.character.skeleton.position(joint);
    for (const int pose : skin.poses_of_joint[static_cast<std::size_t>(joint)]) {
      const double distance = std::abs(share) * (skin.turns[static_cast<std::size_t>(pose)] * lever).norm();
      if (distance > worst.distance) worst = {pose, distance};
    }
  }
  worst.distance /= skin.diagonal;
  return worst;
}

std::vector<float> shares_of(const CheckedSkin& skin, int joint) {
  std::vector<char> counts(static_cast<std::size_t>(skin.joint_count()), 0);
  for (const int below : skin.below[static_cast<std::size_t>(joint)]) counts[static_cast<std::size_t>(below)] = 1;
  std::vector<float> shares(skin.vertex_count(), 0.0f);
  const std::size_t slots = static_cast<std::size_t>(skin.weights.influences);
  for (std::size_t vertex = 0; vertex < shares.size(); ++vertex) {
    for (std::size_t slot = vertex * slots; slot < (vertex + 1) * slots && skin.weights.weights[slot] > 0; ++slot) {
      if (counts[skin.weights.joints[slot]]) shares[vertex] += skin.weights.weights[slot];
    }
  }
  return shares;
}

std::vector<std::vector<std::uint32_t>> connected_groups(const CheckedSkin& skin, const std::vector<char>& in,
                                                         int reach) {
  DisjointSets sets(skin.vertex_count());
  for (const auto& [a, b] : skin.edges) {
    if (in[a] && in[b]) sets.join(a, b);
  }
  for (std::uint32_t vertex = 0; reach > 1 && vertex < in.size(); ++vertex) {
    if (in[vertex]) continue;  // joins what lies on both of its sides
    std::uint32_t first = vertex;
    for (const std::uint32_t other : skin.neighbours[vertex]) {
      if (!in[other]) continue;
      if (first != vertex) sets.join(first, other);
      first = other;
    }
  }
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::uint32_t> group_of(skin.vertex_count(), ~0u);
  for (std::uint32_t vertex = 0; vertex < in.size(); ++vertex) {
    if (!in[vertex]) continue;
    const std::uint32_t root = sets.find(vertex);
    if (group_of[root] == ~0u) {
      group_of[root] = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    groups[group_of[root]].push_back(vertex);
  }
  return groups;
}

std::vector<std::uint32_t> original_vertices(const CheckedSkin& skin, std::span<const std::uint32_t> vertices) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t vertex : vertices) {
    const auto copies = skin.copies[vertex];
    result.insert(result.end(), copies.begin(), copies.end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::size_t vertices_in_common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t count = 0;
  for (auto i = a.begin(), k = b.begin(); i != a.end() && k != b.end();) {
    if (*i == *k)
      ++count, ++i, ++k;
    else if (*i < *k)
      ++i;
    else
      ++k;
  }
  return count;
}

}  // namespace sinew
