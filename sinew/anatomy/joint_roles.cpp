#include "sinew/anatomy/joint_roles.h"

#include <algorithm>
#include <array>

#include "sinew/anatomy/joint_name_words.h"
#include "sinew/anatomy/joint_vocabulary.h"

namespace sinew {
namespace {

// ---- Hierarchy ----

// "Leg" and "Arm" without upper or lower: the next part of the limb, counted from what is above.
bool is_plain_limb(const NameWords& name) { return name.has("leg") || name.has("arm"); }

bool named_upper_or_lower(const NameWords& name) {
  for (const std::string_view part : {"forearm", "upper", "lower", "up", "low", "lo"}) {
    if (name.has(part) || (part.size() > 4 && name.contains(part))) return true;
  }
  return name.contains("upleg") || name.contains("uparm");
}

JointRole next_along_limb(JointRole role) {
  switch (role) {
    case JointRole::thigh:
      return JointRole::shin;
    case JointRole::shin:
      return JointRole::foot;
    case JointRole::foot:
      return JointRole::toe;
    case JointRole::upper_arm:
      return JointRole::forearm;
    case JointRole::forearm:
      return JointRole::hand;
    case JointRole::hand:
      return JointRole::middle_finger;
    default:
      return role;
  }
}

class HierarchyHints {
 public:
  explicit HierarchyHints(const Skeleton& skeleton) : skeleton_(skeleton), children_(children_of(skeleton)) {
    for (const std::string& name : skeleton.names) {
      words_.push_back(split_name(name));
      joints_.push_back(identify_name(name));
    }
    one_on_.assign(joints_.size(), 0);
  }

