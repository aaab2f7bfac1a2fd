#include "sinew/fit/place_joints.h"

#include <algorithm>
#include <cmath>

#include "sinew/anatomy/bones.h"
#include "sinew/base/rotation.h"

namespace sinew {
namespace {

Mat3d columns(const BodyFrame& frame) {
  Mat3d result;
  result << frame.left, frame.up, frame.forward;
  return result;
}

class JointPlacer {
 public:
  JointPlacer(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, const BodyShape& shape,
              const std::vector<HeldJoint>& held)
      : skeleton_(skeleton),
        joints_(joints),
        shape_(shape),
        children_(children_of(skeleton)),
        alignment_(columns(shape.frame) * columns(body_frame(skeleton, joints)).transpose()),
        placed_(skeleton.names.size(), 0),
        held_(skeleton.names.size(), 0) {
    result_.skeleton = skeleton;
    result_.confidence.assign(skeleton.names.size(), 0.3);
    scale_ = overall_scale();
    for (const HeldJoint& joint : held) {
      put(joint.joint, joint.position, 1.0);
      held_[joint.joint] = 1;
    }
  }

  Placement run() {
    place_trunk();
    for (int side = 0; side < 2; ++side) {
      const BodySide body_side = side == 0 ? BodySide::left : BodySide::right;
      if (shape_.on_all_fours) {
        place_along(chain({JointRole::thigh, JointRole::shin, JointRole::foot, JointRole::toe}, body_side),
                    shape_.legs[side], shape_.limb_confidence[side]);
        place_along(
            chain({JointRole::upper_arm, JointRole::forearm, JointRole::hand, JointRole::middle_finger}, body_side),
            shape_.arms[side], shape_.limb_confidence[2 + side]);
      } else {
        const auto& leg = shape_.leg_joints[side];
        const auto& sure = shape_.leg_confidence[side];
        place_between(JointRole::thigh, body_side, leg[0], leg[1], sure[0]);
        place_between(JointRole::shin, body_side, leg[1], leg[2], sure[1]);
        place_between(JointRole::foot, body_side, leg[2], leg[3], sure[2]);
        place_between(JointRole::toe, body_side, leg[3], leg[4], sure[3]);
        const auto& arm = shape_.arm_joints[side];
        const auto& sure_arm = shape_.arm_confidence[side];
        place_between(JointRole::upper_arm, body_side, arm[0], arm[1], sure_arm[0]);
        place_between(JointRole::forearm, body_side, arm[1], arm[2], sure_arm[1]);
        place_between(JointRole::hand, body_side, arm[2], arm[3], sure_arm[2]);
      }
      place_clavicles(body_side, side);
    }
    place_tail();
    carry_others();
    return std::move(result_);
  }

 private:
  Vec3d old_position(int joint) const { return skeleton_.position(joint); }
  Vec3d new_position(int joint) const { return result_.skeleton.position(joint); }

  void put(int joint, const Vec3d& place, double confidence) {
    if (held_[joint]) return;
    result_.skeleton.rest[joint].translation() = place;
    result_.confidence[joint] = confidence;
    placed_[joint] = 1;
  }

  // Joints of a role and side along one line of the hierarchy, end markers left out.
  std::vector<int> line_of(JointRole role, BodySide side) const {
    std::vector<int> line;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (joints_[joint].role != role || joints_[joint].side != side) continue;
      if (skeleton_.kinds[joint] != JointKind::joint) continue;
      bool below = line.empty();
      for (int up = skeleton_.parents[joint]; up >= 0 && !below; up = skeleton_.parents[up]) below = up == line.back();
      if (below) line.push_back(joint);
    }
    return line;
  }

  std::vector<int> chain(const std::vector<JointRole>& roles, BodySide side) const {
    std::vector<int> result;
    for (const JointRole role : roles) {
      for (int joint : line_of(role, side)) result.push_back(joint);
    }
    return result;
  }

