#include "sinew/anatomy/bones.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/anatomy/joint_roles.h"

namespace sinew {
namespace {

constexpr double negligible_length = 1e-5;  // of the skeleton's size
constexpr double in_line = 0.5;             // cosine of 60°
constexpr double leaf_share = 0.7, leaf_shortest = 0.02, leaf_longest = 0.12;

bool continues_nothing(JointRole role) {
  switch (role) {
    case JointRole::eye:
    case JointRole::ear:
    case JointRole::jaw:
    case JointRole::face:
    case JointRole::twist:
    case JointRole::prop:
    case JointRole::control:
      return true;
    default:
      return false;
  }
}

class TailChooser {
 public:
  explicit TailChooser(const Skeleton& skeleton)
      : skeleton_(skeleton), roles_(identify_joints(skeleton)), children_(skeleton.names.size()) {
    AABBd box;
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) box.extend(skeleton.position(joint));
    size_ = skeleton.empty() ? 0.0 : box.diagonal().norm();
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
      const int parent = parent_joint(joint);
      if (parent >= 0 && skeleton.kinds[joint] != JointKind::helper) children_[parent].push_back(joint);
    }
    measure_reach();
    axis_ = common_axis();
  }

  const std::vector<int>& children(int joint) const { return children_[joint]; }
  bool apart(const Vec3d& a, const Vec3d& b) const { return (a - b).norm() > negligible_length * size_; }

  Vec3d tail(int joint) const {
    const Vec3d head = skeleton_.position(joint);
    // Through children that lie in the same place.
    for (int at = joint; at >= 0;) {
      const int next = main_child(at, joint);
      if (next >= 0 && apart(skeleton_.position(next), head)) return skeleton_.position(next);
      at = next;
    }
    return head + leaf_length(joint) * leaf_direction(joint);
  }

 private:
  // The nearest joint above; helpers in between do not count.
  int parent_joint(int joint) const {
    int parent = skeleton_.parents[joint];
    while (parent >= 0 && skeleton_.kinds[parent] == JointKind::helper) parent = skeleton_.parents[parent];
    return parent;
  }

  // Length of the longest chain that hangs from each joint.
  void measure_reach() {
    reach_.assign(skeleton_.names.size(), 0.0);
    for (int joint = skeleton_.joint_count() - 1; joint >= 0; --joint) {
      for (const int child : children_[joint]) {
        const double offset = (skeleton_.position(child) - skeleton_.position(joint)).norm();
        reach_[joint] = std::max(reach_[joint], offset + reach_[child]);
      }
    }
  }

  // Direction in which the chain arrives at a joint, or zero.
  Vec3d incoming(int joint) const {
    for (int up = parent_joint(joint); up >= 0; up = parent_joint(up)) {
      const Vec3d offset = skeleton_.position(joint) - skeleton_.position(up);
      if (apart(skeleton_.position(joint), skeleton_.position(up))) return offset.normalized();
    }
    return Vec3d::Zero();
  }

  // `from`: the joint whose bone is being built, at the same place as `joint`.
  int main_child(int joint, int from) const {
    std::vector<int> candidates;
    int farthest_end = -1;
    for (const int child : children_[joint]) {
      if (skeleton_.kinds[child] != JointKind::end) {
        if (!continues_nothing(roles_[child].role)) candidates.push_back(child);
      } else if (farthest_end < 0 || distance(joint, child) > distance(joint, farthest_end)) {
        farthest_end = child;
      }
    }
    if (farthest_end >= 0 && distance(joint, farthest_end) > negligible_length * size_) return farthest_end;
    if (candidates.size() <= 1) return candidates.empty() ? -1 : candidates[0];
    const Vec3d direction = incoming(from);
    const auto alignment = [&](int child) {
      return apart(skeleton_.position(child), skeleton_.position(from))
                 ? direction.dot((skeleton_.position(child) - skeleton_.position(from)).normalized())
                 : 0.0;
    };
    const int aligned = *std::max_element(candidates.begin(), candidates.end(),
                                          [&](int a, int b) { return alignment(a) < alignment(b); });
    if (alignment(aligned) > in_line) return aligned;
    return *std::max_element(candidates.begin(), candidates.end(), [&](int a, int b) {
      return distance(joint, a) + reach_[a] < distance(joint, b) + reach_[b];
    });
  }

  double distance(int a, int b) const { return (skeleton_.position(a) - skeleton_.position(b)).norm(); }

  // The local axis (±x, ±y, ±z) along which at least 60 % of the joints with one child hold it, or zero.
  Vec3d common_axis() const {
    std::array<int, 6> votes{};
    int voters = 0;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (children_[joint].size() != 1 || distance(joint, children_[joint][0]) <= negligible_length * size_) continue;
      const Vec3d offset = skeleton_.position(children_[joint][0]) - skeleton_.position(joint);
      const Vec3d local = (skeleton_.rest[joint].linear().inverse() * offset).normalized();
      int axis = 0;
      ++voters;
      if (local.cwiseAbs().maxCoeff(&axis) > 0.95) ++votes[2 * axis + (local[axis] < 0)];
    }
    const auto best = std::max_element(votes.begin(), votes.end());
    if (voters < 3 || *best * 10 < voters * 6) return Vec3d::Zero();
    const auto index = best - votes.begin();
    return (index % 2 ? -1.0 : 1.0) * Vec3d::Unit(index / 2);
  }

  Vec3d leaf_direction(int joint) const {
    if (axis_ != Vec3d::Zero()) return (skeleton_.rest[joint].linear() * axis_).normalized();
    const Vec3d direction = incoming(joint);
    return direction != Vec3d::Zero() ? direction : Vec3d::UnitY();
  }

  double leaf_length(int joint) const {
    const int parent = parent_joint(joint);
    const double above = parent >= 0 ? distance(joint, parent) : 0.0;
    return std::clamp(leaf_share * above, leaf_shortest * size_, leaf_longest * size_);
  }

  const Skeleton& skeleton_;
  std::vector<JointIdentity> roles_;
  std::vector<std::vector<int>> children_;
  std::vector<double> reach_;
  double size_ = 0.0;
  Vec3d axis_ = Vec3d::Zero();
};

}  // namespace

std::vector<Bone> bones_of(const Skeleton& skeleton, BoneFan fan) {
  const TailChooser chooser(skeleton);
  std::vector<Bone> bones;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] != JointKind::joint) continue;
    const Vec3d head = skeleton.position(joint), tail = chooser.tail(joint);
    bones.push_back({joint, head, tail});
    if (fan == BoneFan::main_child) continue;
    for (const int child : chooser.children(joint)) {
      const Vec3d other = skeleton.position(child);
      if (chooser.apart(other, tail) && chooser.apart(other, head)) bones.push_back({joint, head, other});
    }
  }
  return bones;
}

}  // namespace sinew
