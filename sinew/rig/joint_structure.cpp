#include "sinew/rig/joint_structure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sinew {
namespace {

// The chain from a joint to the furthest leaf below it, following the branch that reaches furthest at every fork.
std::vector<int> longest_chain(const Skeleton& skeleton, const std::vector<std::vector<int>>& children, int from) {
  std::vector<double> reach(skeleton.names.size(), 0.0);
  for (int joint = skeleton.joint_count() - 1; joint >= 0; --joint) {
    for (int child : children[joint]) {
      const double length = (skeleton.position(child) - skeleton.position(joint)).norm();
      reach[joint] = std::max(reach[joint], reach[child] + length);
    }
  }
  std::vector<int> chain{from};
  while (!children[chain.back()].empty()) {
    const Vec3d here = skeleton.position(chain.back());
    chain.push_back(*std::max_element(children[chain.back()].begin(), children[chain.back()].end(), [&](int a, int b) {
      return reach[a] + (skeleton.position(a) - here).norm() < reach[b] + (skeleton.position(b) - here).norm();
    }));
  }
  return chain;
}

struct Limbs {
  int carrier = -1;  // the joint both hang on
  std::array<std::vector<int>, 2> chains;
};

class StructureReader {
 public:
  explicit StructureReader(const Skeleton& skeleton)
      : skeleton_(skeleton), children_(children_of(skeleton)), result_(skeleton.names.size()) {
    for (const Affine3d& rest : skeleton.rest) box_.extend(Vec3d(rest.translation()));
  }

  std::vector<JointIdentity> run() {
    if (skeleton_.empty() || box_.diagonal().norm() <= 0) return result_;
    choose_up();
    const std::vector<Limbs> pairs = mirrored_pairs();
    const Limbs* legs = nullptr;
    for (const Limbs& pair : pairs) {
      // Two joints are no leg, but may be a foot that hangs on the root.
      if (pair.chains[0].size() < 3) continue;
      if (!legs || lowest(pair) < lowest(*legs) - 1e-3 * height()) legs = &pair;
    }
    if (!legs) return result_;
    const Limbs* arms = nullptr;
    for (const Limbs& pair : pairs) {
      if (&pair == legs || pair.chains[0].size() < 3 || pair.carrier == legs->carrier) continue;
      if (!arms || length(pair.chains[0]) > length(arms->chains[0])) arms = &pair;
    }
    if (!arms) return result_;
    const bool swap = left_is_second(*legs);
    name_leg(*legs, swap);
    name_arm(*arms, swap);
    name_trunk(legs->carrier, arms->carrier);
    number_chains();
    return result_;
  }

 private:
  double height() const { return (box_.max() - box_.min())[up_]; }
  double above(int joint) const { return skeleton_.position(joint)[up_]; }
  double length(const std::vector<int>& chain) const {
    double sum = 0;
    for (std::size_t i = 1; i < chain.size(); ++i) {
      sum += (skeleton_.position(chain[i]) - skeleton_.position(chain[i - 1])).norm();
    }
    return sum;
  }
  double lowest(const Limbs& pair) const {
    double low = std::numeric_limits<double>::infinity();
    for (int joint : pair.chains[0]) low = std::min(low, above(joint));
    return low;
  }

  // y, unless the skeleton is flat along y and tall along z.
  void choose_up() {
    const Vec3d size = box_.max() - box_.min();
    up_ = size.z() > 2.0 * size.y() ? 2 : 1;
  }

  // Two children of one joint whose chains are mirror images across a plane through the joint.
  std::vector<Limbs> mirrored_pairs() const {
    std::vector<Limbs> pairs;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      for (std::size_t a = 0; a < children_[joint].size(); ++a) {
        for (std::size_t b = a + 1; b < children_[joint].size(); ++b) {
          if (std::optional<Limbs> pair = mirrored(joint, children_[joint][a], children_[joint][b])) {
            pairs.push_back(*pair);
          }
        }
      }
    }
    return pairs;
  }

  std::optional<Limbs> mirrored(int joint, int a, int b) const {
    Limbs pair{joint, {longest_chain(skeleton_, children_, a), longest_chain(skeleton_, children_, b)}};
    if (pair.chains[0].size() != pair.chains[1].size() || length(pair.chains[0]) < 0.1 * box_.diagonal().norm()) {
      return std::nullopt;
    }
    Vec3d across = skeleton_.position(pair.chains[0].back()) - skeleton_.position(pair.chains[1].back());
    across[up_] = 0;
    if (across.norm() < 1e-3 * height()) return std::nullopt;
    across.normalize();
    const Vec3d origin = skeleton_.position(joint);
    for (std::size_t i = 0; i < pair.chains[0].size(); ++i) {
      const Vec3d p = skeleton_.position(pair.chains[0][i]) - origin,
                  q = skeleton_.position(pair.chains[1][i]) - origin;
      if ((p - 2 * p.dot(across) * across - q).norm() > 0.06 * box_.diagonal().norm()) return std::nullopt;
    }
    return pair;
  }