  // Ratio of the mesh's size to the skeleton's: by the legs.
  double overall_scale() const {
    double own = 0, wanted = 0;
    for (int side = 0; side < 2; ++side) {
      const std::vector<int> leg =
          chain({JointRole::thigh, JointRole::shin, JointRole::foot}, side == 0 ? BodySide::left : BodySide::right);
      for (std::size_t i = 1; i < leg.size(); ++i) own += (old_position(leg[i]) - old_position(leg[i - 1])).norm();
      wanted += shape_.on_all_fours ? 0.85 * shape_.legs[side].length()
                                    : (shape_.leg_joints[side][2] - shape_.leg_joints[side][1]).norm() +
                                          (shape_.leg_joints[side][1] - shape_.leg_joints[side][0]).norm();
    }
    return own > 0 ? wanted / own : 1.0;
  }

  // The first joint of a part at `from`; more joints of the same part on the way to `to`, as far along as they were.
  void place_between(JointRole role, BodySide side, const Vec3d& from, const Vec3d& to, double confidence) {
    const std::vector<int> line = line_of(role, side);
    if (line.empty()) return;
    double whole = 0;
    for (int child : children_[line.back()]) {
      whole = std::max(whole, (old_position(child) - old_position(line.front())).norm());
    }
    for (int joint : line) {
      const double along = (old_position(joint) - old_position(line.front())).norm();
      put(joint, whole > 0 ? Vec3d(from + std::min(along / whole, 0.95) * (to - from)) : from, confidence);
    }
  }

  // A chain keeps its own proportions along a curve.
  void place_along(const std::vector<int>& line, const LimbCurve& curve, double confidence) {
    if (line.empty() || curve.points.empty()) return;
    std::vector<double> along{0.0};
    for (std::size_t i = 1; i < line.size(); ++i) {
      along.push_back(along.back() + (old_position(line[i]) - old_position(line[i - 1])).norm());
    }
    // Beyond the last joint goes what hangs on it: end markers, claws.
    double beyond = 0;
    for (int child : children_[line.back()]) {
      beyond = std::max(beyond, (old_position(child) - old_position(line.back())).norm());
    }
    if (beyond <= 0) beyond = 0.12 * along.back();
    const double whole = along.back() + beyond;
    for (std::size_t i = 0; i < line.size(); ++i) put(line[i], curve.at(whole > 0 ? along[i] / whole : 0), confidence);
  }

  void place_trunk() {
    std::vector<int> spine = line_of(JointRole::hips, BodySide::centre);
    const std::vector<int> back = line_of(JointRole::spine, BodySide::centre);
    const std::vector<int> chest = line_of(JointRole::chest, BodySide::centre);
    if (spine.size() > 1) spine.resize(1);
    spine.insert(spine.end(), back.begin(), back.end());
    spine.insert(spine.end(), chest.begin(), chest.end());
    std::vector<int> neck = line_of(JointRole::neck, BodySide::centre);
    const std::vector<int> head = line_of(JointRole::head, BodySide::centre);
    neck.insert(neck.end(), head.begin(), head.end());
    std::stable_sort(spine.begin(), spine.end());
    const int end = neck.empty() ? -1 : neck.front();
    std::vector<double> along{0.0};
    for (std::size_t i = 1; i < spine.size(); ++i) {
      along.push_back(along.back() + (old_position(spine[i]) - old_position(spine[i - 1])).norm());
    }
    if (!spine.empty()) {
      double whole = along.back();
      if (end >= 0) whole += (old_position(end) - old_position(spine.back())).norm();
      if (end < 0) whole *= 1.25;
      for (std::size_t i = 0; i < spine.size(); ++i) {
        put(spine[i], shape_.trunk.at(whole > 0 ? along[i] / whole : 0), shape_.trunk_confidence);
      }
    }
    if (shape_.on_all_fours) {
      place_animal_head(neck);
      return;
    }
    // Neck joints below the skull, the head at it.
    const std::size_t necks = neck.size() - std::min(neck.size(), head.size());
    for (std::size_t i = 0; i < neck.size(); ++i) {
      const double t = necks > 0 ? std::min(1.0, static_cast<double>(i) / static_cast<double>(necks)) : 1.0;
      put(neck[i], (1 - t) * shape_.head.points[0] + t * shape_.head.points[1], shape_.trunk_confidence);
    }
  }

