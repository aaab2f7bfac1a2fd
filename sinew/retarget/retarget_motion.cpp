#include "sinew/retarget/retarget_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/anatomy/detached_feet.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"
#include "sinew/retarget/body_contacts.h"
#include "sinew/retarget/motion_tools.h"
#include "sinew/retarget/retarget_feet.h"
#include "sinew/retarget/retarget_report.h"
#include "sinew/retarget/retarget_rotations.h"

namespace sinew {
namespace {

// Legs of both skeletons that correspond, index for index.
struct LegPairs {
  std::vector<Leg> source, target;
};

// Hands come after the feet, because they stand where feet have shown the floor.
std::vector<Leg> legs_and_arms(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  std::vector<Leg> all = legs_of(skeleton, joints);
  if (all.empty()) return all;
  const std::vector<Leg> arms = arms_of(skeleton, joints);
  all.insert(all.end(), arms.begin(), arms.end());
  return all;
}

LegPairs pair_legs(const Skeleton& source, const Skeleton& target, const RotationTransfer& transfer) {
  LegPairs pairs;
  const std::vector<Leg> all = legs_and_arms(source, transfer.source_joints());
  for (const Leg& leg : legs_and_arms(target, transfer.target_joints())) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Leg& other) {
      return other.side == leg.side && other.front == leg.front && other.hand == leg.hand;
    });
    if (found == all.end()) continue;
    pairs.source.push_back(*found);
    pairs.target.push_back(leg);
    // Contacts of toes need a toe on both sides.
    if (found->toe < 0) pairs.target.back().toe = -1;
    if (leg.toe < 0) pairs.source.back().toe = -1;
  }
  return pairs;
}

double extent(const Skeleton& skeleton) {
  AABBd box;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] != JointKind::helper) box.extend(skeleton.position(joint));
  }
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

double path_scale(const Skeleton& source, const Skeleton& target, const LegPairs& legs) {
  double own = 0, other = 0;
  for (std::size_t i = 0; i < legs.target.size(); ++i) {
    if (legs.target[i].hand) continue;
    own += legs.target[i].length(target);
    other += legs.source[i].length(source);
  }
  if (own > 0 && other > 0) return own / other;
  own = extent(target);
  other = extent(source);
  if (!(own > 0 && other > 0)) throw Error(ErrorCode::skeleton_invalid, "all joints of the skeleton lie at one point");
  return own / other;
}

