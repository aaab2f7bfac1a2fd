#include "sinew/anatomy/convention_axes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/anatomy/bones.h"
#include "sinew/anatomy/joint_limits.h"

namespace sinew {
namespace {

enum Axis : int { x_axis = 0, y_axis = 1, z_axis = 2 };

// The right-handed frame whose `first` axis lies along `direction` and whose `second` is as near to `hint` as can be.
std::optional<Mat3d> frame_of(Axis first, const Vec3d& direction, Axis second, const Vec3d& hint) {
  const double length = direction.norm();
  if (!(length > 0)) return std::nullopt;
  const Vec3d along = direction / length;
  const Vec3d across = hint - hint.dot(along) * along;
  if (!(across.norm() > 1e-6 * hint.norm())) return std::nullopt;
  Mat3d axes;
  axes.col(first) = along;
  axes.col(second) = across.normalized();
  const int third = 3 - first - second;
  const bool cyclic = second == (first + 1) % 3;
  axes.col(third) = cyclic ? axes.col(first).cross(axes.col(second)) : axes.col(second).cross(axes.col(first));
  return axes;
}

bool is_torso(JointRole role) {
  return role == JointRole::hips || role == JointRole::spine || role == JointRole::neck || role == JointRole::head;
}

bool is_leg(JointRole role) { return role == JointRole::thigh || role == JointRole::shin; }

class AxesFinder {
 public:
  AxesFinder(const Skeleton& skeleton, const std::vector<JointIdentity>& joints)
      : skeleton_(skeleton), places_(body_places(skeleton, joints)), body_(body_frame(skeleton, joints)) {
    find_directions();
    find_palms();
  }

  std::vector<std::optional<Mat3d>> run(NameConvention convention) const {
    std::vector<std::optional<Mat3d>> axes(places_.size());
    for (std::size_t joint = 0; joint < axes.size(); ++joint) {
      axes[joint] = convention == NameConvention::mixamo ? mixamo(joint) : unreal(joint);
    }
    return axes;
  }

 private:
  // Towards the child that continues the body. A joint without one goes on like its parent; heads up, toes forward.
  void find_directions() {
    directions_.assign(places_.size(), Vec3d::Zero());
    std::vector<bool> ends(places_.size(), true);
    double size = 0;
    for (int joint = 0; joint < skeleton_.joint_count(); ++joint) {
      const int parent = skeleton_.parents[joint];
      if (parent < 0) continue;
      const double length = (skeleton_.position(joint) - skeleton_.position(parent)).norm();
      size = std::max(size, length);
      if (length > 1e-6 * size) ends[parent] = false;
    }
    for (const Bone& bone : bones_of(skeleton_)) {
      if (bone.length() > 0) directions_[bone.joint] = bone.direction();
    }
    for (std::size_t joint = 0; joint < places_.size(); ++joint) {
      const JointRole role = places_[joint].role;
      if (role == JointRole::hips || (role == JointRole::head && ends[joint])) {
        directions_[joint] = body_.up;
      } else if (ends[joint] && role == JointRole::toe) {
        directions_[joint] = body_.forward;
      } else if (ends[joint] && skeleton_.parents[joint] >= 0) {
        directions_[joint] = directions_[skeleton_.parents[joint]];
      }
    }
  }

  // Across the palm from the thumb's side to the little finger's. Hands without fingers hold the palm down.
  void find_palms() {
    for (const BodySide side : {BodySide::left, BodySide::right}) {
      Vec3d first = Vec3d::Zero(), last = Vec3d::Zero();
      JointRole first_finger = JointRole::unknown, last_finger = JointRole::unknown;
      for (std::size_t joint = 0; joint < places_.size(); ++joint) {
        const BodyPlace& place = places_[joint];
        if (!is_finger(place.role) || place.role == JointRole::thumb || place.side != side) continue;
        if (place.index != 0 || place.metacarpal) continue;
        const Vec3d position = skeleton_.position(static_cast<int>(joint));
        if (first_finger == JointRole::unknown || place.role < first_finger)
          first_finger = place.role, first = position;
        if (last_finger == JointRole::unknown || place.role > last_finger) last_finger = place.role, last = position;
      }
      palms_[side] = first_finger == last_finger ? Vec3d(-body_.forward) : Vec3d(last - first);
    }
  }

  // Which way the hand that carries a thumb points.
  Vec3d hand_direction(std::size_t joint) const {
    for (int up = static_cast<int>(joint); up >= 0; up = skeleton_.parents[up]) {
      if (places_[up].role == JointRole::hand) return directions_[up];
    }
    return directions_[joint];
  }

  std::optional<Mat3d> mixamo(std::size_t joint) const {
    const BodyPlace& place = places_[joint];
    const Vec3d& along = directions_[joint];
    const double side = place.side == BodySide::right ? -1.0 : 1.0;
    if (is_torso(place.role) || is_leg(place.role)) return frame_of(y_axis, along, z_axis, body_.forward);
    switch (place.role) {
      case JointRole::root:
        return frame_of(y_axis, body_.up, z_axis, body_.forward);
      case JointRole::clavicle:
      case JointRole::upper_arm:
      case JointRole::forearm:
        return frame_of(y_axis, along, x_axis, -side * body_.forward);
      case JointRole::foot:
      case JointRole::toe:
        return frame_of(y_axis, along, z_axis, body_.up);
      default:
        if (place.role != JointRole::hand && !is_finger(place.role)) return std::nullopt;
        return frame_of(y_axis, along, x_axis, side * palms_.at(place.side));
    }
  }

  std::optional<Mat3d> unreal(std::size_t joint) const {
    const BodyPlace& place = places_[joint];
    const Vec3d& along = directions_[joint];
    const double side = place.side == BodySide::right ? -1.0 : 1.0;
    if (is_torso(place.role)) return frame_of(x_axis, along, z_axis, -body_.left);
    if (is_leg(place.role)) return frame_of(x_axis, -side * along, z_axis, -body_.left);
    switch (place.role) {
      case JointRole::root:
        return frame_of(z_axis, body_.up, x_axis, body_.left);
      case JointRole::clavicle:
      case JointRole::upper_arm:
      case JointRole::forearm:
        return frame_of(x_axis, side * along, y_axis, -side * body_.forward);
      case JointRole::foot: {
        // Upright whatever the shape of the foot; a foot that points straight down has no front.
        const Vec3d level = along - along.dot(body_.up) * body_.up;
        const Vec3d& front = level.norm() > 0.1 ? level : body_.forward;
        return frame_of(y_axis, -side * front, x_axis, side * body_.up);
      }
      case JointRole::toe:
        return frame_of(x_axis, side * along, y_axis, side * body_.up);
      case JointRole::thumb:
        return frame_of(x_axis, side * along, z_axis, -palms_.at(place.side).cross(hand_direction(joint)));
      default:
        if (place.role != JointRole::hand && !is_finger(place.role)) return std::nullopt;
        return frame_of(x_axis, side * along, z_axis, side * palms_.at(place.side));
    }
  }

  const Skeleton& skeleton_;
  std::vector<BodyPlace> places_;
  BodyFrame body_;
  std::vector<Vec3d> directions_;
  std::map<BodySide, Vec3d> palms_;
};

}  // namespace

std::vector<std::optional<Mat3d>> convention_axes(const Skeleton& skeleton, const std::vector<JointIdentity>& joints,
                                                  NameConvention convention) {
  if (convention != NameConvention::mixamo && convention != NameConvention::unreal) {
    return std::vector<std::optional<Mat3d>>(skeleton.names.size());
  }
  return AxesFinder(skeleton, joints).run(convention);
}

}  // namespace sinew
