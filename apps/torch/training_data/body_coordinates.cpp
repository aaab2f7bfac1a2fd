#include "apps/torch/training_data/body_coordinates.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sinew/base/rotation.h"
#include "sinew/error.h"

namespace sinew {
namespace {

// A bone of the standard body or of a character.
struct LimbAxis {
  Vec3d from, to;
};

enum LimbName : int { trunk, head, upper_arm, forearm, hand, thigh, shin, foot, limb_count };

int limb_of(JointRole role) {
  switch (role) {
    case JointRole::neck:
    case JointRole::head:
    case JointRole::jaw:
    case JointRole::eye:
    case JointRole::ear:
    case JointRole::face:
      return head;
    case JointRole::upper_arm:
      return upper_arm;
    case JointRole::forearm:
      return forearm;
    case JointRole::thigh:
      return thigh;
    case JointRole::shin:
      return shin;
    case JointRole::foot:
    case JointRole::toe:
      return foot;
    case JointRole::hips:
    case JointRole::hip_joint:
    case JointRole::spine:
    case JointRole::chest:
    case JointRole::clavicle:
      return trunk;
    default:
      return role == JointRole::hand || is_finger(role) ? hand : -1;
  }
}

// The left half; the right one mirrors it.
LimbAxis standard_limb(int name, double side) {
  static const std::array<LimbAxis, limb_count> left = {
      LimbAxis{{0, 0.53, 0}, {0, 0.82, 0}},           LimbAxis{{0, 0.82, 0}, {0, 1.0, 0.02}},
      LimbAxis{{0.11, 0.81, 0}, {0.28, 0.81, 0}},     LimbAxis{{0.28, 0.81, 0}, {0.43, 0.81, 0}},
      LimbAxis{{0.43, 0.81, 0}, {0.53, 0.81, 0}},     LimbAxis{{0.055, 0.52, 0}, {0.055, 0.285, 0}},
      LimbAxis{{0.055, 0.285, 0}, {0.055, 0.045, 0}}, LimbAxis{{0.055, 0.045, 0}, {0.055, 0.02, 0.09}}};
  LimbAxis limb = left[name];
  limb.from.x() *= side;
  limb.to.x() *= side;
  return limb;
}

class LimbFinder {
 public:
  LimbFinder(const SkeletonGraph& graph, const std::vector<JointIdentity>& identities)
      : graph_(graph), identities_(identities) {}

  LimbAxis limb(int name, BodySide side) const {
    switch (name) {
      case trunk:
        return {first(JointRole::hips, BodySide::centre), neck()};
      case head:
        return {neck(), Vec3d(neck().x(), 1.0, neck().z())};
      case upper_arm:
        return {first(JointRole::upper_arm, side), first(JointRole::forearm, side)};
      case forearm:
        return {first(JointRole::forearm, side), hand_of(side)};
      case hand: {
        const Vec3d wrist = hand_of(side);
        return {wrist, wrist + 0.65 * (wrist - first(JointRole::forearm, side))};
      }
      case thigh:
        return {first(JointRole::thigh, side), first(JointRole::shin, side)};
      case shin:
        return {first(JointRole::shin, side), first(JointRole::foot, side)};
      default: {
        const Vec3d ankle = first(JointRole::foot, side);
        return {ankle, Vec3d(ankle.x(), 0.4 * ankle.y(), ankle.z() + 0.09)};
      }
    }
  }

 private:
  std::optional<Vec3d> find(JointRole role, BodySide side) const {
    for (int j = 0; j < graph_.count(); ++j) {
      if (identities_[j].role == role && (side == BodySide::centre || identities_[j].side == side)) {
        return graph_.positions[j];
      }
    }
    return std::nullopt;
  }
  Vec3d first(JointRole role, BodySide side) const {
    if (const std::optional<Vec3d> found = find(role, side)) return *found;
    throw Error(ErrorCode::skeleton_not_understood, std::string("the skeleton has no ") + role_name(role));
  }
  Vec3d neck() const {
    if (const std::optional<Vec3d> found = find(JointRole::neck, BodySide::centre)) return *found;
    return first(JointRole::head, BodySide::centre);
  }
  Vec3d hand_of(BodySide side) const { return first(JointRole::hand, side); }

  const SkeletonGraph& graph_;
  const std::vector<JointIdentity>& identities_;
};

// From a character's limb to the standard one.
struct LimbMap {
  LimbAxis own, standard;
  Mat3d turn = Mat3d::Identity();
  double across = 1;

  LimbMap(const LimbAxis& own_limb, const LimbAxis& standard_limb_in) : own(own_limb), standard(standard_limb_in) {
    const Vec3d a = own.to - own.from, b = standard.to - standard.from;
    turn = rotation_between(a, b).toRotationMatrix();
    across = std::clamp(b.norm() / std::max(a.norm(), 1e-6), 0.4, 2.5);
  }

  Vec3d operator()(const Vec3d& p) const {
    const Vec3d direction = own.to - own.from;
    const double along = (p - own.from).dot(direction) / std::max(direction.squaredNorm(), 1e-12);
    const Vec3d off = p - own.from - along * direction;
    return standard.from + along * (standard.to - standard.from) + across * (turn * off);
  }
};

}  // namespace

std::vector<Vec3f> body_coordinates(const std::vector<Vec3f>& positions, const SkeletonGraph& graph,
                                    const std::vector<JointIdentity>& identities, const SkinWeights& weights) {
  const LimbFinder finder(graph, identities);
  std::vector<LimbMap> maps;
  maps.reserve(2 * limb_count);
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    for (int name = 0; name < limb_count; ++name) {
      maps.emplace_back(finder.limb(name, side), standard_limb(name, side == BodySide::left ? 1.0 : -1.0));
    }
  }
  // The map of every joint; parts nobody knows follow their parent.
  std::vector<int> map_of(graph.count(), 0);
  for (int j = 0; j < graph.count(); ++j) {
    const int limb = limb_of(identities[j].role);
    const int parent = graph.parents[j];
    map_of[j] = limb >= 0     ? limb + (identities[j].side == BodySide::right ? limb_count : 0)
                : parent >= 0 ? map_of[parent]
                              : static_cast<int>(trunk);
  }
  std::vector<Vec3f> result(positions.size(), Vec3f::Zero());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    Vec3d sum = Vec3d::Zero();
    for (int slot = 0; slot < weights.influences; ++slot) {
      const std::size_t at = v * weights.influences + slot;
      if (weights.weights[at] > 0) {
        sum += weights.weights[at] * maps[map_of[weights.joints[at]]](positions[v].cast<double>());
      }
    }
    result[v] = sum.cast<float>();
  }
  return result;
}

}  // namespace sinew
