#include "sinew/weights/bones.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/anatomy/joint_roles.h"
#include "sinew/asset/joint_names.h"
#include "sinew/mesh/edges.h"
#include "sinew/mesh/solid_domain.h"

namespace sinew {
namespace {

constexpr double negligible_length = 1e-4;  // of the mesh's diagonal: below it a bone has no direction
constexpr double reach_to_surface = 0.8;    // how far a leaf bone without a marker goes
constexpr double soup_share = 0.3;          // of the sides of triangles that no other touches: with more it is a soup
constexpr double shortest_leaf = 0.03;      // of its parent's bone: a shorter last bone is only a tip

// The six axes and eight diagonals, turned a little so that they miss the symmetry planes of modelled characters.
const std::array<Vec3d, 14>& probe_directions() {
  static const std::array<Vec3d, 14> directions = [] {
    std::array<Vec3d, 14> list;
    const Mat3d turn = Eigen::AngleAxisd(0.3, Vec3d(0.36, 0.48, 0.8)).toRotationMatrix();
    int n = 0;
    for (int axis = 0; axis < 3; ++axis) {
      for (double sign : {-1.0, 1.0}) list[n++] = turn * (sign * Vec3d::Unit(axis));
    }
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3d diagonal(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
      list[n++] = turn * diagonal.normalized();
    }
    return list;
  }();
  return directions;
}

bool is_soup(const std::vector<Triangle>& triangles) {
  // An edge between two triangles is counted once and has two sides; an open one has one.
  const double sides = 3.0 * static_cast<double>(triangles.size());
  return 2.0 * static_cast<double>(unique_edges(triangles).size()) - sides > soup_share * sides;
}

using Children = std::vector<std::vector<int>>;

// IK targets, pole vectors, places for weapons.
bool is_control_name(const std::string& name) {
  const JointRole role = identify_name(name).role;
  return role == JointRole::control || role == JointRole::prop;
}

// "HeadTop_End", "Bip01 HeadNub"; and "LeftHandIndex4": the fourth joint of a finger marks its tip.
bool is_end_name(const std::string& name) {
  return names_bone_end(name) || (name.ends_with('4') && is_finger(identify_name(name).role));
}

// The nearest descendants of `joint` that are in `chosen`, looking through joints that are not.
void chosen_descendants(const Children& children, const std::vector<char>& chosen, int joint, std::vector<int>& found) {
  for (int child : children[joint]) {
    if (chosen[child]) {
      found.push_back(child);
    } else {
      chosen_descendants(children, chosen, child, found);
    }
  }
}

int chosen_ancestor(const Skeleton& skeleton, const std::vector<char>& chosen, int joint) {
  int parent = skeleton.parents[joint];
  while (parent >= 0 && !chosen[parent]) parent = skeleton.parents[parent];
  return parent;
}

// The local axis (±x, ±y, ±z) along which most single-child joints hold their child, or zero when there is none.
Vec3d bone_axis(const Skeleton& skeleton, const Children& children, double negligible) {
  std::array<int, 6> votes{};
  int voters = 0;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (children[j].size() != 1) continue;
    const Vec3d offset = skeleton.position(children[j][0]) - skeleton.position(j);
    if (offset.norm() <= negligible) continue;
    const Vec3d local = (skeleton.rest[j].linear().inverse() * offset).normalized();
    ++voters;
    int axis = 0;
    if (local.cwiseAbs().maxCoeff(&axis) > 0.95) ++votes[2 * axis + (local[axis] < 0)];
  }
  const auto best = std::max_element(votes.begin(), votes.end());
  if (voters < 3 || *best * 10 < voters * 6) return Vec3d::Zero();
  const auto index = best - votes.begin();
  return (index % 2 ? -1.0 : 1.0) * Vec3d::Unit(index / 2);
}

// Which way the bone of a joint without children points.
Vec3d leaf_direction(const Skeleton& skeleton, int joint, int parent, const Vec3d& axis, double negligible) {
  if (axis != Vec3d::Zero()) {
    const Vec3d direction = skeleton.rest[joint].linear() * axis;
    if (direction.norm() > 0) return direction.normalized();
  }
  for (int ancestor = parent; ancestor >= 0; ancestor = skeleton.parents[ancestor]) {
    const Vec3d offset = skeleton.position(joint) - skeleton.position(ancestor);
    if (offset.norm() > negligible) return offset.normalized();
  }
  return Vec3d::UnitY();
}

// Tails of a joint none of whose descendants takes weight.
class LeafTails {
 public:
  LeafTails(const Skeleton& skeleton, const Surroundings& surroundings)
      : skeleton_(skeleton),
        surroundings_(surroundings),
        children_(children_of(skeleton)),
        negligible_(negligible_length * surroundings.diagonal()),
        axis_(bone_axis(skeleton, children_, negligible_)) {}