  std::vector<JointIdentity> run() {
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) place_limb(joint);
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) place_hip_joint(joint);
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) name_detached_foot(joint);
    name_the_hips();
    name_the_roots();
    name_the_neck_of_a_spine();
    name_the_head();
    name_the_chest();
    number_chains();
    return joints_;
  }

 private:
  // Nearest joint above with this side, whatever its role, looking through twists and nameless joints.
  int above_on_side(int joint) const {
    for (int up = skeleton_.parents[joint]; up >= 0; up = skeleton_.parents[up]) {
      const JointRole role = joints_[up].role;
      if (joints_[up].side == joints_[joint].side && role != JointRole::twist && role != JointRole::unknown) return up;
    }
    return -1;
  }

  bool has_child(int joint, JointRole role) const {
    return std::any_of(children_[joint].begin(), children_[joint].end(),
                       [&](int child) { return joints_[child].role == role; });
  }

  void place_limb(int joint) {
    JointIdentity& own = joints_[joint];
    if (own.side == BodySide::centre) return;
    const int up = above_on_side(joint);
    const JointRole above = up >= 0 ? joints_[up].role : JointRole::unknown;
    const NameWords& name = words_[joint];
    // "LeftShoulder" is a clavicle in most rigs, but the upper arm itself below a collar.
    if (own.role == JointRole::clavicle && name.has("shoulder") && above == JointRole::clavicle &&
        !has_child(joint, JointRole::upper_arm)) {
      own.role = JointRole::upper_arm;
    }
    if (own.role == JointRole::clavicle && name.has("shoulder") && has_child(joint, JointRole::forearm)) {
      own.role = JointRole::upper_arm;
    }
    const bool limb = own.role == JointRole::thigh || own.role == JointRole::upper_arm;
    if (limb && is_plain_limb(name) && !named_upper_or_lower(name)) {
      if (has_child(joint, own.role) && !is_plain_chain(joint) && above != JointRole::hip_joint) {
        own.role = own.role == JointRole::thigh ? JointRole::hip_joint : JointRole::clavicle;
      } else if (next_along_limb(above) != above) {
        own.role = next_along_limb(above);
      }
    }
    // Below a hip of their own, "Leg", "UpperLeg" and "LowerLeg" are an animal's thigh, shin and hock.
    const bool below_thigh = own.role == JointRole::thigh && above == JointRole::thigh && is_plain_limb(words_[up]) &&
                             !named_upper_or_lower(words_[up]);
    const int hip = below_thigh ? above_on_side(up) : -1;
    if ((hip >= 0 && joints_[hip].role == JointRole::hip_joint) ||
        (own.role == JointRole::shin && up >= 0 && one_on_[up])) {
      own.role = next_along_limb(own.role);
      one_on_[joint] = 1;
    }
    // A second foot joint is a toe.
    if (own.role == JointRole::foot && above == JointRole::foot) own.role = JointRole::toe;
  }

  // Whether a child continues with the same plain name: "arm_1", "arm_2".
  bool is_plain_chain(int joint) const {
    return std::any_of(children_[joint].begin(), children_[joint].end(), [&](int child) {
      return words_[child].joined == words_[joint].joined && is_plain_limb(words_[child]) &&
             !named_upper_or_lower(words_[child]);
    });
  }

  // CMU's "LHipJoint" stands between the hips and "LeftUpLeg", much nearer to it than that to the knee; two halves of a
  // thigh ("upperleg01", "upperleg02") are about equally long.
  void place_hip_joint(int joint) {
    if (joints_[joint].role != JointRole::thigh) return;
    for (const int child : children_[joint]) {
      if (joints_[child].role != JointRole::thigh) continue;
      double below = 0;
      for (const int next : children_[child]) {
        below = std::max(below, (skeleton_.position(next) - skeleton_.position(child)).norm());
      }
      const double own = (skeleton_.position(child) - skeleton_.position(joint)).norm();
      if (below == 0 || own < 0.6 * below) joints_[joint].role = JointRole::hip_joint;
      return;
    }
  }

  // An animator's handle that is the foot, or the paw, of a leg that has none, or carries it:
  // "IKBackLeg.L" above "FFB.L".
  void name_detached_foot(int joint) {
    JointIdentity& own = joints_[joint];
    const NameWords& name = words_[joint];
    const bool of_leg = name.contains("leg") || name.contains("foot");
    if (own.role != JointRole::control || own.side == BodySide::centre || !of_leg) return;
    int last = -1;
    double leg = 0;
    for (int other = 0; other < skeleton_.joint_count(); ++other) {
      const JointRole role = joints_[other].role;
      const JointRole first = name.has("front") ? JointRole::upper_arm : JointRole::thigh;
      const bool of_limb =
          role == first || (last >= 0 && role == next_along_limb(joints_[last].role) && role != joints_[last].role);
      if (joints_[other].side != own.side || !of_limb) continue;
      if (last >= 0) leg += (skeleton_.position(other) - skeleton_.position(last)).norm();
      last = other;
    }
    // At the leg's last joint it moves what is there already; far away it is no foot.
    const double away = last >= 0 ? (skeleton_.position(joint) - skeleton_.position(last)).norm() : 0.0;
    if (last < 0 || away < 0.1 * leg || away > 5 * leg) return;
    const JointRole next = next_along_limb(joints_[last].role);
    bool is_foot = next == JointRole::foot || next == JointRole::hand;
    for (const int child : children_[joint]) {
      if (joints_[child].role != JointRole::unknown || skeleton_.kinds[child] != JointKind::joint) continue;
      is_foot = true;
      joints_[child] = {next_along_limb(next), own.side, 1};
    }
    if (is_foot) own.role = next;
  }

  void name_the_hips() {
    if (any(JointRole::hips)) return;
    // The lowest joint above all thighs.
    std::vector<int> count(joints_.size(), 0);
    int thighs = 0;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (joints_[joint].role != JointRole::thigh) continue;
      ++thighs;
      for (int up = skeleton_.parents[joint]; up >= 0; up = skeleton_.parents[up]) ++count[up];
    }
    for (int joint = skeleton_.joint_count() - 1; joint >= 0 && thighs >= 2; --joint) {
      if (count[joint] != thighs) continue;
      const JointRole role = joints_[joint].role;
      if (role == JointRole::spine || role == JointRole::unknown || role == JointRole::root) {
        joints_[joint].role = JointRole::hips;
      }
      return;
    }
  }

  // What carries the hips carries the whole body.
  void name_the_roots() {
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (joints_[joint].role != JointRole::hips) continue;
      for (int up = skeleton_.parents[joint]; up >= 0; up = skeleton_.parents[up]) {
        if (joints_[up].role == JointRole::unknown) joints_[up] = {JointRole::root, BodySide::centre, 1};
      }
    }
  }

  // Rigify numbers one spine from the pelvis to the head: what goes on above the joint that carries the arms is the neck,
  // and its last joint the head.
  void name_the_neck_of_a_spine() {
    if (any(JointRole::head) || any(JointRole::neck)) return;
    int chest = -1;
    for (int joint = 0; joint < skeleton_.joint_count() && chest < 0; ++joint) {
      const JointRole role = joints_[joint].role;
      if (role != JointRole::clavicle && role != JointRole::upper_arm) continue;
      chest = skeleton_.parents[joint];
      while (chest >= 0 && joints_[chest].role != JointRole::spine) chest = skeleton_.parents[chest];
    }
    std::vector<int> neck;
    for (int joint = chest; joint >= 0;) {
      const auto next = std::find_if(children_[joint].begin(), children_[joint].end(), [&](int child) {
        return joints_[child].role == JointRole::spine && joints_[child].side == BodySide::centre;
      });
      joint = next == children_[joint].end() ? -1 : *next;
      if (joint >= 0) neck.push_back(joint);
    }
    for (const int joint : neck) joints_[joint].role = joint == neck.back() ? JointRole::head : JointRole::neck;
  }

  void name_the_head() {
    if (any(JointRole::head)) return;
    for (int joint = skeleton_.joint_count() - 1; joint >= 0; --joint) {
      const int parent = skeleton_.parents[joint];
      if (joints_[joint].role != JointRole::neck || parent < 0 || joints_[parent].role != JointRole::neck) continue;
      joints_[joint].role = JointRole::head;
      return;
    }
  }

  void name_the_chest() {
    if (any(JointRole::chest)) return;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      const JointRole role = joints_[joint].role;
      if (role != JointRole::clavicle && role != JointRole::upper_arm) continue;
      int up = skeleton_.parents[joint];
      while (up >= 0 && joints_[up].role != JointRole::spine) up = skeleton_.parents[up];
      if (up < 0) continue;
      const int below = skeleton_.parents[up];
      if (below >= 0 && joints_[below].role == JointRole::spine) joints_[up].role = JointRole::chest;
      return;
    }
  }

  void number_chains() {
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      JointIdentity& own = joints_[joint];
      own.index = 1;
      for (int up = skeleton_.parents[joint]; up >= 0; up = skeleton_.parents[up]) {
        if (joints_[up].role != own.role || joints_[up].side != own.side) continue;
        own.index = joints_[up].index + 1;
        break;
      }
    }
  }

  bool any(JointRole role) const {
    return std::any_of(joints_.begin(), joints_.end(), [&](const JointIdentity& j) { return j.role == role; });
  }

  const Skeleton& skeleton_;
  std::vector<std::vector<int>> children_;
  std::vector<NameWords> words_;
  std::vector<JointIdentity> joints_;
  std::vector<char> one_on_;  // limb joints that are the next part to what they are called
};

}  // namespace

JointIdentity identify_name(std::string_view name) {
  const NameWords words = split_name(name);
  return {role_of_words(words), words.side, 1};
}

std::vector<JointIdentity> identify_joints(const Skeleton& skeleton) { return HierarchyHints(skeleton).run(); }

bool is_finger(JointRole role) { return role >= JointRole::thumb && role <= JointRole::little_finger; }

const char* role_name(JointRole role) {
  constexpr std::array names = {"unknown",       "root",        "hips",          "hip_joint", "spine",   "chest",
                                "neck",          "head",        "jaw",           "eye",       "ear",     "face",
                                "clavicle",      "upper_arm",   "forearm",       "hand",      "thumb",   "index_finger",
                                "middle_finger", "ring_finger", "little_finger", "thigh",     "shin",    "foot",
                                "toe",           "tail",        "wing",          "twist",     "control", "prop"};
  return names[static_cast<std::size_t>(role)];
}

}  // namespace sinew
