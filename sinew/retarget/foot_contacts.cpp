#include "sinew/retarget/foot_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr double palm = 0.12;  // arm lengths from the wrist to the floor under a hand

constexpr double never_down = 0.25;  // leg lengths above the lowest foot

// What can stand: not a foot without toe joint there, nor the wrist and hock of an animal on its toes.
bool is_sole(const Leg& leg, bool toe) {
  if ((toe ? leg.toe : leg.limb.end) < 0) return false;
  return toe || !leg.paw || leg.toe < 0;
}

double percentile(std::vector<double> values, double share) {
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
  return values[rank];
}

// Runs of frames in which one point is low and slow.
void find_runs(const std::vector<Vec3d>& path, const Vec3d& up, double ground, double leg, double fps,
               const ContactOptions& options, FootContact contact, std::vector<FootContact>& result) {
  const int frames = static_cast<int>(path.size());
  std::vector<double> heights(path.size());
  for (int f = 0; f < frames; ++f) heights[f] = path[f].dot(up);
  // Speed over about a thirtieth of a second, before or after: shorter is noise of the capture, and the first and the
  // last frame of a rest have a moving frame beside them.
  const int reach = std::max(1, static_cast<int>(std::lround(fps / 30.0)));
  const auto speed = [&](int a, int b) { return b > a ? (path[b] - path[a]).norm() * fps / (b - a) : 1e300; };
  const auto stands = [&](int f) {
    const double slower = std::min(speed(std::max(0, f - reach), f), speed(f, std::min(frames - 1, f + reach)));
    return (frames == 1 || slower < options.speed * leg) && heights[f] < ground + options.height * leg;
  };
  const int shortest = std::max(2, static_cast<int>(std::ceil(options.shortest * fps)));
  for (int f = 0; f < frames;) {
    if (!stands(f)) {
      ++f;
      continue;
    }
    contact.begin = f;
    while (f < frames && stands(f)) ++f;
    contact.end = f;
    if (contact.end - contact.begin >= std::min(shortest, frames)) result.push_back(contact);
  }
}

template <typename PoseOf>
std::vector<std::vector<Vec3d>> positions_of_frames(const Skeleton& skeleton, std::size_t frames, PoseOf pose_of) {
  std::vector<std::vector<Vec3d>> positions(frames);
  parallel_for(frames, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      for (const Affine3d& joint : global_transforms(skeleton, pose_of(f))) positions[f].push_back(joint.translation());
    }
  });
  return positions;
}

}  // namespace

std::vector<std::vector<Vec3d>> joint_positions(const Skeleton& skeleton, const Motion& motion) {
  return positions_of_frames(skeleton, static_cast<std::size_t>(motion.frame_count()),
                             [&](std::size_t f) { return frame_pose(motion, static_cast<int>(f)); });
}

std::vector<std::vector<Vec3d>> joint_positions(const Skeleton& skeleton, const std::vector<Pose>& poses) {
  return positions_of_frames(skeleton, poses.size(), [&](std::size_t f) -> const Pose& { return poses[f]; });
}

double floor_at_rest(const Skeleton& skeleton, const std::vector<Leg>& legs, const Vec3d& up) {
  double floor = std::numeric_limits<double>::infinity();
  for (const Leg& leg : legs) {
    if (leg.hand) continue;
    for (const int joint : {leg.limb.end, leg.toe}) {
      if (joint >= 0) floor = std::min(floor, skeleton.position(joint).dot(up));
    }
  }
  return floor;
}

std::vector<FootContact> find_contacts(const Skeleton& skeleton, const std::vector<std::vector<Vec3d>>& positions,
                                       double frames_per_second, const std::vector<Leg>& legs, const Vec3d& up,
                                       const ContactOptions& options) {
  std::vector<FootContact> result;
  if (positions.empty()) return result;
  // Of feet and toes: how high they are at their lowest; of all of them, how far that is above their height at rest.
  double floor = std::numeric_limits<double>::infinity(), lowest = floor;
  std::vector<std::array<double, 2>> grounds(legs.size());
  const auto height_at_rest = [&](int joint) { return skeleton.position(joint).dot(up); };
  for (std::size_t l = 0; l < legs.size(); ++l) {
    for (const bool toe : {false, true}) {
      const int joint = toe ? legs[l].toe : legs[l].limb.end;
      if (!is_sole(legs[l], toe)) continue;
      std::vector<double> heights;
      for (const std::vector<Vec3d>& frame : positions) heights.push_back(frame[joint].dot(up));
      grounds[l][toe] = percentile(heights, options.ground_share);
      if (legs[l].hand) continue;
      floor = std::min(floor, grounds[l][toe]);
      lowest = std::min(lowest, grounds[l][toe] - height_at_rest(joint));
    }
  }
  for (std::size_t l = 0; l < legs.size(); ++l) {
    for (const bool toe : {false, true}) {
      const int joint = toe ? legs[l].toe : legs[l].limb.end;
      if (!is_sole(legs[l], toe)) continue;
      const double length = legs[l].length(skeleton);
      // A foot that never comes down to where the other one stands is in the air; a single frame tells no more.
      const double in_the_air = (positions.size() == 1 ? options.height : never_down) * length;
      if (!legs[l].hand && grounds[l][toe] - height_at_rest(joint) > lowest + in_the_air) continue;
      // A hand that hangs is also low and slow; the wrist of one that stands is a palm above the floor.
      const double ground = legs[l].hand ? floor + palm * length : grounds[l][toe];
      std::vector<Vec3d> path;
      for (const std::vector<Vec3d>& frame : positions) path.push_back(frame[joint]);
      find_runs(path, up, ground, length, frames_per_second, options, {static_cast<int>(l), toe, 0, 0, -1}, result);
    }
  }
  return result;
}

double contact_slide(const std::vector<std::vector<Vec3d>>& positions, const FootContact& contact,
                     const std::vector<Leg>& legs, const Vec3d& up) {
  const int joint = contact.toe ? legs[contact.leg].toe : legs[contact.leg].limb.end;
  Vec3d mean = Vec3d::Zero();
  for (int f = contact.begin; f < contact.end; ++f) mean += positions[f][joint] / (contact.end - contact.begin);
  double slide = 0;
  for (int f = contact.begin; f < contact.end; ++f) {
    const Vec3d away = positions[f][joint] - mean;
    slide = std::max(slide, (away - away.dot(up) * up).norm());
  }
  return slide;
}

}  // namespace sinew
