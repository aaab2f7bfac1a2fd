#include "sinew/check/bend_shape.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr float blends_from = 0.05f;
constexpr float changes_from = 0.1f, changes_hard = 0.75f;

int driving_above(const CheckedSkin& skin, int joint) {
  const std::vector<int>& parents = skin.character.skeleton.parents;
  for (int above = parents[static_cast<std::size_t>(joint)]; above >= 0;
       above = parents[static_cast<std::size_t>(above)]) {
    if (skin.drives[static_cast<std::size_t>(above)]) return above;
  }
  return -1;
}

}  // namespace

std::optional<BendShape> measure_bend(const CheckedSkin& skin, int joint) {
  const Skeleton& skeleton = skin.character.skeleton;
  const std::size_t own = static_cast<std::size_t>(joint);
  BendShape shape;
  shape.above = driving_above(skin, joint);
  if (shape.above < 0 || !skin.drives[own] || skin.bones_of_joint[own].empty()) return std::nullopt;
  const Bone& bone = skin.bones[static_cast<std::size_t>(skin.bones_of_joint[own].front())];
  const Vec3d place = skeleton.position(joint), incoming = place - skeleton.position(shape.above);
  if (!(bone.length() > 0) || !(incoming.norm() > 0)) return std::nullopt;
  const Vec3d axis = (bone.direction() + incoming.normalized()).normalized();
  if (!axis.allFinite()) return std::nullopt;
  shape.length = std::min(bone.length(), incoming.norm());
  const std::vector<float> shares = shares_of(skin, joint);
  double mass = 0, mean = 0, square = 0, radius = 0, sunk = 0;
  for (std::uint32_t vertex = 0; vertex < shares.size(); ++vertex) {
    const float s = shares[vertex];
    if (s < blends_from || s > 1 - blends_from || !skin.is_weighted(vertex)) continue;
    shape.blended.push_back(vertex);
    const Vec3d from = skin.position(vertex) - place;
    const double along = from.dot(axis), weight = s * (1 - s) * skin.area[vertex];
    mass += weight;
    mean += weight * along;
    square += weight * along * along;
    radius += weight * (from - along * axis).norm();
    sunk += weight * s * (1 - s);
  }
  double change = 0, hard = 0, length = 0;
  for (const auto& [a, b] : skin.edges) {
    const float step = std::abs(shares[a] - shares[b]);
    if (step < changes_from || !skin.is_weighted(a) || !skin.is_weighted(b)) continue;
    ++shape.crossing;
    change += step;
    length += step * (skin.position(a) - skin.position(b)).norm();
    if (step > changes_hard) hard += step;
    if (mass == 0) {
      const Vec3d from = 0.5 * (skin.position(a) + skin.position(b)) - place;
      radius += step * (from - from.dot(axis) * axis).norm();
    }
  }
  if (shape.crossing == 0 && mass == 0) return std::nullopt;
  if (shape.crossing > 0) {
    shape.edge = length / change;
    shape.hard = hard / change;
  }
  shape.radius = radius / (mass > 0 ? mass : change);
  if (mass > 0) {
    mean /= mass;
    // s (1 - s) of an even rise over a width w is a parabola, whose variance is w² / 20.
    shape.width = std::sqrt(20 * std::max(square / mass - mean * mean, 0.0));
    shape.sunk = sunk / mass;
  }
  return shape;
}

}  // namespace sinew
