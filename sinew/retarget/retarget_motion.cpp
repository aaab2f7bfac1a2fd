#include "sinew/retarget/retarget_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/anatomy/detached_feet.h"
#include "sinew/anatomy/joint_structure.h"
#include "sinew/base/parallel.h"
#include "sinew/retarget/retarget_feet.h"
#include "sinew/retarget/retarget_rotations.h"

namespace sinew {
namespace {

// Legs of both skeletons that correspond, index for index.
struct LegPairs {
  std::vector<Leg> source, target;
};

LegPairs pair_legs(const Skeleton& source, const Skeleton& target, const RotationTransfer& transfer) {
  LegPairs pairs;
  const std::vector<Leg> all = legs_of(source, transfer.source_joints());
  for (const Leg& leg : legs_of(target, transfer.target_joints())) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const Leg& other) { return other.side == leg.side && other.front == leg.front; });
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

double height_along(const Skeleton& skeleton, const Vec3d& up) {
  double low = 1e300, high = -1e300;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] == JointKind::helper) continue;
    low = std::min(low, skeleton.position(joint).dot(up));
    high = std::max(high, skeleton.position(joint).dot(up));
  }
  return high - low;
}

double path_scale(const Skeleton& source, const Skeleton& target, const LegPairs& legs) {
  double own = 0, other = 0;
  for (std::size_t i = 0; i < legs.target.size(); ++i) {
    own += legs.target[i].length(target);
    other += legs.source[i].length(source);
  }
  if (own > 0 && other > 0) return own / other;
  own = extent(target);
  other = extent(source);
  if (!(own > 0 && other > 0)) throw Error(ErrorCode::skeleton_invalid, "all joints of the skeleton lie at one point");
  return own / other;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Retargeter {
 public:
  Retargeter(const Skeleton& source, const Motion& motion, const Skeleton& target, const JointMap& map,
             const RetargetOptions& options, RetargetReport& report, const Progress& progress)
      : source_(source),
        motion_(motion),
        target_(target),
        options_(options),
        report_(report),
        progress_(progress),
        transfer_(source, target, map),
        legs_(pair_legs(source, target, transfer_)) {
    report_.scale = options.scale > 0 ? options.scale : path_scale(source, target, legs_);
  }

  Motion run() {
    progress_(0.0, "finding where feet stand");
    source_positions_ = joint_positions(source_, motion_);
    contacts_ = find_contacts(source_, source_positions_, motion_.frames_per_second, legs_.source,
                              transfer_.source_frame().up, options_.contacts);
    progress_(0.2, "turning the joints");
    poses_.resize(motion_.frame_count());
    parallel_for(poses_.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) {
        poses_[f] = transfer_.transfer(frame_pose(motion_, static_cast<int>(f)));
        follow_path(f);
      }
    });
    progress_(0.5, "standing on the ground");
    set_on_ground();
    report_.contacts = static_cast<int>(contacts_.size());
    report_.worst_slide_before = measure().first;
    if (options_.keep_contacts && !options_.in_place && !legs_.target.empty()) {
      progress_(0.6, "planting the feet");
      plant_feet(
          {target_, legs_.target, contacts_, transfer_.target_frame(), transfer_.carrier(), motion_.frames_per_second},
          poses_);
    }
    progress_(0.9, "measuring how feet slide");
    std::tie(report_.worst_slide, report_.mean_slide) = measure();
    return collect();
  }

 private:
  // The hips' path, scaled, beginning above the place where the target stands at rest.
  void follow_path(std::size_t f) {
    const int own = transfer_.carrier(), other = transfer_.source_carrier();
    const Vec3d up = transfer_.target_frame().up;
    const Vec3d path =
        report_.scale * (transfer_.alignment() * (source_positions_[f][other] - source_positions_[0][other]));
    Vec3d offset = path;
    if (options_.in_place) offset = path.dot(up) * up;
    move_carrier(target_, own, offset, poses_[f]);
  }

  // Lifts or lowers the whole motion so that standing feet are, on average, as high as they are at rest.
  void set_on_ground() {
    if (legs_.target.empty() || poses_.empty()) return;
    const Vec3d up = transfer_.target_frame().up;
    const std::vector<std::vector<Vec3d>> now = joint_positions(target_, poses_);
    std::vector<double> above;
    for (const FootContact& contact : contacts_) {
      const Leg& leg = legs_.target[contact.leg];
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

  // Largest and mean slide over the contacts, relative to the height.
  std::pair<double, double> measure() const {
    if (contacts_.empty()) return {0.0, 0.0};
    const Vec3d up = transfer_.target_frame().up;
    const std::vector<std::vector<Vec3d>> positions = joint_positions(target_, poses_);
    const double height = std::max(height_along(target_, up), 1e-12);
    double worst = 0, sum = 0;
    for (const FootContact& contact : contacts_) {
      const double slide = contact_slide(positions, contact, legs_.target, up) / height;
      worst = std::max(worst, slide);
      sum += slide;
    }
    return {worst, sum / static_cast<double>(contacts_.size())};
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

  const Skeleton& source_;
  const Motion& motion_;
  const Skeleton& target_;
  const RetargetOptions& options_;
  RetargetReport& report_;
  const Progress& progress_;
  RotationTransfer transfer_;
  LegPairs legs_;
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

}  // namespace

Motion retarget_motion(const Skeleton& source, const Motion& motion, const Skeleton& target, const JointMap& map,
                       const RetargetOptions& options, RetargetReport& report, const Progress& progress) {
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
  const AttachedFeet from = attach_detached_feet(source), to = attach_detached_feet(target);
  Motion reparented;
  if (from.changed) reparented = reparent_motion(motion, source, from.skeleton, from.original);
  const Motion& played = from.changed ? reparented : motion;
  const JointMap links = attached_map(map, from, to);
  Motion result = Retargeter(from.skeleton, played, to.skeleton, links, options, report, progress).run();
  if (to.changed) result = reparent_motion(result, to.skeleton, target, to.index_of);
  return result;
}

}  // namespace sinew
