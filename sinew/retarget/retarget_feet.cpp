#include "sinew/retarget/retarget_feet.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/parallel.h"
#include "sinew/base/rotation.h"

namespace sinew {
namespace {

constexpr double finger = 0.03;        // arm lengths between the floor and a joint of a hand
constexpr double ease_seconds = 0.25;  // over which a foot leaves and finds its place

double smooth_step(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

// Values known at some frames, brought to zero in between within `window` frames, or straight over when two known
// frames are closer together.
void fill_between(std::vector<Vec3d>& values, const std::vector<char>& known, double window) {
  const int frames = static_cast<int>(values.size());
  std::vector<int> before(frames, -1), after(frames, -1);
  for (int f = 0; f < frames; ++f) before[f] = known[f] ? f : (f > 0 ? before[f - 1] : -1);
  for (int f = frames - 1; f >= 0; --f) after[f] = known[f] ? f : (f + 1 < frames ? after[f + 1] : -1);
  for (int f = 0; f < frames; ++f) {
    if (known[f]) continue;
    const int a = before[f], b = after[f];
    const double gap = a >= 0 && b >= 0 ? std::min<double>(window, b - a) : window;
    Vec3d value = Vec3d::Zero();
    if (a >= 0) value += (1 - smooth_step((f - a) / gap)) * values[a];
    if (b >= 0) value += (1 - smooth_step((b - f) / gap)) * values[b];
    values[f] = value;
  }
}

class FootPlanter {
 public:
  FootPlanter(const FeetInput& input, std::vector<Pose>& poses)
      : input_(input),
        poses_(poses),
        up_(input.frame.up),
        window_(ease_seconds * input.frames_per_second),
        floor_(floor_at_rest(input.skeleton, input.legs, input.frame.up)),
        positions_(joint_positions(input.skeleton, poses)) {}

  void run() {
    make_plans();
    const std::vector<double> rise = rising();
    for (std::size_t f = 0; f < poses_.size(); ++f) {
      if (rise[f] == 0) continue;
      move_carrier(input_.skeleton, input_.carrier, rise[f] * up_, poses_[f]);
      for (Vec3d& position : positions_[f]) position += rise[f] * up_;
    }
    make_plans();
    const std::vector<double> sink = sinking();
    parallel_for(poses_.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) pose_frame(f, sink[f]);
    });
  }

 private:
  struct Plan {
    std::vector<Vec3d> ankle;  // where the foot joint should be, per frame
    std::vector<Vec3d> turn;   // how the foot turns to get its toe into place, as a rotation vector
    std::vector<char> stands;
  };

  void make_plans() {
    plans_.clear();
    for (std::size_t leg = 0; leg < input_.legs.size(); ++leg) plans_.push_back(plan(static_cast<int>(leg)));
  }

  double rest_height(int joint) const { return input_.skeleton.position(joint).dot(up_); }
  Vec3d flat(const Vec3d& v) const { return v - v.dot(up_) * up_; }

