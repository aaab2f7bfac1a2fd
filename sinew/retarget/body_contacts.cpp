#include "sinew/retarget/body_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/rig/ik.h"

namespace sinew {
namespace {

constexpr double touching = 1.25, apart = 1.8;               // half widths from the middle of a part to a palm
constexpr double palms_touching = 0.06, palms_apart = 0.14;  // of the height, between two palms
constexpr double leave_seconds = 0.25;                       // in which a hand leaves the ground
constexpr double same_build = 0.1;  // natural logarithm of widths: bodies as alike as this are taken to be alike

double eased(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

const BodyPart* part_like(const BodyPart& part, const BodyVolume& shape) {
  for (const BodyPart& other : shape.parts) {
    if (other.kind == part.kind && other.side == part.side) return &other;
  }
  return nullptr;
}

// A hand cannot touch its own upper arm.
bool can_touch(const Leg& arm, const BodyPart& part) {
  return part.kind != BodyPart::Kind::upper_arm || part.side != arm.side;
}

double alike(double own, double other, double scale) {
  const double difference = std::log(own / (scale * other));
  const double counted = std::copysign(std::max(0.0, std::abs(difference) - same_build), difference);
  return scale * other * std::exp(counted);
}

class BodyContacts {
 public:
  BodyContacts(const BodyContactInput& input, std::vector<Pose>& poses) : input_(input), poses_(poses) {
    const BodyVolume &from = input.source.shape, &to = input.target.shape;
    if (from.arms.size() != 2 || to.arms.size() != 2) return;
    scale_ = to.height / from.height;
    for (const BodyPart& part : from.parts) {
      const BodyPart* other = part_like(part, to);
      if (!other) continue;
      source_parts_.push_back(part);
      target_parts_.push_back(*other);
      target_parts_.back().width = alike(other->width, part.width, scale_);
      target_parts_.back().depth = alike(other->depth, part.depth, scale_);
    }
    find_busy_hands();
  }

  void run() {
    if (source_parts_.empty()) return;
    parallel_for(poses_.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t f = begin; f < end; ++f) pose_frame(f);
    });
  }

 private:
  // 1 while a hand stands on the ground, less and less before and after.
  void find_busy_hands() {
    const double window = std::max(1.0, leave_seconds * input_.motion.frames_per_second);
    for (std::vector<double>& busy : busy_) busy.assign(poses_.size(), 0.0);
    for (const FootContact& contact : input_.contacts) {
      const Leg& leg = input_.legs[contact.leg];
      if (!leg.hand) continue;
      std::vector<double>& busy = busy_[leg.side == input_.target.shape.arms[0].side ? 0 : 1];
      for (int f = 0; f < static_cast<int>(poses_.size()); ++f) {
        const double away = f < contact.begin ? contact.begin - f : std::max(0, f - contact.end + 1);
        busy[f] = std::max(busy[f], 1 - eased(away / window));
      }
    }
  }

  void pose_frame(std::size_t f) {
    const MovingBody &from = input_.source, &to = input_.target;
    const Pose source_pose = frame_pose(input_.motion, static_cast<int>(f));
    const std::vector<Affine3d> source_global = global_transforms(from.skeleton, source_pose);
    const std::vector<Affine3d> source_skinning = skinning_transforms(from.skeleton, source_pose);
    const std::vector<Affine3d> global = global_transforms(to.skeleton, poses_[f]);
    const std::vector<Affine3d> skinning = skinning_transforms(to.skeleton, poses_[f]);
    std::array<Vec3d, 2> source_palm, palm, move;
    for (int arm = 0; arm < 2; ++arm) {
      source_palm[arm] = palm_of(from.skeleton, from.joints, from.shape.arms[arm], source_global);
      palm[arm] = palm_of(to.skeleton, to.joints, to.shape.arms[arm], global);
    }
    for (int arm = 0; arm < 2; ++arm) {
      move[arm] = Vec3d::Zero();
      double weights = 0;
      for (std::size_t p = 0; p < source_parts_.size(); ++p) {
        if (!can_touch(to.shape.arms[arm], target_parts_[p])) continue;
        const PlacedPart source_part = place_part(source_parts_[p], source_skinning, from.frame);
        const PartCoordinates place = coordinates_of(source_palm[arm], source_parts_[p], source_part);
        const double weight = 1 - eased((place.distance() - touching) / (apart - touching));
        if (weight <= 0) continue;
        move[arm] += weight * (point_at(place, target_parts_[p], like_source(p, source_part, skinning)) - palm[arm]);
        weights += weight;
      }
      add_other_palm(arm, source_palm, palm, move[arm], weights);
      if (weights > 1) move[arm] /= weights;
    }
    for (int arm = 0; arm < 2; ++arm) {
      stay_outside(source_palm[arm], source_skinning, skinning, palm[arm] + move[arm], move[arm]);
      move[arm] *= 1 - busy_[arm][f];
      reach(arm, move[arm], global, poses_[f]);
    }
  }