  // An animal's head joint stands at the skull, with the muzzle before it; its neck keeps its proportions up to there.
  void place_animal_head(const std::vector<int>& neck) {
    if (neck.empty() || shape_.head.points.empty()) return;
    std::vector<double> along{0.0};
    for (std::size_t i = 1; i < neck.size(); ++i) {
      along.push_back(along.back() + (old_position(neck[i]) - old_position(neck[i - 1])).norm());
    }
    double skull = 0.45;
    for (int child : children_[neck.back()]) {
      if (skeleton_.kinds[child] != JointKind::end) continue;
      const double muzzle = (old_position(child) - old_position(neck.back())).norm();
      if (muzzle > 0) skull = std::clamp(along.back() / (along.back() + muzzle), 0.3, 0.75);
    }
    for (std::size_t i = 0; i < neck.size(); ++i) {
      put(neck[i], shape_.head.at(skull * (along.back() > 0 ? along[i] / along.back() : 1.0)), 0.6);
    }
  }

  // Clavicles lie between the trunk and the shoulder, as far out as they were.
  void place_clavicles(BodySide side, int index) {
    const std::vector<int> upper = line_of(JointRole::upper_arm, side);
    const std::vector<int> line = line_of(JointRole::clavicle, side);
    if (upper.empty() || line.empty()) return;
    const Vec3d shoulder = new_position(upper.front());
    const BodyFrame own = body_frame(skeleton_, joints_);
    const std::vector<int> other =
        line_of(JointRole::upper_arm, side == BodySide::left ? BodySide::right : BodySide::left);
    if (other.empty()) return;
    const Vec3d middle = 0.5 * (old_position(upper.front()) + old_position(other.front()));
    const double width = (old_position(upper.front()) - middle).dot(own.left);
    Vec3d root = shoulder - (shoulder - shape_.middle).dot(shape_.frame.left) * shape_.frame.left;
    for (int joint : line) {
      const double share =
          width != 0 ? std::clamp((old_position(joint) - middle).dot(own.left) / width, 0.05, 0.9) : 0.3;
      const double lower = (old_position(upper.front()) - old_position(joint)).dot(own.up) * scale_;
      put(joint, root + share * (shoulder - root) - std::clamp(lower, 0.0, 0.05 * shape_.height) * shape_.frame.up,
          0.8 * shape_.limb_confidence[2 + index]);
    }
  }

  void place_tail() {
    if (shape_.tail.points.empty()) return;
    place_along(line_of(JointRole::tail, BodySide::centre), shape_.tail, 0.6);
  }

  // What a joint's own bone does to things that hang on it: turned and scaled like it.
  struct Carriage {
    Mat3d turn;
    double scale;
  };

  Carriage carriage_of(int joint) const {
    Carriage carriage{alignment_, scale_};
    for (int up = joint; up >= 0; up = skeleton_.parents[up]) {
      Vec3d before, after;
      if (!placed_bone(up, before, after)) continue;
      carriage.scale = std::clamp(after.norm() / before.norm(), 0.4 * scale_, 2.5 * scale_);
      carriage.turn = rotation_between(alignment_ * before, after).toRotationMatrix() * alignment_;
      return carriage;
    }
    return carriage;
  }

  // The bone of a placed joint before and after: to its furthest placed child, or to the tip of the hand or head.
  bool placed_bone(int joint, Vec3d& before, Vec3d& after) const {
    if (!placed_[joint]) return false;
    const JointRole role = joints_[joint].role;
    if (!shape_.on_all_fours && (role == JointRole::hand || role == JointRole::head)) {
      const int side = joints_[joint].side == BodySide::right ? 1 : 0;
      const Vec3d tip = role == JointRole::hand ? shape_.arm_joints[side][3] : shape_.head.points[2];
      before = reach_below(joint);
      after = tip - new_position(joint);
      return before.norm() > 0 && after.norm() > 0;
    }
    for (int child : children_[joint]) {
      if (!placed_[child]) continue;
      before = old_position(child) - old_position(joint);
      after = new_position(child) - new_position(joint);
      if (before.norm() > 0 && after.norm() > 0) return true;
    }
    return false;
  }

