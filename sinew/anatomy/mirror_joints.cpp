#include <algorithm>
#include <limits>

#include "sinew/anatomy/joint_name_words.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/body_frame.h"

namespace sinew {
namespace {

// Joints nearer to the plane than this share of the skeleton's size are in the middle; joints without a side pair up
// when one is that near to the other's mirror image.
constexpr double in_the_middle = 0.02;

bool opposite(BodySide a, BodySide b) { return a != BodySide::centre && b != BodySide::centre && a != b; }

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
    size_ = box.isEmpty() ? 0.0 : box.diagonal().norm();
    mirror_.joints.assign(joints_.size(), -1);
  }

  JointMirror run() {
    // The plane comes from the pairs that are beyond doubt, and decides between the candidates of the others.
    pair(
        [&](int a, int b) { return opposite(names_[a].side, names_[b].side) && names_[a].joined == names_[b].joined; });
    pair([&](int a, int b) {
      return opposite(joints_[a].side, joints_[b].side) && joints_[a].role != JointRole::unknown &&
             joints_[a].role == joints_[b].role && joints_[a].index == joints_[b].index;
    });
    place_plane();
    pair([&](int a, int b) {
      return opposite(side_of(a), side_of(b)) && distance_to_image(a, b) <= in_the_middle * size_;
    });
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (is_middle(joint) && distance(joint) <= in_the_middle * size_) mirror_.joints[joint] = joint;
    }
    pair(
        [&](int a, int b) { return is_middle(a) && is_middle(b) && distance_to_image(a, b) <= in_the_middle * size_; });
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (is_middle(joint)) mirror_.joints[joint] = joint;
    }
    return mirror_;
  }

 private:
  bool is_free(int joint) const { return mirror_.joints[joint] < 0; }
  BodySide side_of(int joint) const {
    return joints_[joint].side != BodySide::centre ? joints_[joint].side : names_[joint].side;
  }
  // Of no side that names or structure tell.
  bool is_middle(int joint) const { return is_free(joint) && side_of(joint) == BodySide::centre; }

  double distance(int joint) const { return std::abs(skeleton_.position(joint).dot(mirror_.normal) - mirror_.offset); }

  double distance_to_image(int a, int b) const {
    const Vec3d place = skeleton_.position(a);
    const Vec3d image = place - 2 * (place.dot(mirror_.normal) - mirror_.offset) * mirror_.normal;
    return (image - skeleton_.position(b)).norm();
  }

  // Pairs joints that `fits`: each with the nearest to its mirror image. Before there is a plane, the first counts.
  template <typename Fits>
  void pair(Fits fits) {
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (!is_free(joint)) continue;
      int found = -1;
      double nearest = std::numeric_limits<double>::infinity();
      for (int other = 0; other < skeleton_.joint_count(); ++other) {
        if (other == joint || !is_free(other) || !fits(joint, other)) continue;
        const double away = has_plane_ ? distance_to_image(joint, other) : 0.0;
        if (away >= nearest) continue;
        nearest = away;
        found = other;
      }
      if (found < 0) continue;
      mirror_.joints[joint] = found;
      mirror_.joints[found] = joint;
    }
    if (!has_plane_) place_plane();
  }

  void place_plane() {
    Vec3d across = Vec3d::Zero(), middle = Vec3d::Zero();
    int pairs = 0;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      const int other = mirror_.joints[joint];
      if (other < 0 || other == joint || side_of(joint) != BodySide::left) continue;
      across += skeleton_.position(joint) - skeleton_.position(other);
      middle += 0.5 * (skeleton_.position(joint) + skeleton_.position(other));
      ++pairs;
    }
    if (pairs == 0 || !(across.norm() > 0)) return;
    mirror_.normal = across.normalized();
    mirror_.offset = mirror_.normal.dot(middle / pairs);
    has_plane_ = true;
  }

  const Skeleton& skeleton_;
  std::vector<JointIdentity> joints_;
  std::vector<NameWords> names_;
  double size_ = 0;
  bool has_plane_ = false;
  JointMirror mirror_;
};

}  // namespace

JointMirror mirror_joints(const Skeleton& skeleton) { return MirrorFinder(skeleton).run(); }

}  // namespace sinew
