#include "sinew/fit/matchable_joints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/anatomy/joint_roles.h"

namespace sinew {
namespace {

constexpr double far_away = 0.2;     // of the skeleton's size: longer bones may lead through the air
constexpr double limb_length = 0.1;  // of the skeleton's size: shorter chains need not reach a tip

class JointChooser {
 public:
  explicit JointChooser(const Skeleton& skeleton) : skeleton_(skeleton), children_(children_of(skeleton)) {}

  MatchableJoints run() {
    choose();
    hang();
    order();
    find_ends();
    return std::move(result_);
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  double apart(int a, int b) const { return (skeleton_.position(a) - skeleton_.position(b)).norm(); }

  void choose() {
    const int count = skeleton_.joint_count();
    above_.assign(skeleton_.names.size(), -1);
    taken_.assign(skeleton_.names.size(), 0);
    AABBd box;
    for (int j = 0; j < count; ++j) {
      const JointRole role = identify_name(skeleton_.names[j]).role;
      taken_[j] = skeleton_.kinds[j] != JointKind::helper && role != JointRole::control && role != JointRole::prop;
      int parent = skeleton_.parents[j];
      while (parent >= 0 && !taken_[parent]) parent = skeleton_.parents[parent];
      above_[j] = parent;
      if (taken_[j]) box.extend(skeleton_.position(j));
    }
    result_.size = box.isEmpty() ? 0.0 : box.diagonal().norm();
  }

  bool is_below(int joint, int other) const {
    for (int up = joint; up >= 0; up = above_[up]) {
      if (up == other) return true;
    }
    return false;
  }

  // The nearest joint that does not hang on this one.
  int nearest_other(int joint, double& distance) const {
    int best = -1;
    distance = infinite;
    for (int other = 0; other < skeleton_.joint_count(); ++other) {
      if (!taken_[other] || is_below(other, joint)) continue;
      const double away = apart(joint, other);
      if (away < distance) distance = away, best = other;
    }
    return best;
  }

  std::vector<int> below() const {
    std::vector<int> count(skeleton_.names.size(), 0);
    for (int j = skeleton_.joint_count() - 1; j >= 0; --j) {
      if (!taken_[j]) continue;
      ++count[j];
      if (above_[j] >= 0) count[above_[j]] += count[j];
    }
    return count;
  }

  void hang() {
    const std::vector<int> carried = below();
    int main_root = -1;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (taken_[j] && above_[j] < 0 && (main_root < 0 || carried[j] > carried[main_root])) main_root = j;
    }
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (!taken_[j] || j == main_root) continue;
      const double bone = above_[j] >= 0 ? apart(j, above_[j]) : infinite;
      if (bone < far_away * result_.size || carried[j] > 3) continue;
      double distance = 0;
      const int other = nearest_other(j, distance);
      if (other >= 0 && distance < std::min(0.5 * bone, far_away * result_.size)) {
        above_[j] = other;
      } else if (carried[j] == 1 && bone > 0.33 * result_.size) {
        taken_[j] = 0;
      }
    }
    // Whatever tree is left beside the main one.
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (!taken_[j] || j == main_root || above_[j] >= 0) continue;
      double distance = 0;
      const int other = nearest_other(j, distance);
      if (other >= 0 && is_below(other, main_root)) {
        above_[j] = other;
      } else {
        for (int k = 0; k < skeleton_.joint_count(); ++k) {
          if (is_below(k, j)) taken_[k] = 0;
        }
      }
    }
    // What hung on something that is left out now.
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      while (taken_[j] && above_[j] >= 0 && !taken_[above_[j]]) above_[j] = above_[above_[j]];
    }
  }

  // Parents before children, whatever hangs where now.
  void order() {
    std::vector<int> index(skeleton_.names.size(), -1);
    bool found = true;
    while (found) {
      found = false;
      for (int j = 0; j < skeleton_.joint_count(); ++j) {
        if (!taken_[j] || index[j] >= 0 || (above_[j] >= 0 && index[above_[j]] < 0)) continue;
        if (above_[j] < 0 && !result_.joints.empty()) continue;
        index[j] = static_cast<int>(result_.joints.size());
        result_.joints.push_back(j);
        result_.parents.push_back(above_[j] >= 0 ? index[above_[j]] : -1);
        found = true;
      }
    }
    result_.children.resize(result_.joints.size());
    for (std::size_t i = 1; i < result_.joints.size(); ++i) {
      result_.children[result_.parents[i]].push_back(static_cast<int>(i));
    }
  }

  void find_ends() {
    result_.main_end.assign(result_.joints.size(), 0);
    for (std::size_t i = 0; i < result_.joints.size(); ++i) {
      if (!result_.children[i].empty()) continue;
      double length = 0;
      for (int j = static_cast<int>(i); result_.parents[j] >= 0; j = result_.parents[j]) {
        length += apart(result_.joints[j], result_.joints[result_.parents[j]]);
        if (result_.children[result_.parents[j]].size() > 1) break;
      }
      result_.main_end[i] = length > limb_length * result_.size;
    }
  }

  const Skeleton& skeleton_;
  std::vector<std::vector<int>> children_;
  std::vector<int> above_;
  std::vector<char> taken_;
  MatchableJoints result_;
};

}  // namespace

MatchableJoints matchable_joints(const Skeleton& skeleton) { return JointChooser(skeleton).run(); }

std::vector<int> mirrored_joints(const MatchableJoints& joints, const Skeleton& skeleton, const Vec3d& normal) {
  const auto count = static_cast<int>(joints.joints.size());
  std::vector<double> sides;
  for (const int joint : joints.joints) sides.push_back(skeleton.position(joint).dot(normal));
  // The plane: half-way between the outermost joints, or where most joints are; whichever pairs more.
  std::vector<double> sorted = sides;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> best(count, -1);
  int best_count = -1;
  for (const double middle : {0.5 * (sorted.front() + sorted.back()), sorted[sorted.size() / 2]}) {
    std::vector<int> partner(count, -1);
    int paired = 0;
    for (int i = 0; i < count; ++i) {
      const int parent = joints.parents[i];
      if (parent >= 0 && partner[parent] < 0) continue;
      const Vec3d image = skeleton.position(joints.joints[i]) - 2 * (sides[i] - middle) * normal;
      double nearest = 0.03 * joints.size;
      for (int other = 0; other < count; ++other) {
        const int expected = parent >= 0 ? partner[parent] : -1;
        if (joints.parents[other] != expected || (partner[other] >= 0 && partner[other] != i)) continue;
        const double away = (skeleton.position(joints.joints[other]) - image).norm();
        const bool self = other == i && std::abs(sides[i] - middle) > 0.015 * joints.size;
        if (away < nearest && !self) nearest = away, partner[i] = other;
      }
      if (partner[i] >= 0) {
        ++paired;
        partner[partner[i]] = i;
      }
    }
    if (paired > best_count) best_count = paired, best = partner;
  }
  return best;
}

}  // namespace sinew