  Vec3d tail(int joint, const std::vector<char>& chosen) const {
    const Vec3d head = skeleton_.position(joint);
    const int marker = end_marker(joint);
    if (marker >= 0) return skeleton_.position(marker);
    const int parent = chosen_ancestor(skeleton_, chosen, joint);
    const Vec3d direction = leaf_direction(skeleton_, joint, parent, axis_, negligible_);
    const double parent_length = parent >= 0 ? (head - skeleton_.position(parent)).norm() : 0.0;
    double length = reach_to_surface * surroundings_.distance_along(head, direction);
    if (!(length > 0)) length = 0.5 * parent_length;
    // A twist joint beside the next joint of the limb does not reach beyond it.
    if (parent >= 0) {
      for (int sibling : children_[skeleton_.parents[joint] >= 0 ? skeleton_.parents[joint] : joint]) {
        const Vec3d ahead = skeleton_.position(sibling) - head;
        const double along = ahead.dot(direction);
        if (sibling != joint && chosen[sibling] && along > negligible_ && along > 0.9 * ahead.norm()) {
          length = std::min(length, along);
        }
      }
    }
    return head + length * direction;
  }

 private:
  // The farthest child that marks where the bone ends: an end site, or anything below it that lies in the mesh.
  int end_marker(int joint) const {
    int best = -1;
    double best_length = negligible_;
    for (int child : children_[joint]) {
      const double length = (skeleton_.position(child) - skeleton_.position(joint)).norm();
      const bool usable = skeleton_.kinds[child] == JointKind::end || is_end_name(skeleton_.names[child]) ||
                          surroundings_.encloses(skeleton_.position(child));
      if (usable && length > best_length) {
        best = child;
        best_length = length;
      }
    }
    return best;
  }

  const Skeleton& skeleton_;
  const Surroundings& surroundings_;
  Children children_;
  double negligible_;
  Vec3d axis_;
};

// The rules of bones.h, one function each; all of them only take joints away.
class JointChooser {
 public:
  JointChooser(const Skeleton& skeleton, const Surroundings& surroundings)
      : skeleton_(skeleton),
        surroundings_(surroundings),
        children_(children_of(skeleton)),
        chosen_(skeleton.joint_count(), 0),
        enclosed_(skeleton.joint_count(), 0),
        negligible_(negligible_length * surroundings.diagonal()) {
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      chosen_[j] = skeleton.kinds[j] == JointKind::joint;
      enclosed_[j] = surroundings.encloses(skeleton.position(j));
    }
  }

  const std::vector<int>& outside() const { return outside_; }

  std::vector<char> choose() {
    drop_end_markers();
    drop_controls();
    drop_outside();
    drop_carrying_roots();
    drop_what_is_beside_the_body();
    drop_tips();
    drop_without_length();
    return chosen_;
  }

 private:
  bool is_leaf(int joint) const {
    std::vector<int> found;
    chosen_descendants(children_, chosen_, joint, found);
    return found.empty();
  }

  void drop_end_markers() {
    for (int j = skeleton_.joint_count() - 1; j >= 0; --j) {
      if (chosen_[j] && is_leaf(j) && is_end_name(skeleton_.names[j])) chosen_[j] = 0;
    }
  }

