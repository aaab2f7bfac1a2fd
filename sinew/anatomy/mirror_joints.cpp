#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "sinew/anatomy/joint_name_words.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/body_frame.h"

namespace sinew {
namespace {

// All lengths are shares of the skeleton's size.
constexpr double in_the_middle = 0.02;  // joints nearer to the plane are in the middle, places nearer to each other one
constexpr double other_name = 0.01;     // what a difference in name or in body part counts as
constexpr int rounds = 3;               // the plane follows from the pairs, and the pairs from the plane

class MirrorFinder {
 public:
  explicit MirrorFinder(const Skeleton& skeleton) : skeleton_(skeleton) {
    joints_ = identify_joints_anyhow(skeleton);
    for (const std::string& name : skeleton.names) {
      NameWords words = split_name(name);
      for (const std::string& number : words.numbers) words.joined += ' ' + number;
      names_.push_back(std::move(words));
    }
    AABBd box;
    for (int joint = 0; joint < skeleton.joint_count(); ++joint) box.extend(skeleton.position(joint));
    size_ = box.isEmpty() || !(box.diagonal().norm() > 0) ? 1.0 : box.diagonal().norm();
  }

  JointMirror run() {
    pair_sides(false);
    place_plane();
    for (int round = 0; round < rounds; ++round) {
      pair_sides(true);
      place_plane();
    }
    pair_middle();
    return mirror_;
  }

 private:
  struct Pair {
    double cost;
    int left, right;
    bool operator<(const Pair& other) const {
      return cost != other.cost ? cost < other.cost : std::tie(left, right) < std::tie(other.left, other.right);
    }
  };

  BodySide side_of(int joint) const {
    return joints_[joint].side != BodySide::centre ? joints_[joint].side : names_[joint].side;
  }

  double distance_to_plane(int joint) const {
    return std::abs(skeleton_.position(joint).dot(mirror_.normal) - mirror_.offset) / size_;
  }

  double distance_to_image(int a, int b) const {
    const Vec3d place = skeleton_.position(a);
    const Vec3d image = place - 2 * (place.dot(mirror_.normal) - mirror_.offset) * mirror_.normal;
    return (image - skeleton_.position(b)).norm() / size_;
  }

  // The cheapest pairs first, each joint once.
  void take(std::vector<Pair>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    for (const Pair& pair : pairs) {
      if (mirror_.joints[pair.left] >= 0 || mirror_.joints[pair.right] >= 0) continue;
      mirror_.joints[pair.left] = pair.right;
      mirror_.joints[pair.right] = pair.left;
    }
  }

  // Left joints with right ones: of the same name, of the same body part, or at each other's place. Numbers in names may
  // count other ways on both sides, so of several the nearest counts, as soon as there is a plane.
  void pair_sides(bool has_plane) {
    mirror_.joints.assign(joints_.size(), -1);
    std::vector<Pair> pairs;
    for (int left = 0; left < skeleton_.joint_count(); ++left) {
      if (side_of(left) != BodySide::left) continue;
      for (int right = 0; right < skeleton_.joint_count(); ++right) {
        if (side_of(right) != BodySide::right) continue;
        const bool name = names_[left].joined == names_[right].joined;
        const bool part = joints_[left].role != JointRole::unknown && joints_[left].role == joints_[right].role &&
                          joints_[left].index == joints_[right].index;
        const double away = has_plane ? distance_to_image(left, right) : 0.0;
        if (!name && !part && (!has_plane || away > in_the_middle)) continue;
        // At each other's place, or at least of the same name, or at least of the same part.
        const double rank = has_plane && away <= in_the_middle ? 0 : name ? 10 : 20;
        pairs.push_back({rank + away + (name ? 0 : other_name) + (part ? 0 : other_name), left, right});
      }
    }
    take(pairs);
  }

  // Joints whose names and structure tell no side: themselves near the plane, otherwise by position.
  void pair_middle() {
    std::vector<int> away;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (side_of(joint) != BodySide::centre) continue;
      if (distance_to_plane(joint) <= in_the_middle) {
        mirror_.joints[joint] = joint;
      } else {
        away.push_back(joint);
      }
    }
    std::vector<Pair> pairs;
    for (const int a : away) {
      for (const int b : away) {
        if (a < b && distance_to_image(a, b) <= in_the_middle) pairs.push_back({distance_to_image(a, b), a, b});
      }
    }
    take(pairs);
    for (const int joint : away) {
      if (mirror_.joints[joint] < 0) mirror_.joints[joint] = joint;
    }
  }

  // A limb's first joint: no pose moves it far.
  bool is_on_trunk(int joint) const {
    const int parent = skeleton_.parents[joint];
    return parent < 0 || side_of(parent) == BodySide::centre;
  }

  void place_plane() {
    if (!place_plane(true)) place_plane(false);
  }

  // Half way between left and right; of the pairs' middles the median, which a few wrong ones do not move.
  bool place_plane(bool trunk_only) {
    Vec3d across = Vec3d::Zero();
    std::vector<Vec3d> middles;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      const int other = mirror_.joints[joint];
      if (other < 0 || side_of(joint) != BodySide::left) continue;
      if (trunk_only && !(is_on_trunk(joint) && is_on_trunk(other))) continue;
      across += skeleton_.position(joint) - skeleton_.position(other);
      middles.emplace_back(0.5 * (skeleton_.position(joint) + skeleton_.position(other)));
    }
    if (middles.empty() || !(across.norm() > 1e-3 * size_)) return false;
    mirror_.normal = across.normalized();
    std::vector<double> offsets;
    for (const Vec3d& middle : middles) offsets.push_back(middle.dot(mirror_.normal));
    const auto half = offsets.begin() + static_cast<std::ptrdiff_t>(offsets.size() / 2);
    std::nth_element(offsets.begin(), half, offsets.end());
    mirror_.offset = *half;
    return true;
  }

  const Skeleton& skeleton_;
  std::vector<JointIdentity> joints_;
  std::vector<NameWords> names_;
  double size_ = 1;
  JointMirror mirror_;
};

}  // namespace

JointMirror mirror_joints(const Skeleton& skeleton) { return MirrorFinder(skeleton).run(); }

}  // namespace sinew