constexpr double far_from_loop = 15 * M_PI / 180;  // mean turn of the joints from the last frame to the first

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Retargeter {
 public:
  Retargeter(const ClipRest& source, const Motion& motion, const Skeleton& target, const JointMap& map,
             const RetargetOptions& options, RetargetReport& report, const Progress& progress, const GirthPair& girths)
      : source_(source.skeleton),
        motion_(motion),
        target_(target),
        map_(map),
        options_(options),
        report_(report),
        progress_(progress),
        transfer_(source_, source.from_motion, target, map),
        legs_(pair_legs(source_, target, transfer_)),
        source_shape_(body_volume(source_, transfer_.source_joints(), girths.source)),
        target_shape_(body_volume(target, transfer_.target_joints(), girths.target)) {
    report_.scale = options.scale > 0 ? options.scale : path_scale(source_, target, legs_);
  }

  // `own`: the motion is one of the target's own skeleton and comes back as it is.
  Motion run(bool own) {
    progress_(0.0, "finding where feet stand");
    source_positions_ = joint_positions(source_, motion_);
    contacts_ = find_contacts(source_, source_positions_, motion_.frames_per_second, legs_.source,
                              transfer_.source_frame().up, options_.contacts);
    lift_palms();
    progress_(0.2, "turning the joints");
    poses_.resize(motion_.frame_count());
    parallel_for(poses_.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) {
        poses_[f] = frame_pose(motion_, static_cast<int>(f));
        if (own) continue;
        poses_[f] = transfer_.transfer(poses_[f]);
        follow_path(f);
      }
    });
    if (own) return finish();
    progress_(0.5, "standing on the ground");
    set_on_ground();
    report_.worst_slide_before = measure_slide(about_result()).first;
    if (options_.keep_contacts && !legs_.target.empty()) {
      progress_(0.6, "planting the feet");
      plant_feet({target_, legs_.target, contacts_, transfer_.target_frame(), transfer_.carrier(), transfer_.anchor(),
                  motion_.frames_per_second},
                 poses_);
    }
    if (options_.keep_contacts) {
      progress_(0.8, "keeping hands on the body");
      keep_body_contacts(
          {source_body(), target_body(), motion_, transfer_.alignment(), transfer_.anchor(), legs_.target, contacts_},
          poses_);
    }
    return finish();
  }

 private:
  Motion finish() {
    progress_(0.9, "measuring the result");
    measure_motion(about_result(), report_);
    if (options_.in_place) stay_in_place();
    Motion result = collect();
    const Vec3d up = transfer_.target_frame().up;
    if (options_.loop) result = looped_motion(target_, result, transfer_.anchor(), up);
    return result;
  }

  MovingBody source_body() const {
    return {source_, transfer_.source_joints(), source_shape_, transfer_.source_frame()};
  }
  MovingBody target_body() const {
    return {target_, transfer_.target_joints(), target_shape_, transfer_.target_frame()};
  }

  // Leaves out the hips' way over the ground. Feet are planted before, so that they do not slide against the floor that
  // moves under them.
  void stay_in_place() {
    const Vec3d up = transfer_.target_frame().up;
    const int hips = transfer_.anchor();
    for (Pose& pose : poses_) {
      const Vec3d away = target_.position(hips) - global_transforms(target_, pose)[hips].translation();
      move_carrier(target_, transfer_.carrier(), away - away.dot(up) * up, pose);
    }
  }

  // Hands stand as high above the floor as those of the source, in the target's size.
  void lift_palms() {
    const Vec3d up = transfer_.source_frame().up;
    double floor = std::numeric_limits<double>::infinity();
    for (const FootContact& contact : contacts_) {
      const Leg& leg = legs_.source[contact.leg];
      if (leg.hand) continue;
      const int joint = contact.toe ? leg.toe : leg.limb.end;
      const double rest = source_.position(joint).dot(up) - floor_at_rest(source_, legs_.source, up);
      floor = std::min(floor, source_positions_[contact.begin][joint].dot(up) - rest);
    }
    const auto no_floor = [&](const FootContact& contact) {
      return legs_.source[contact.leg].hand && !std::isfinite(floor);
    };
    contacts_.erase(std::remove_if(contacts_.begin(), contacts_.end(), no_floor), contacts_.end());
    for (FootContact& contact : contacts_) {
      if (!legs_.source[contact.leg].hand) continue;
      double height = 0;
      for (int f = contact.begin; f < contact.end; ++f) {
        height += source_positions_[f][legs_.source[contact.leg].limb.end].dot(up) / (contact.end - contact.begin);
      }
      contact.height = std::max(0.0, report_.scale * (height - floor));
    }
  }

  // The hips' path, scaled, beginning above the place where the target stands at rest.
  void follow_path(std::size_t f) {
    const int own = transfer_.anchor(), other = transfer_.source_anchor();
    const Vec3d path =
        report_.scale * (transfer_.alignment() * (source_positions_[f][other] - source_positions_[0][other]));
    const Vec3d now = global_transforms(target_, poses_[f])[own].translation();
    move_carrier(target_, transfer_.carrier(), target_.position(own) + path - now, poses_[f]);
  }

  // Lifts or lowers the whole motion so that standing feet are, on average, as high as they are at rest.
  void set_on_ground() {
    if (legs_.target.empty() || poses_.empty()) return;
    const Vec3d up = transfer_.target_frame().up;
    const std::vector<std::vector<Vec3d>> now = joint_positions(target_, poses_);
    std::vector<double> above;
    for (const FootContact& contact : contacts_) {
      const Leg& leg = legs_.target[contact.leg];
      if (leg.hand) continue;
      const int joint = contact.toe ? leg.toe : leg.limb.end;
      for (int f = contact.begin; f < contact.end; ++f) {
        above.push_back((now[f][joint] - target_.position(joint)).dot(up));
      }
    }
    if (above.empty()) {
      // Nothing ever stands still: the lowest foot of the clip touches the ground.
      double lowest = 1e300;
      for (const std::vector<Vec3d>& frame : now) {
        for (const Leg& leg : legs_.target) {
          if (leg.hand) continue;
          for (const int joint : {leg.limb.end, leg.toe}) {
            if (joint >= 0) lowest = std::min(lowest, (frame[joint] - target_.position(joint)).dot(up));
          }
        }
      }
      above.push_back(lowest);
    }
    const double offset = -median(above);
    for (Pose& pose : poses_) move_carrier(target_, transfer_.carrier(), offset * up, pose);
  }

  ReportInput about_result() const {
    return {source_,
            source_positions_,
            target_,
            poses_,
            map_,
            transfer_.source_joints(),
            transfer_.target_joints(),
            legs_.target,
            contacts_,
            transfer_.alignment(),
            transfer_.target_frame().up,
            source_body(),
            target_body(),
            motion_};
  }

  Motion collect() const {
    Motion result{motion_.name, motion_.frames_per_second, target_.joint_count(), {}};
    const auto joints = static_cast<std::size_t>(target_.joint_count());
    result.transforms.resize(poses_.size() * joints);
    parallel_for(poses_.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) {
        std::copy(poses_[f].begin(), poses_[f].end(), &result.transforms[f * joints]);
      }
    });
    return result;
  }

  const Skeleton source_;
  const Motion& motion_;
  const Skeleton& target_;
  const JointMap& map_;
  const RetargetOptions& options_;
  RetargetReport& report_;
  const Progress& progress_;
  RotationTransfer transfer_;
  LegPairs legs_;
  const BodyVolume source_shape_, target_shape_;
  std::vector<std::vector<Vec3d>> source_positions_;
  std::vector<FootContact> contacts_;
  std::vector<Pose> poses_;
};