  // From a joint to the furthest joint below it.
  Vec3d reach_below(int joint) const {
    Vec3d furthest = Vec3d::Zero();
    std::vector<int> stack{joint};
    while (!stack.empty()) {
      const int j = stack.back();
      stack.pop_back();
      const Vec3d away = old_position(j) - old_position(joint);
      if (away.norm() > furthest.norm()) furthest = away;
      stack.insert(stack.end(), children_[j].begin(), children_[j].end());
    }
    return furthest;
  }

  void carry_others() {
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      if (placed_[joint]) continue;
      const int parent = skeleton_.parents[joint];
      if (parent < 0 || joints_[joint].role == JointRole::root) {
        result_.skeleton.rest[joint].translation() = place_of_root(joint);
        result_.confidence[joint] = 0.5;
        continue;
      }
      const Carriage carriage = carriage_of(parent);
      const Vec3d offset = carriage.scale * (carriage.turn * (old_position(joint) - old_position(parent)));
      result_.skeleton.rest[joint].translation() = new_position(parent) + offset;
      result_.confidence[joint] = 0.5 * result_.confidence[parent];
    }
  }

  // Roots that stood on the ground stand there, under the body; others where they stood beside the hips.
  Vec3d place_of_root(int joint) const {
    const std::vector<int> hips = line_of(JointRole::hips, BodySide::centre);
    if (hips.empty()) return joints_[joint].role == JointRole::root ? shape_.middle : shape_.trunk.at(0);
    const Vec3d up = body_frame(skeleton_, joints_).up;
    double ground = old_position(hips[0]).dot(up);
    for (int other = 0; other < skeleton_.joint_count(); ++other) {
      const JointRole role = joints_[other].role;
      if (role == JointRole::foot || role == JointRole::toe) ground = std::min(ground, old_position(other).dot(up));
    }
    const Vec3d from_hips = old_position(joint) - old_position(hips[0]);
    const double hip_height = old_position(hips[0]).dot(up) - ground;
    if (from_hips.dot(up) < -0.7 * hip_height) return shape_.middle;
    return new_position(hips[0]) + scale_ * (alignment_ * from_hips);
  }

  const Skeleton& skeleton_;
  const std::vector<JointIdentity>& joints_;
  const BodyShape& shape_;
  std::vector<std::vector<int>> children_;
  Mat3d alignment_;
  double scale_ = 1;
  Placement result_;
  std::vector<char> placed_, held_;
};

}  // namespace

Placement place_joints(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, const BodyShape& shape,
                       const std::vector<HeldJoint>& held) {
  return JointPlacer(skeleton, joints, shape, held).run();
}

void turn_joints(const Skeleton& original, const std::vector<JointIdentity>& joints, const BodyShape& shape,
                 Skeleton& fitted) {
  turn_joints(original, columns(shape.frame) * columns(body_frame(original, joints)).transpose(), fitted);
}

void turn_joints(const Skeleton& original, const Mat3d& alignment, Skeleton& fitted) {
  std::vector<Vec3d> before(original.names.size(), Vec3d::Zero()), after = before;
  const std::vector<Bone> old_bones = bones_of(original);
  const std::vector<std::vector<int>> children = children_of(original);
  for (const Bone& bone : old_bones) {
    // The child at which the bone ends, if it ends at one.
    for (int child : children[bone.joint]) {
      if ((original.position(child) - bone.tail).norm() > 1e-6 * bone.length()) continue;
      before[bone.joint] = alignment * (original.position(child) - original.position(bone.joint));
      after[bone.joint] = fitted.position(child) - fitted.position(bone.joint);
      break;
    }
  }
  std::vector<Quatd> turn(original.names.size(), Quatd::Identity());
  for (int joint = 0; joint < original.joint_count(); ++joint) {
    const int parent = original.parents[joint];
    if (parent >= 0) turn[joint] = turn[parent];
    if (before[joint].norm() > 0 && after[joint].norm() > 0)
      turn[joint] = rotation_between(before[joint], after[joint]);
    const Mat3d own = Transform::from_matrix(original.rest[joint]).rotation.toRotationMatrix();
    fitted.rest[joint].linear() = turn[joint].toRotationMatrix() * alignment * own;
  }
}

}  // namespace sinew