  // The place of each contact of one leg: the mean of where the point would be, at its rest height. A toe that comes
  // down while the heel stands keeps the foot's length, and the other way round.
  std::vector<std::pair<FootContact, Vec3d>> places(int leg) const {
    std::vector<FootContact> own;
    for (const FootContact& contact : input_.contacts) {
      if (contact.leg == leg) own.push_back(contact);
    }
    std::stable_sort(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    const Leg& joints = input_.legs[leg];
    double sole = 0;
    if (joints.toe >= 0) {
      sole = flat(input_.skeleton.position(joints.toe) - input_.skeleton.position(joints.limb.end)).norm();
    }
    std::vector<std::pair<FootContact, Vec3d>> result;
    for (const FootContact& contact : own) {
      const int joint = contact.toe ? joints.toe : joints.limb.end;
      Vec3d place = Vec3d::Zero();
      for (int f = contact.begin; f < contact.end; ++f) place += positions_[f][joint] / (contact.end - contact.begin);
      const double height = contact.height >= 0 ? floor_ + contact.height : rest_height(joint);
      place = flat(place) + height * up_;
      for (auto other = result.rbegin(); other != result.rend(); ++other) {
        if (other->first.toe == contact.toe || other->first.end <= contact.begin) continue;
        const Vec3d away = flat(place - other->second);
        if (away.norm() > 0) place = flat(other->second) + sole * away.normalized() + rest_height(joint) * up_;
        break;
      }
      result.emplace_back(contact, place);
    }
    return result;
  }

  Plan plan(int leg) const {
    const std::size_t frames = poses_.size();
    const Leg& joints = input_.legs[leg];
    std::vector<const Vec3d*> ankle_place(frames, nullptr), toe_place(frames, nullptr);
    const auto pinned = places(leg);
    for (const auto& [contact, place] : pinned) {
      for (int f = contact.begin; f < contact.end; ++f) (contact.toe ? toe_place : ankle_place)[f] = &place;
    }
    Plan plan{std::vector<Vec3d>(frames, Vec3d::Zero()), std::vector<Vec3d>(frames, Vec3d::Zero()),
              std::vector<char>(frames, 0)};
    std::vector<char> both(frames, 0);
    for (std::size_t f = 0; f < frames; ++f) {
      plan.stands[f] = ankle_place[f] || toe_place[f];
      if (!ankle_place[f] || !toe_place[f]) continue;
      both[f] = 1;
      const Vec3d now = positions_[f][joints.toe] - positions_[f][joints.limb.end];
      const Vec3d wanted = *toe_place[f] - *ankle_place[f];
      if (now.norm() <= 0 || wanted.norm() <= 0) continue;
      const Eigen::AngleAxisd turn(rotation_between(now, wanted));
      plan.turn[f] = turn.angle() * turn.axis();
    }
    fill_between(plan.turn, both, window_);
    std::vector<Vec3d> shift(frames, Vec3d::Zero());
    for (std::size_t f = 0; f < frames; ++f) {
      const Vec3d ankle = positions_[f][joints.limb.end];
      if (ankle_place[f]) shift[f] = *ankle_place[f] - ankle;
      if (!ankle_place[f] && toe_place[f]) {
        shift[f] = *toe_place[f] - turned(plan.turn[f], positions_[f][joints.toe] - ankle) - ankle;
      }
    }
    fill_between(shift, plan.stands, window_);
    for (std::size_t f = 0; f < frames; ++f) {
      plan.ankle[f] = positions_[f][joints.limb.end] + shift[f];
      if (!plan.stands[f]) plan.ankle[f] += above_ground(f, joints, plan.ankle[f], plan.turn[f]) * up_;
    }
    return plan;
  }

  static Vec3d turned(const Vec3d& rotation, const Vec3d& v) {
    const double angle = rotation.norm();
    return angle > 0 ? Vec3d(Eigen::AngleAxisd(angle, rotation / angle) * v) : v;
  }

  // How much a swinging foot must be lifted so that neither ankle nor toe sinks below where it is at rest.
  double above_ground(std::size_t f, const Leg& joints, const Vec3d& ankle, const Vec3d& turn) const {
    if (joints.hand) return above_ground_by_hand(f, joints, ankle);
    double lift = std::max(0.0, rest_height(joints.limb.end) - ankle.dot(up_));
    if (joints.toe >= 0) {
      const Vec3d toe = ankle + turned(turn, positions_[f][joints.toe] - positions_[f][joints.limb.end]);
      lift = std::max(lift, rest_height(joints.toe) - toe.dot(up_));
    }
    // Feet far below the floor belong to a motion on stairs or in water, not to a foot that scrapes it.
    return lift < 0.15 * joints.length(input_.skeleton) ? lift : 0.0;
  }

  // The same for a hand and its fingers.
  double above_ground_by_hand(std::size_t f, const Leg& arm, const Vec3d& wrist) const {
    double lift = 0;
    for (int joint = arm.limb.end; joint < input_.skeleton.joint_count(); ++joint) {
      if (!hangs_on(input_.skeleton.parents, joint, arm.limb.end)) continue;
      const double height = (wrist + positions_[f][joint] - positions_[f][arm.limb.end]).dot(up_);
      lift = std::max(lift, floor_ + finger * arm.length(input_.skeleton) - height);
    }
    return lift < arm.length(input_.skeleton) ? lift : 0.0;
  }

  // How far the body must rise, or sink where negative, so that legs on the ground keep the bend that the motion gives
  // them: places on the ground are the target's own, the hips' height only scaled. Hands count where no foot stands.
  std::vector<double> rising() const {
    const int frames = static_cast<int>(poses_.size());
    std::vector<double> rise(frames, 0.0);
    std::vector<char> known(frames, 0);
    for (int f = 0; f < frames; ++f) {
      for (const bool hands : {false, true}) {
        double sum = 0;
        int count = 0;
        for (std::size_t l = 0; l < plans_.size(); ++l) {
          if (input_.legs[l].hand != hands || !plans_[l].stands[f]) continue;
          sum += rise_of_leg(f, l);
          ++count;
        }
        if (count == 0) continue;
        rise[f] = sum / count;
        known[f] = 1;
        break;
      }
      // In the air nothing may be below the floor.
      for (std::size_t l = 0; l < plans_.size() && !known[f]; ++l) {
        const Leg& leg = input_.legs[l];
        if (leg.hand) rise[f] = std::max(rise[f], above_ground_by_hand(f, leg, positions_[f][leg.limb.end]));
      }
      known[f] = known[f] || rise[f] > 0;
    }
    if (std::find(known.begin(), known.end(), 1) == known.end()) return rise;
    interpolate(rise, known);
    return smoothed(rise, std::max(1, static_cast<int>(0.3 * window_)));
  }

  double rise_of_leg(int f, std::size_t l) const {
    const Leg& leg = input_.legs[l];
    const double length = leg.length(input_.skeleton);
    const double bent = (positions_[f][leg.limb.root] - positions_[f][leg.limb.end]).norm();
    const Vec3d hip = positions_[f][leg.limb.root] - plans_[l].ankle[f];
    // A hip too far aside cannot keep the bend; where it hangs below the foot the foot does not carry it.
    const double upright = bent * bent - flat(hip).squaredNorm();
    if (upright <= 0.04 * bent * bent || hip.dot(up_) <= 0) return 0;
    return std::clamp(std::sqrt(upright) - hip.dot(up_), -0.25 * length, 0.25 * length);
  }

  // Between known values straight over, before the first and after the last as there.
  static void interpolate(std::vector<double>& values, const std::vector<char>& known) {
    const int frames = static_cast<int>(values.size());
    int before = -1;
    for (int f = 0; f < frames; ++f) {
      if (!known[f]) continue;
      for (int g = before + 1; g < f; ++g) {
        const double share = before < 0 ? 1.0 : static_cast<double>(g - before) / (f - before);
        values[g] = (1 - share) * values[std::max(before, 0)] + share * values[f];
      }
      before = f;
    }
    for (int g = before + 1; g < frames; ++g) values[g] = values[before];
  }

  static std::vector<double> smoothed(const std::vector<double>& values, int radius) {
    const int frames = static_cast<int>(values.size());
    std::vector<double> result(values.size(), 0.0);
    for (int f = 0; f < frames; ++f) {
      double sum = 0;
      for (int g = f - radius; g <= f + radius; ++g) sum += values[std::clamp(g, 0, frames - 1)];
      result[f] = sum / (2 * radius + 1);
    }
    return result;
  }

  // How far the body must sink in each frame so that standing feet are within reach, without jerks.
  std::vector<double> sinking() const {
    const int frames = static_cast<int>(poses_.size());
    std::vector<double> need(frames, 0.0);
    for (int f = 0; f < frames; ++f) {
      for (std::size_t l = 0; l < plans_.size(); ++l) {
        const Leg& leg = input_.legs[l];
        if (!plans_[l].stands[f] || leg.hand) continue;  // an arm that is too short is no reason to kneel
        const double reach = 0.9995 * leg.length(input_.skeleton);
        const Vec3d hip = positions_[f][leg.limb.root] - plans_[l].ankle[f];
        if (hip.norm() <= reach) continue;
        const double height = std::sqrt(std::max(0.0, reach * reach - flat(hip).squaredNorm()));
        need[f] = std::max(need[f], std::min(hip.dot(up_) - height, 0.3 * reach));
      }
    }
    // The largest need nearby, then a mean over the same width: never less than what is needed.
    const int radius = std::max(1, static_cast<int>(0.5 * window_));
    std::vector<double> widest(frames, 0.0);
    for (int f = 0; f < frames; ++f) {
      for (int g = std::max(0, f - radius); g <= std::min(frames - 1, f + radius); ++g) {
        widest[f] = std::max(widest[f], need[g]);
      }
    }
    return smoothed(widest, radius);
  }

  void pose_frame(std::size_t f, double sink) {
    Pose& pose = poses_[f];
    if (sink > 0) move_carrier(input_.skeleton, input_.carrier, -sink * up_, pose);
    for (std::size_t l = 0; l < plans_.size(); ++l) {
      const Leg& leg = input_.legs[l];
      const Vec3d& turn = plans_[l].turn[f];
      const Quatd end_turn(Eigen::AngleAxisd(turn.norm(), turn.norm() > 0 ? Vec3d(turn.normalized()) : up_));
      const Vec3d away = plans_[l].ankle[f] - positions_[f][leg.limb.end];
      const bool moved = away.norm() > 0 || turn.norm() > 0 || (sink > 0 && !(leg.hand && !plans_[l].stands[f]));
      if (!moved) {
        flatten(leg, plans_[l].stands[f], pose);
        continue;
      }
      // Knees bend forwards, elbows of front legs backwards.
      const Vec3d pole = leg.front ? Vec3d(-input_.frame.forward) : input_.frame.forward;
      reach_with_limb(input_.skeleton, leg.limb, plans_[l].ankle[f], end_turn, heading(pose) * pole, pose);
      flatten(leg, plans_[l].stands[f], pose);
    }
  }

  // Toes that would go through the floor bend up; so does a standing foot without toes.
  void flatten(const Leg& leg, bool stands, Pose& pose) const {
    if (leg.hand || leg.paw) return;
    const bool toes = leg.toe >= 0 && input_.skeleton.kinds[leg.toe] == JointKind::joint;
    const int joint = toes ? leg.toe : leg.limb.end;
    if (!toes && !stands) return;
    const std::vector<Affine3d> now = global_transforms(input_.skeleton, pose);
    const Quatd delta = Transform::from_matrix(now[joint] * input_.skeleton.rest[joint].inverse()).rotation;
    const Vec3d tip = delta * input_.frame.forward;
    const double reach = 0.12 * leg.length(input_.skeleton);
    const double above = std::max(0.0, now[joint].translation().dot(up_) - rest_height(joint));
    const double lowest = -std::asin(std::clamp(above / reach, 0.0, 1.0));
    const double pitch = std::asin(std::clamp(tip.dot(up_), -1.0, 1.0));
    const Vec3d axis = tip.cross(up_);
    if (pitch >= lowest || axis.norm() < 1e-6) return;
    const Quatd turn(Eigen::AngleAxisd(lowest - pitch, axis.normalized()));
    const int parent = input_.skeleton.parents[joint];
    const Quatd above_it = parent >= 0 ? Transform::from_matrix(now[parent]).rotation : Quatd(Quatd::Identity());
    pose[joint].rotation = (above_it.conjugate() * turn * above_it * pose[joint].rotation).normalized();
  }

  // How the hips are turned relative to rest: which way the body faces now.
  Quatd heading(const Pose& pose) const {
    Affine3d now = pose[input_.hips].matrix();
    for (int up = input_.skeleton.parents[input_.hips]; up >= 0; up = input_.skeleton.parents[up]) {
      now = pose[up].matrix() * now;
    }
    return Transform::from_matrix(now * input_.skeleton.rest[input_.hips].inverse()).rotation;
  }

  const FeetInput& input_;
  std::vector<Pose>& poses_;
  Vec3d up_;
  double window_;
  double floor_;
  std::vector<std::vector<Vec3d>> positions_;
  std::vector<Plan> plans_;
};

}  // namespace

void plant_feet(const FeetInput& input, std::vector<Pose>& poses) { FootPlanter(input, poses).run(); }

void move_carrier(const Skeleton& skeleton, int carrier, const Vec3d& offset, Pose& pose) {
  Affine3d above = Affine3d::Identity();
  for (int up = skeleton.parents[carrier]; up >= 0; up = skeleton.parents[up]) above = pose[up].matrix() * above;
  pose[carrier].translation += above.linear().inverse() * offset;
}

}  // namespace sinew