// The same links between other orders of the joints.
JointMap attached_map(const JointMap& map, const AttachedFeet& source, const AttachedFeet& target) {
  JointMap result = map;
  for (std::size_t joint = 0; joint < map.links.size(); ++joint) {
    JointLink& link = result.links[joint];
    link = map.links[target.original[joint]];
    if (link.source >= 0) link.source = source.index_of[link.source];
    if (link.before >= 0) link.before = source.index_of[link.before];
  }
  return result;
}

// The same joints in the same order at the same places, each following its namesake: nothing is to be changed.
bool is_own_skeleton(const Skeleton& source, const Skeleton& target, const JointMap& map) {
  if (source.parents != target.parents) return false;
  const double exact = 1e-6 * extent(target);
  for (int joint = 0; joint < target.joint_count(); ++joint) {
    const JointLink& link = map.links[joint];
    if (link.source >= 0 ? link.source != joint || link.before >= 0 : target.kinds[joint] == JointKind::joint)
      return false;
    if (source.names[joint] != target.names[joint]) return false;
    if ((source.position(joint) - target.position(joint)).norm() > exact) return false;
    if ((source.rest[joint].linear() - target.rest[joint].linear()).norm() > 1e-6) return false;
  }
  return true;
}

Vec3d body_up(const Skeleton& skeleton) { return body_frame(skeleton, identify_joints_anyhow(skeleton)).up; }

// The hips, or where nobody knows hips the first joint that may deform.
int carrier_of(const Skeleton& skeleton) {
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (joints[joint].role == JointRole::hips && skeleton.kinds[joint] == JointKind::joint) return joint;
  }
  const auto first = std::find(skeleton.kinds.begin(), skeleton.kinds.end(), JointKind::joint);
  return first == skeleton.kinds.end() ? 0 : static_cast<int>(first - skeleton.kinds.begin());
}

Motion closed(const Skeleton& skeleton, const Motion& motion, RetargetReport& report) {
  double change = 0;
  Motion result = looped_motion(skeleton, motion, carrier_of(skeleton), body_up(skeleton), &change);
  if (change > far_from_loop) {
    report.warnings.push_back({"loop-far", "motion '" + motion.name + "' ends in another pose than it begins with, " +
                                               std::to_string(std::lround(change * 180 / M_PI)) +
                                               "° per joint; its last half second moves to the first pose"});
  }
  return result;
}

}  // namespace

Motion retarget_motion(const ClipRest& rest, const Motion& motion, const Skeleton& target, const JointMap& map,
                       const RetargetOptions& options, RetargetReport& report, const Progress& progress,
                       const GirthPair& girths) {
  const Skeleton& source = rest.skeleton;
  check_skeleton(source);
  check_skeleton(target);
  check_joint_map(map, source, target);
  if (motion.joint_count != source.joint_count() || motion.frame_count() == 0) {
    throw Error(ErrorCode::motion_invalid, "motion '" + motion.name + "' does not fit the skeleton it was given for");
  }
  progress(0.0, "retargeting");
  report = {};
  report.motion = motion.name;
  report.frames = motion.frame_count();
  const bool own = is_own_skeleton(source, target, map) && !options.in_place && options.scale <= 0;
  const AttachedFeet from = gather_body(source), to = gather_body(target);
  Motion reparented;
  if (from.changed) reparented = reparent_motion(motion, source, from.skeleton, from.original);
  if (options.loop) reparented = closed(from.skeleton, from.changed ? reparented : motion, report);
  const Motion& played = from.changed || options.loop ? reparented : motion;
  const JointMap links = attached_map(map, from, to);
  Motion result =
      Retargeter({from.skeleton, rest.from_motion}, played, to.skeleton, links, options, report, progress, girths)
          .run(own);
  if (to.changed) result = reparent_motion(result, to.skeleton, target, to.index_of);
  if (options.root_motion) result = with_root_motion(target, result, carrier_of(target), body_up(target));
  return result;
}

}  // namespace sinew
