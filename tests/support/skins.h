// Skinned characters for the tests of weight tools, and what must hold of them afterwards.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sinew/character.h"
#include "tests/support/shapes.h"

namespace sinew::test {

// Random influences for every vertex; copies of a vertex get the same.
inline void weigh_at_random(Character& character, int influences, std::uint64_t seed) {
  std::map<std::tuple<float, float, float>, std::vector<Influence>> known;
  Random random(seed);
  character.weights = make_skin_weights(character.mesh.vertex_count(), influences);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const Vec3f& p = character.mesh.positions[v];
    std::vector<Influence>& row = known[{p.x(), p.y(), p.z()}];
    while (row.size() < static_cast<std::size_t>(influences)) {
      const auto joint = static_cast<std::uint16_t>(random.below(character.skeleton.names.size()));
      row.push_back({joint, random.uniform() * random.uniform() + 1e-4});
    }
    set_influences(character.weights, v, row);
  }
}

// A bar of five bones with seams between all triangles.
inline Character random_skin(std::uint64_t seed, int influences = 4) {
  Character character = with_seams(bar(4, 0.25, 21, 8, 5));
  weigh_at_random(character, influences, seed);
  return character;
}

// A tube along x from -half to half in a T: hips in the middle, an arm of two bones to each side. Left is +x. Both
// halves have mirrored triangles; the middle ring is shared.
inline Character symmetric_skin(int influences = 4, std::uint64_t seed = 1) {
  constexpr int rings = 21, sides = 8;
  Character character;
  character.name = "two arms";
  const TriangleMesh half = tube(2, 0.25, rings, sides);
  for (int side : {1, -1}) {
    std::vector<std::uint32_t> index(half.vertex_count());
    for (std::uint32_t v = 0; v < half.vertex_count(); ++v) {
      const bool on_middle_ring = v < sides;
      const bool middle_cap = v == rings * sides;
      if (middle_cap) continue;
      index[v] = side < 0 && on_middle_ring ? v : static_cast<std::uint32_t>(character.mesh.positions.size());
      if (side > 0 || !on_middle_ring) {
        const Vec3f& p = half.positions[v];
        character.mesh.positions.push_back({static_cast<float>(side) * p.x(), p.y(), p.z()});
      }
    }
    for (const Triangle& t : half.triangles) {
      if (std::find(t.begin(), t.end(), static_cast<std::uint32_t>(rings * sides)) != t.end()) continue;
      character.mesh.triangles.push_back(side > 0 ? Triangle{index[t[0]], index[t[1]], index[t[2]]}
                                                  : Triangle{index[t[1]], index[t[0]], index[t[2]]});
    }
  }
  const auto at = [](double x) { return Affine3d(Eigen::Translation3d(x, 0, 0)); };
  const int hips = add_joint(character.skeleton, "Hips", -1, at(0));
  for (const char* side : {"Left", "Right"}) {
    const double sign = side[0] == 'L' ? 1 : -1;
    const int arm = add_joint(character.skeleton, std::string(side) + "Arm", hips, at(0.4 * sign));
    const int fore = add_joint(character.skeleton, std::string(side) + "ForeArm", arm, at(1.1 * sign));
    add_joint(character.skeleton, std::string(side) + "Hand", fore, at(1.7 * sign));
  }
  weigh_at_random(character, influences, seed);
  return character;
}

inline void expect_valid_skin(const Character& character, int most_influences) {
  EXPECT_NO_THROW(
      check_skin_weights(character.weights, character.mesh.vertex_count(), character.skeleton.joint_count(), true));
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    int used = 0;
    for (int slot = 0; slot < character.weights.influences; ++slot) {
      used += character.weights.weights[v * character.weights.influences + slot] > 0;
    }
    EXPECT_LE(used, most_influences) << "vertex " << v;
  }
}

// Copies of a vertex have the same weights, to the bit.
inline void expect_whole_seams(const Character& character) {
  std::map<std::tuple<float, float, float>, std::size_t> first;
  const auto slots = static_cast<std::ptrdiff_t>(character.weights.influences);
  for (std::size_t v = 0; v < character.mesh.vertex_count(); ++v) {
    const Vec3f& p = character.mesh.positions[v];
    const std::size_t other = first.try_emplace({p.x(), p.y(), p.z()}, v).first->second;
    const auto own = static_cast<std::ptrdiff_t>(v) * slots, its = static_cast<std::ptrdiff_t>(other) * slots;
    EXPECT_TRUE(std::equal(character.weights.weights.begin() + own, character.weights.weights.begin() + own + slots,
                           character.weights.weights.begin() + its) &&
                std::equal(character.weights.joints.begin() + own, character.weights.joints.begin() + own + slots,
                           character.weights.joints.begin() + its))
        << "vertices " << v << " and " << other;
  }
}

inline bool same_weights(const SkinWeights& a, const SkinWeights& b) {
  return a.influences == b.influences && a.joints == b.joints && a.weights == b.weights;
}

}  // namespace sinew::test