  // A control that carries a real joint inside the mesh does drive a bone.
  void drop_controls() {
    for (int j = skeleton_.joint_count() - 1; j >= 0; --j) {
      if (!chosen_[j] || !is_control_name(skeleton_.names[j])) continue;
      const bool carries = std::any_of(children_[j].begin(), children_[j].end(), [&](int child) {
        return chosen_[child] && enclosed_[child] && !is_control_name(skeleton_.names[child]);
      });
      if (!carries || !near(j)) chosen_[j] = 0;
    }
  }

  bool near(int joint) const {
    return enclosed_[joint] || surroundings_.distance(skeleton_.position(joint)) < 0.01 * surroundings_.diagonal();
  }

  // Joints that neither lie in the mesh nor have a bone that does.
  void drop_outside() {
    for (int j = skeleton_.joint_count() - 1; j >= 0; --j) {
      if (!chosen_[j] || near(j)) continue;
      bool reaches_in = false;
      std::vector<int> ends;
      chosen_descendants(children_, chosen_, j, ends);
      for (int end : ends) {
        const Vec3d middle = 0.5 * (skeleton_.position(j) + skeleton_.position(end));
        reaches_in = reaches_in || surroundings_.encloses(middle);
      }
      if (reaches_in) continue;
      chosen_[j] = 0;
      outside_.push_back(j);
    }
  }

  // "root" on the floor between the feet: at the top, outside, with the real skeleton below it.
  void drop_carrying_roots() {
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (chosen_[j] && chosen_ancestor(skeleton_, chosen_, j) < 0 && !enclosed_[j] && !is_leaf(j)) chosen_[j] = 0;
    }
  }

  // Where there are hips: a root that only carries them, and trees of their own that hold nothing of a body. They stay
  // behind when the body moves.
  void drop_what_is_beside_the_body() {
    const std::vector<JointIdentity> parts = identify_joints(skeleton_);
    const auto is_hips = [&](int j) { return parts[j].role == JointRole::hips && chosen_[j]; };
    int hips = 0;
    while (hips < skeleton_.joint_count() && !is_hips(hips)) ++hips;
    if (hips == skeleton_.joint_count()) return;
    std::vector<char> holds_body(chosen_.size(), 0);
    std::vector<int> top(chosen_.size(), 0);
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      const int parent = skeleton_.parents[j];
      const bool first = parent < 0 || skeleton_.kinds[parent] == JointKind::helper;
      top[j] = first ? j : top[parent];
      const JointRole role = parts[j].role;
      if (role != JointRole::unknown && role != JointRole::control && role != JointRole::prop) holds_body[top[j]] = 1;
    }
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (!chosen_[j]) continue;
      if (!holds_body[top[j]]) chosen_[j] = 0;
      if (parts[j].role != JointRole::root || j == hips || !hangs_on(skeleton_.parents, hips, j)) continue;
      std::vector<int> below;
      chosen_descendants(children_, chosen_, j, below);
      const bool carries_hips_alone = std::all_of(below.begin(), below.end(), [&](int child) {
        return hangs_on(skeleton_.parents, hips, child) || hangs_on(skeleton_.parents, child, hips);
      });
      if (carries_hips_alone) chosen_[j] = 0;
    }
  }

  // A last joint so close to the surface that its own bone would be negligible beside its parent's.
  void drop_tips() {
    const LeafTails tails(skeleton_, surroundings_);
    std::vector<int> tips;
    for (int j = 0; j < skeleton_.joint_count(); ++j) {
      if (!chosen_[j] || !is_leaf(j)) continue;
      const int parent = chosen_ancestor(skeleton_, chosen_, j);
      if (parent < 0) continue;
      std::vector<int> siblings;
      chosen_descendants(children_, chosen_, parent, siblings);
      const double parent_length = (skeleton_.position(j) - skeleton_.position(parent)).norm();
      const double own_length = (tails.tail(j, chosen_) - skeleton_.position(j)).norm();
      if (siblings.size() == 1 && own_length < shortest_leaf * parent_length) tips.push_back(j);
    }
    for (int tip : tips) chosen_[tip] = 0;
  }

  // A joint at the very place of its only continuation drives nothing of its own.
  void drop_without_length() {
    for (int j = skeleton_.joint_count() - 1; j >= 0; --j) {
      if (!chosen_[j]) continue;
      std::vector<int> ends;
      chosen_descendants(children_, chosen_, j, ends);
      if (ends.empty()) continue;
      const bool has_length = std::any_of(ends.begin(), ends.end(), [&](int end) {
        return (skeleton_.position(end) - skeleton_.position(j)).norm() > negligible_;
      });
      if (!has_length) chosen_[j] = 0;
    }
  }

  const Skeleton& skeleton_;
  const Surroundings& surroundings_;
  Children children_;
  std::vector<char> chosen_, enclosed_;
  std::vector<int> outside_;
  double negligible_;
};

}  // namespace

