#include "sinew/anatomy/joint_structure.h"

#include <algorithm>
#include <array>
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
  Vec3d across = Vec3d::Zero();  // from the second to the first, level, unit length
};

// Left and right of one body, not front and back.
bool same_mirror(const Limbs& a, const Limbs& b) { return std::abs(a.across.dot(b.across)) > 0.9; }

class StructureReader {
 public:
  explicit StructureReader(const Skeleton& skeleton)
      : skeleton_(skeleton), children_(children_of(skeleton)), result_(skeleton.names.size()) {
    AABBd all;
    for (const Affine3d& rest : skeleton.rest) all.extend(Vec3d(rest.translation()));
    // What an animator pulls may float far from the body: single joints a third of everything away from their parent.
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
      const int parent = skeleton.parents[joint];
      const bool floats = parent >= 0 && children_[joint].empty() &&
                          (skeleton.position(joint) - skeleton.position(parent)).norm() > 0.33 * all.diagonal().norm();
      if (!floats) box_.extend(Vec3d(skeleton.position(joint)));
    }
    size_ = box_.diagonal().norm();
  }

  std::vector<JointIdentity> run() {
    if (skeleton_.empty() || size_ <= 0) return result_;
    for (const int up : {1, 2}) {
      up_ = up;
      if (read()) break;
    }
    return result_;
  }

 private:
  // Along the present up axis; false when the pattern of a body is not there.
  bool read() {
    const std::vector<Limbs> pairs = mirrored_pairs();
    std::vector<Limbs> limbs;
    for (const Limbs& pair : pairs) {
      Limbs whole = with_hung_feet(pair, pairs);
      if (whole.chains[0].size() >= 3 && length(whole.chains[0]) > 0.1 * size_) limbs.push_back(std::move(whole));
    }
    const Limbs* legs = nullptr;
    for (const Limbs& pair : limbs) {
      if (!goes_down(pair)) continue;
      // Of four legs the hind ones, which are nearer to the root; otherwise those that reach lowest.
      const double lower = legs ? (lowest(*legs) - lowest(pair)) / height() : 1;
      const bool hind = legs && std::abs(lower) < 0.35 && is_above(pair.carrier, legs->carrier);
      const bool front = legs && std::abs(lower) < 0.35 && is_above(legs->carrier, pair.carrier);
      if (hind || (lower > 1e-3 && !front)) legs = &pair;
    }
    if (!legs) return false;
    // Arms hang further along the trunk; some rigs grow from the chest instead.
    const Limbs* arms = nullptr;
    for (const bool further : {true, false}) {
      for (const Limbs& pair : limbs) {
        if (pair.carrier == legs->carrier || shares_joints(pair, *legs) || !same_mirror(pair, *legs)) continue;
        if (further && !is_above(legs->carrier, pair.carrier)) continue;
        if (!arms || length(pair.chains[0]) > length(arms->chains[0])) arms = &pair;
      }
      if (arms) break;
    }
    if (!arms) return false;
    const LimbParts leg = parts_of_leg(*legs), arm = parts_of_arm(*arms);
    const Vec3d left = left_of(*legs, leg, *arms, arm);
    constexpr std::array leg_roles = {JointRole::hip_joint, JointRole::thigh, JointRole::shin, JointRole::foot,
                                      JointRole::toe};
    constexpr std::array arm_roles = {JointRole::clavicle, JointRole::upper_arm, JointRole::forearm, JointRole::hand,
                                      JointRole::middle_finger};
    name_limb(*legs, leg, leg_roles, left);
    name_limb(*arms, arm, arm_roles, left);
    for (int c = 0; c < 2; ++c) name_fingers(arms->chains[c][arm.third]);
    name_trunk(legs->carrier, arms->carrier);
    number_chains();
    return true;
  }

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
    Limbs pair{joint, {longest_chain(skeleton_, children_, a), longest_chain(skeleton_, children_, b)}, {}};
    if (pair.chains[0].size() != pair.chains[1].size()) return std::nullopt;
    Vec3d across = skeleton_.position(pair.chains[0].back()) - skeleton_.position(pair.chains[1].back());
    across[up_] = 0;
    if (across.norm() < 1e-3 * height()) return std::nullopt;
    across.normalize();
    pair.across = across;
    const Vec3d origin = skeleton_.position(joint);
    for (std::size_t i = 0; i < pair.chains[0].size(); ++i) {
      const Vec3d p = skeleton_.position(pair.chains[0][i]) - origin,
                  q = skeleton_.position(pair.chains[1][i]) - origin;
      if ((p - 2 * p.dot(across) * across - q).norm() > 0.06 * size_) return std::nullopt;
    }
    return pair;
  }

  bool is_above(int joint, int other) const { return hangs_on(skeleton_.parents, other, joint); }

  static bool shares_joints(const Limbs& a, const Limbs& b) {
    const std::vector<int>& other = b.chains[0];
    return std::any_of(a.chains[0].begin(), a.chains[0].end(),
                       [&](int joint) { return std::find(other.begin(), other.end(), joint) != other.end(); });
  }

  // A leg goes down for the most part; what rolls a foot, or an arm held out, does not.
  bool goes_down(const Limbs& pair) const {
    return above(pair.chains[0].front()) - lowest(pair) > 0.4 * length(pair.chains[0]);
  }

  // Feet that follow targets hang on the root of the rig: the nearest pair of them under the ends of a leg.
  Limbs with_hung_feet(const Limbs& limb, const std::vector<Limbs>& pairs) const {
    if (!goes_down(limb)) return limb;
    const double reach = length(limb.chains[0]);
    const Vec3d end = skeleton_.position(limb.chains[0].back());
    const auto level_distance = [&](int joint) {
      const Vec3d away = skeleton_.position(joint) - end;
      const double aside = (away - away[up_] * Vec3d::Unit(up_)).norm(), below = -away[up_];
      const bool under = below > 0.1 * reach && aside < std::max(0.75 * reach, 0.5 * below);
      return under ? aside : std::numeric_limits<double>::infinity();
    };
    Limbs whole = limb;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Limbs& feet : pairs) {
      if (feet.chains[0].size() > 2 || !same_mirror(feet, limb)) continue;
      if (feet.carrier == limb.carrier || !is_above(feet.carrier, limb.carrier)) continue;
      for (int side = 0; side < 2; ++side) {
        const std::vector<int>& own = feet.chains[side];
        const auto first =
            std::find_if(own.begin(), own.end(), [&](int joint) { return level_distance(joint) < nearest; });
        if (first == own.end()) continue;
        nearest = level_distance(*first);
        whole = limb;
        for (int c = 0; c < 2; ++c) {
          const std::vector<int>& foot = feet.chains[c == 0 ? side : 1 - side];
          whole.chains[c].insert(whole.chains[c].end(), foot.begin() + (first - own.begin()), foot.end());
        }
      }
    }
    return whole;
  }

  // Where the parts of a limb begin along its chain: what comes before (clavicle, side of the pelvis) ends at `first`.
  struct LimbParts {
    std::size_t first = 0, second = 1, third = 2;
  };

  double bone(const std::vector<int>& chain, std::size_t i) const {
    return (skeleton_.position(chain[i + 1]) - skeleton_.position(chain[i])).norm();
  }

  // Whether a chain goes on at a joint as it came.
  bool is_straight(const std::vector<int>& chain, std::size_t i) const {
    const Vec3d before = skeleton_.position(chain[i]) - skeleton_.position(chain[i - 1]),
                after = skeleton_.position(chain[i + 1]) - skeleton_.position(chain[i]);
    return before.dot(after) > 0.995 * before.norm() * after.norm();
  }

  // Elbow and wrist, knee and ankle: the first joints that part most of the limb into two bones of about one length.
  // `third`, when it is not 0, is known already.
  LimbParts parts_from(const std::vector<int>& chain, std::size_t first, std::size_t third) const {
    LimbParts best{first, first + 1, third > 0 ? third : first + 2};
    std::vector<double> along(chain.size(), 0.0);
    for (std::size_t i = first + 1; i < chain.size(); ++i) along[i] = along[i - 1] + bone(chain, i - 1);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t end = first + 2; end < chain.size(); ++end) {
      if (third > 0 ? end != third : along[end] < 0.6 * along.back()) continue;
      for (std::size_t middle = first + 1; middle < end; ++middle) {
        double cost = std::abs(along[end] - 2 * along[middle]) / std::max(along[end], 1e-12);
        for (std::size_t i = first + 1; i < end; ++i) {
          if (i != middle) cost += is_straight(chain, i) ? 0.15 : 0.5;  // a twist, or a joint that was missed
        }
        if (cost < least) {
          least = cost;
          best = {first, middle, end};
        }
      }
    }
    return best;
  }

  LimbParts parts_of_leg(const Limbs& legs) const {
    const std::vector<int>& chain = legs.chains[0];
    // A first joint much shorter than the next is the side of the pelvis.
    const bool pelvis = chain.size() >= 4 && bone(chain, 0) < 0.35 * bone(chain, 1);
    return parts_from(chain, pelvis ? 1 : 0, 0);
  }

  LimbParts parts_of_arm(const Limbs& arms) const {
    const std::vector<int>& chain = arms.chains[0];
    const Vec3d middle = 0.5 * (skeleton_.position(chain[0]) + skeleton_.position(arms.chains[1][0]));
    const auto aside = [&](std::size_t i) {
      const Vec3d away = skeleton_.position(chain[i]) - middle;
      return (away - away[up_] * Vec3d::Unit(up_)).norm();
    };
    // A clavicle is short, or begins near the middle of the body and is no longer than an upper arm.
    const double share = bone(chain, 0) / std::max(bone(chain, 1), 1e-12);
    const bool clavicle = chain.size() >= 4 && (share < 0.3 || (share < 0.85 && aside(0) < 0.33 * aside(1)));
    const std::size_t first = clavicle ? 1 : 0;
    // The hand is where fingers branch off, not far from it: a forearm may carry several palms.
    double arm = bone(chain, first);
    for (std::size_t i = first + 2; i + 1 < chain.size(); ++i) {
      arm += bone(chain, i - 1);
      if (children_[chain[i]].size() > 1 && bone(chain, i) < 0.8 * arm) return parts_from(chain, first, i);
    }
    return parts_from(chain, first, 0);
  }

  // Where left is: up × forward. Forward is where the trunk of an animal and the feet of a person point; or else knees,
  // and elbows backwards.
  Vec3d left_of(const Limbs& legs, const LimbParts& leg, const Limbs& arms, const LimbParts& arm) const {
    const auto level = [&](Vec3d v) {
      v[up_] = 0;
      return v;
    };
    // How far the middle joint of a limb stands off the line between its ends.
    const auto bend = [&](const std::vector<int>& chain, const LimbParts& parts) {
      const Vec3d from = skeleton_.position(chain[parts.first]), to = skeleton_.position(chain[parts.third]);
      const Vec3d off = skeleton_.position(chain[parts.second]) - from, line = (to - from).normalized();
      return Vec3d(off - off.dot(line) * line);
    };
    const Vec3d trunk = skeleton_.position(arms.carrier) - skeleton_.position(legs.carrier);
    Vec3d feet = Vec3d::Zero(), bends = Vec3d::Zero();
    for (int c = 0; c < 2; ++c) {
      feet += skeleton_.position(legs.chains[c].back()) - skeleton_.position(legs.chains[c][leg.third]);
      bends += bend(legs.chains[c], leg) - bend(arms.chains[c], arm);
    }
    Vec3d forward = up_ == 1 ? Vec3d::UnitZ() : Vec3d(-Vec3d::UnitY());
    for (const auto& [cue, least] : {std::pair{level(trunk), 0.3 * trunk.norm()}, std::pair{level(feet), 0.02 * size_},
                                     std::pair{level(bends), 0.004 * size_}}) {
      const Vec3d ahead = cue - cue.dot(legs.across) * legs.across;
      if (ahead.norm() <= least) continue;
      forward = ahead;
      break;
    }
    return Vec3d::Unit(up_).cross(forward);
  }

  void set(int joint, JointRole role, BodySide side) { result_[joint] = {role, side, 1}; }

  // `roles`: of what comes before the limb, its three parts, and what comes after.
  void name_limb(const Limbs& limb, const LimbParts& parts, const std::array<JointRole, 5>& roles, const Vec3d& left) {
    for (int c = 0; c < 2; ++c) {
      const BodySide side = (c == 0) == (limb.across.dot(left) > 0) ? BodySide::left : BodySide::right;
      for (std::size_t i = 0; i < limb.chains[c].size(); ++i) {
        const int part = (i >= parts.first) + (i >= parts.second) + (i >= parts.third) + (i > parts.third);
        set(limb.chains[c][i], roles[static_cast<std::size_t>(part)], side);
      }
    }
  }

  // The thumb reaches least far from the wrist; the others follow from it across the hand. One alone is a mitten.
  void name_fingers(int hand) {
    std::vector<std::vector<int>> chains;
    for (int child : children_[hand]) chains.push_back(longest_chain(skeleton_, children_, child));
    if (chains.size() < 3 || chains.size() > 5) return;
    const auto reach = [&](const std::vector<int>& chain) {
      return (skeleton_.position(chain.back()) - skeleton_.position(hand)).norm();
    };
    std::iter_swap(chains.begin(), std::min_element(chains.begin(), chains.end(),
                                                    [&](const auto& a, const auto& b) { return reach(a) < reach(b); }));
    const Vec3d thumb = skeleton_.position(chains[0].back());
    std::sort(chains.begin() + 1, chains.end(), [&](const auto& a, const auto& b) {
      return (skeleton_.position(a.front()) - thumb).norm() < (skeleton_.position(b.front()) - thumb).norm();
    });
    const BodySide side = result_[hand].side;
    for (std::size_t i = 0; i < chains.size(); ++i) {
      const auto role = static_cast<JointRole>(static_cast<int>(JointRole::thumb) + static_cast<int>(i));
      for (int joint : chains[i]) set(joint, role, side);
    }
  }

  void name_trunk(int hips, int chest) {
    // Some rigs carry the legs one joint above the hips, at nearly the same place.
    for (int up = skeleton_.parents[hips]; up >= 0 && skeleton_.parents[up] >= 0; up = skeleton_.parents[up]) {
      if ((skeleton_.position(up) - skeleton_.position(hips)).norm() < 0.1 * size_) hips = up;
    }
    std::vector<int> trunk;
    for (int joint = chest; joint >= 0 && joint != hips; joint = skeleton_.parents[joint]) trunk.push_back(joint);
    for (int joint : trunk) set(joint, JointRole::spine, BodySide::centre);
    if (!trunk.empty() && trunk.size() > 1) result_[chest].role = JointRole::chest;
    set(hips, JointRole::hips, BodySide::centre);
    for (int joint = skeleton_.parents[hips]; joint >= 0; joint = skeleton_.parents[joint]) {
      set(joint, JointRole::root, BodySide::centre);
    }
    const Vec3d along = skeleton_.position(chest) - skeleton_.position(hips);
    const bool level = along.norm() > 2 * std::abs(along[up_]);
    int neck = -1;
    for (int child : children_[chest]) {
      if (result_[child].role == JointRole::unknown && (neck < 0 || above(child) > above(neck))) neck = child;
    }
    if (neck >= 0) name_neck(longest_chain(skeleton_, children_, neck), level);
    if (level) name_tail(hips, -along);
  }

  // The head carries ears, eyes or a jaw; of a neck without any, a person's second joint and an animal's last.
  void name_neck(const std::vector<int>& chain, bool level) {
    std::size_t joints = 0;
    while (joints < chain.size() && skeleton_.kinds[chain[joints]] == JointKind::joint) ++joints;
    const std::size_t last = std::max<std::size_t>(joints, 1) - 1;
    std::size_t head = level ? last : std::min<std::size_t>(1, last);
    for (std::size_t i = 1; i < joints; ++i) {
      if (children_[chain[i]].size() < 2) continue;
      head = i;
      break;
    }
    for (std::size_t i = 0; i <= head; ++i) {
      set(chain[i], i == head ? JointRole::head : JointRole::neck, BodySide::centre);
    }
  }

  // What an animal's hips carry behind them, in the middle.
  void name_tail(int hips, const Vec3d& behind) {
    for (int child : children_[hips]) {
      if (result_[child].role != JointRole::unknown) continue;
      const std::vector<int> chain = longest_chain(skeleton_, children_, child);
      const Vec3d reach = skeleton_.position(chain.back()) - skeleton_.position(hips);
      if (chain.size() < 2 || reach.dot(behind) < 0.3 * reach.norm() * behind.norm()) continue;
      for (int joint : chain) set(joint, JointRole::tail, BodySide::centre);
      return;
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
  AABBd box_;  // without what floats far from the body
  double size_ = 0;
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