  // The target's part with the axes of the source's: bones point the same way in both, joints may be turned otherwise.
  PlacedPart like_source(std::size_t p, const PlacedPart& source_part, const std::vector<Affine3d>& skinning) const {
    PlacedPart placed = place_part(target_parts_[p], skinning, input_.target.frame);
    placed.axes = input_.alignment * source_part.axes;
    return placed;
  }

  // Each hand comes half of the way.
  void add_other_palm(int arm, const std::array<Vec3d, 2>& source_palm, const std::array<Vec3d, 2>& palm, Vec3d& move,
                      double& weights) const {
    const Vec3d apart_in_source = source_palm[arm] - source_palm[1 - arm];
    const double distance = apart_in_source.norm() / input_.source.shape.height;
    const double weight = 1 - eased((distance - palms_touching) / (palms_apart - palms_touching));
    if (weight <= 0) return;
    const Vec3d wanted = scale_ * (input_.alignment * apart_in_source), now = palm[arm] - palm[1 - arm];
    move += weight * 0.5 * (wanted - now);
    weights += weight;
  }

  // A palm that would be inside a part comes out as far as it is in the source, and at most to the skin.
  void stay_outside(const Vec3d& source_palm, const std::vector<Affine3d>& source_skinning,
                    const std::vector<Affine3d>& skinning, Vec3d now, Vec3d& move) const {
    for (std::size_t p = 0; p < source_parts_.size(); ++p) {
      if (source_parts_[p].kind == BodyPart::Kind::upper_arm) continue;
      const PlacedPart source_part = place_part(source_parts_[p], source_skinning, input_.source.frame);
      const double allowed = std::min(1.0, coordinates_of(source_palm, source_parts_[p], source_part).distance());
      const PlacedPart placed = like_source(p, source_part, skinning);
      PartCoordinates place = coordinates_of(now, target_parts_[p], placed);
      const double distance = place.distance();
      if (distance >= allowed || distance < 0.05) continue;
      place.offset *= allowed / distance;
      const Vec3d out = point_at(place, target_parts_[p], placed) - now;
      move += out;
      now += out;
    }
  }

  void reach(int arm, const Vec3d& move, const std::vector<Affine3d>& global, Pose& pose) const {
    if (move.norm() < 1e-9 * input_.target.shape.height) return;
    const Limb& limb = input_.target.shape.arms[arm].limb;
    const Skeleton& skeleton = input_.target.skeleton;
    const Quatd body = Transform::from_matrix(global[input_.hips] * skeleton.rest[input_.hips].inverse()).rotation;
    reach_with_limb(skeleton, limb, global[limb.end].translation() + move, Quatd::Identity(),
                    body * Vec3d(-input_.target.frame.forward), pose);
  }

  const BodyContactInput& input_;
  std::vector<Pose>& poses_;
  double scale_ = 1;
  std::vector<BodyPart> source_parts_, target_parts_;
  std::array<std::vector<double>, 2> busy_;
};

}  // namespace

void keep_body_contacts(const BodyContactInput& input, std::vector<Pose>& poses) { BodyContacts(input, poses).run(); }

double self_penetration(const MovingBody& body, const Pose& pose) {
  if (body.shape.arms.empty()) return 0;
  const std::vector<Affine3d> global = global_transforms(body.skeleton, pose);
  const std::vector<Affine3d> skinning = skinning_transforms(body.skeleton, pose);
  double deepest = 0;
  for (const Leg& arm : body.shape.arms) {
    const Vec3d palm = palm_of(body.skeleton, body.joints, arm, global), wrist = global[arm.limb.end].translation();
    const Vec3d middle = 0.5 * (wrist + global[arm.limb.middle].translation());
    for (const BodyPart& part : body.shape.parts) {
      if (part.kind == BodyPart::Kind::upper_arm) continue;
      const PlacedPart placed = place_part(part, skinning, body.frame);
      for (const Vec3d& point : {palm, wrist, middle}) {
        const double inside = 1 - coordinates_of(point, part, placed).distance();
        deepest = std::max(deepest, inside * std::min(part.width, part.depth) / body.shape.height);
      }
    }
  }
  return deepest;
}

}  // namespace sinew