Surroundings::Surroundings(const std::vector<Vec3f>& positions, const std::vector<Triangle>& triangles)
    : scene_(positions, triangles), has_surface_(!triangles.empty()) {
  for (const Vec3f& p : positions) box_.extend(p.cast<double>());
  if (!has_surface_) cloud_ = positions;
  if (!is_soup(triangles) || !(diagonal() > 0.0)) return;
  TriangleMesh mesh;
  mesh.positions = positions;
  mesh.triangles = triangles;
  soup_ = std::make_unique<SolidDomain>(mesh);
}
Surroundings::~Surroundings() = default;

bool Surroundings::encloses(const Vec3d& point) const {
  if (!box_.contains(point)) return false;
  if (!has_surface_) return true;
  int hits = 0;
  for (const Vec3d& direction : probe_directions()) {
    RayHit hit;
    hits += scene_.intersect(point.cast<float>(), direction.cast<float>(), hit);
  }
  return hits >= 12 || (soup_ && soup_->contains(point.cast<float>()));
}

double Surroundings::distance_along(const Vec3d& point, const Vec3d& direction) const {
  RayHit hit;
  if (!has_surface_ || !scene_.intersect(point.cast<float>(), direction.cast<float>(), hit)) return 0.0;
  return hit.distance;
}

double Surroundings::distance(const Vec3d& point) const {
  if (has_surface_) {
    ClosestPoint closest;
    return scene_.closest_point(point.cast<float>(), closest) ? closest.distance : 0.0;
  }
  double best = std::numeric_limits<double>::infinity();
  for (const Vec3f& p : cloud_) best = std::min(best, (p.cast<double>() - point).squaredNorm());
  return std::sqrt(best);
}

std::vector<Bone> bones_of(const Skeleton& skeleton, const std::vector<char>& takes_weight,
                           const Surroundings& surroundings) {
  const Children children = children_of(skeleton);
  const LeafTails tails(skeleton, surroundings);
  const double negligible = negligible_length * surroundings.diagonal();
  std::vector<Bone> bones;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (!takes_weight[j]) continue;
    const Vec3d head = skeleton.position(j);
    std::vector<int> ends;
    chosen_descendants(children, takes_weight, j, ends);
    const std::size_t before = bones.size();
    for (int end : ends) {
      const Vec3d tail = skeleton.position(end);
      if ((tail - head).norm() > negligible) bones.push_back({j, head, tail});
    }
    if (bones.size() > before) continue;
    bones.push_back({j, head, ends.empty() ? tails.tail(j, takes_weight) : head});
  }
  return bones;
}

BoneChoice choose_bones(const Skeleton& skeleton, const Surroundings& surroundings) {
  BoneChoice choice;
  JointChooser chooser(skeleton, surroundings);
  choice.takes_weight = chooser.choose();
  choice.outside = chooser.outside();
  choice.bones = bones_of(skeleton, choice.takes_weight, surroundings);
  return choice;
}

}  // namespace sinew