  // Feet point forwards; left is where up × forward points.
  bool left_is_second(const Limbs& legs) const {
    Vec3d forward = Vec3d::Zero(), across = Vec3d::Zero();
    for (const std::vector<int>& chain : legs.chains) {
      forward +=
          skeleton_.position(chain.back()) - skeleton_.position(chain[std::min<std::size_t>(2, chain.size() - 2)]);
    }
    across = skeleton_.position(legs.chains[0].back()) - skeleton_.position(legs.chains[1].back());
    forward[up_] = 0;
    if (forward.norm() < 0.02 * height()) forward = up_ == 1 ? Vec3d::UnitZ() : Vec3d(-Vec3d::UnitY());
    return Vec3d::Unit(up_).cross(forward).dot(across) < 0;
  }

  void set(int joint, JointRole role, BodySide side) { result_[joint] = {role, side, 1}; }

  static BodySide side_of(int chain, bool swap) { return (chain == 0) != swap ? BodySide::left : BodySide::right; }

  void name_leg(const Limbs& legs, bool swap) {
    constexpr std::array roles = {JointRole::thigh, JointRole::shin, JointRole::foot};
    for (int c = 0; c < 2; ++c) {
      std::vector<int> chain = legs.chains[c];
      // A first joint much shorter than the next is the side of the pelvis.
      const double first = (skeleton_.position(chain[1]) - skeleton_.position(chain[0])).norm();
      if (chain.size() >= 4 && first < 0.35 * (skeleton_.position(chain[2]) - skeleton_.position(chain[1])).norm()) {
        set(chain[0], JointRole::hip_joint, side_of(c, swap));
        chain.erase(chain.begin());
      }
      for (std::size_t i = 0; i < chain.size(); ++i) {
        set(chain[i], i < roles.size() ? roles[i] : JointRole::toe, side_of(c, swap));
      }
    }
  }

  void name_arm(const Limbs& arms, bool swap) {
    for (int c = 0; c < 2; ++c) {
      const std::vector<int>& chain = arms.chains[c];
      // The hand is where fingers branch off, or what remains after clavicle, upper arm and forearm.
      std::size_t hand = chain.size() >= 4 ? 3 : chain.size() - 1;
      for (std::size_t i = 2; i < chain.size(); ++i) {
        if (children_[chain[i]].size() > 1) {
          hand = i;
          break;
        }
      }
      const JointRole before[] = {JointRole::forearm, JointRole::upper_arm, JointRole::clavicle};
      for (std::size_t i = 0; i < chain.size(); ++i) {
        JointRole role = i == hand ? JointRole::hand : JointRole::middle_finger;
        if (i < hand) role = before[std::min<std::size_t>(hand - 1 - i, 2)];
        set(chain[i], role, side_of(c, swap));
      }
    }
  }

  void name_trunk(int hips, int chest) {
    std::vector<int> trunk;
    for (int joint = chest; joint >= 0 && joint != hips; joint = skeleton_.parents[joint]) trunk.push_back(joint);
    for (int joint : trunk) set(joint, JointRole::spine, BodySide::centre);
    if (!trunk.empty() && trunk.size() > 1) result_[chest].role = JointRole::chest;
    set(hips, JointRole::hips, BodySide::centre);
    for (int joint = skeleton_.parents[hips]; joint >= 0; joint = skeleton_.parents[joint]) {
      set(joint, JointRole::root, BodySide::centre);
    }
    int neck = -1;
    for (int child : children_[chest]) {
      if (result_[child].role == JointRole::unknown && (neck < 0 || above(child) > above(neck))) neck = child;
    }
    if (neck < 0) return;
    const std::vector<int> chain = longest_chain(skeleton_, children_, neck);
    std::size_t joints = 0;
    while (joints < chain.size() && skeleton_.kinds[chain[joints]] == JointKind::joint) ++joints;
    const std::size_t head = std::min<std::size_t>(joints > 1 ? 1 : 0, chain.size() - 1);
    for (std::size_t i = 0; i <= head; ++i) {
      set(chain[i], i == head ? JointRole::head : JointRole::neck, BodySide::centre);
    }
  }

  void number_chains() {
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      const int up = skeleton_.parents[joint];
      if (up >= 0 && result_[up].role == result_[joint].role && result_[up].side == result_[joint].side) {
        result_[joint].index = result_[up].index + 1;
      }
    }
  }

  const Skeleton& skeleton_;
  std::vector<std::vector<int>> children_;
  std::vector<JointIdentity> result_;
  AABBd box_;
  int up_ = 1;
};

}  // namespace

std::vector<JointIdentity> identify_joints_by_structure(const Skeleton& skeleton) {
  return StructureReader(skeleton).run();
}

std::vector<JointIdentity> identify_joints_anyhow(const Skeleton& skeleton, bool* by_structure) {
  std::vector<JointIdentity> named = identify_joints(skeleton);
  const auto has = [&](JointRole role) {
    return std::any_of(named.begin(), named.end(), [&](const JointIdentity& joint) { return joint.role == role; });
  };
  const bool enough = has(JointRole::thigh) && (has(JointRole::upper_arm) || has(JointRole::head));
  if (by_structure) *by_structure = false;
  if (enough) return named;
  std::vector<JointIdentity> shaped = identify_joints_by_structure(skeleton);
  const bool found = std::any_of(shaped.begin(), shaped.end(),
                                 [](const JointIdentity& joint) { return joint.role == JointRole::thigh; });
  if (!found) return named;
  if (by_structure) *by_structure = true;
  return shaped;
}

}  // namespace sinew
