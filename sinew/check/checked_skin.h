// A skin made ready for looking at: one surface without seams, its neighbourhoods, and what each joint does to it.
//
// In a pose that turns a single joint j, linear blend skinning moves a vertex at x to
//   x + s (R - 1)(x - p),   s = the sum of its weights of j and of all joints below it,
// with R the turn and p the joint. So everything that a pose shows is in one number per vertex and joint, its *share*
// s. Wherever this room speaks of the share of a joint, this sum is meant.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/check.h"
#include "sinew/mesh/components.h"
#include "sinew/mesh/edges.h"
#include "sinew/rig/bone.h"

namespace sinew {

// Lists of numbers, one after the other.
struct Lists {
  std::vector<std::uint32_t> begin;  // one more than there are lists
  std::vector<std::uint32_t> items;
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    return {items.data() + begin[i], items.data() + begin[i + 1]};
  }
  std::size_t count() const { return begin.empty() ? 0 : begin.size() - 1; }
};

struct CheckedSkin {
  const Character& character;

  // The skinned parts. Vertices at one place with the same weights are one; where weights differ, the surface stays cut
  // (split_seams.cpp looks at those places).
  TriangleMesh mesh{};
  SkinWeights weights{};
  Lists copies{};      // per vertex: the character's vertices
  Lists neighbours{};  // per vertex, in rising order
  std::vector<Edge> edges{};
  std::vector<float> area{};  // per vertex: a third of its triangles
  Components pieces{};
  double diagonal = 0;

  std::vector<JointIdentity> roles{};
  std::vector<char> drives{};             // per joint: whether it has weight anywhere
  std::vector<std::vector<int>> below{};  // per joint: itself and all joints below, in rising order
  std::vector<Bone> bones{};
  std::vector<std::vector<int>> bones_of_joint{};

  std::vector<CheckPose> poses{};
  std::vector<Mat3d> turns{};  // per pose: R - 1
  std::vector<std::vector<int>> poses_of_joint{};

  std::size_t vertex_count() const { return mesh.vertex_count(); }
  int joint_count() const { return character.skeleton.joint_count(); }
  Vec3d position(std::size_t vertex) const { return mesh.positions[vertex].cast<double>(); }
  std::span<const std::uint16_t> joints_at(std::size_t vertex) const {
    return {weights.joints.data() + vertex * static_cast<std::size_t>(weights.influences),
            static_cast<std::size_t>(weights.influences)};
  }
  std::span<const float> weights_at(std::size_t vertex) const {
    return {weights.weights.data() + vertex * static_cast<std::size_t>(weights.influences),
            static_cast<std::size_t>(weights.influences)};
  }
  bool is_weighted(std::size_t vertex) const { return weights_at(vertex)[0] > 0; }  // strongest first
};

// Keeps a reference to the character. Throws Error(bad_input) without skin or skeleton.
CheckedSkin make_checked_skin(const Character& character);

// Weights as a short list: joint and weight, in rising order of joints, each joint once.
using WeightList = std::vector<Influence>;
WeightList weights_of(const CheckedSkin& skin, std::size_t vertex);
WeightList weights_of(const SkinWeights& weights, std::size_t vertex);
// a - b; entries that cancel are left out.
WeightList difference(const WeightList& a, const WeightList& b);
// Half the sum of absolute entries: for the difference of two normalised lists 0 … 1.
double magnitude(const WeightList& list);
// The mean of the weights of some vertices, of those that have any.
WeightList mean_weights(const CheckedSkin& skin, std::span<const std::uint32_t> vertices);

// How far a change of weights moves a point, in the pose where it does so most.
struct Offset {
  int pose = -1;
  double distance = 0;  // as a share of the diagonal
};
Offset worst_offset(const CheckedSkin& skin, const Vec3d& point, const WeightList& change);

// The share of a joint per vertex.
std::vector<float> shares_of(const CheckedSkin& skin, int joint);

// Connected groups of the vertices for which `in` is true, each in rising order; groups in order of first vertex.
// `reach`: vertices so many edges apart count as connected.
std::vector<std::vector<std::uint32_t>> connected_groups(const CheckedSkin& skin, const std::vector<char>& in,
                                                         int reach = 1);

// The character's vertices for these, in rising order.
std::vector<std::uint32_t> original_vertices(const CheckedSkin& skin, std::span<const std::uint32_t> vertices);

// How many vertices two ascending lists share.
std::size_t vertices_in_common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b);

}  // namespace sinew
