#include "sinew/anatomy/foot_contacts.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

int find_role(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, JointRole role, BodySide side,
              int below) {
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (joints[joint].role != role || joints[joint].side != side || skeleton.kinds[joint] != JointKind::joint) continue;
    if (below < 0) return joint;
    for (int up = skeleton.parents[joint]; up >= 0; up = skeleton.parents[up]) {
      if (up == below) return joint;
    }
  }
  return -1;
}

// The first toe joint (of paws the lowest), or else whatever hangs on the foot and reaches furthest from it.
int toe_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints, int foot, JointRole role, BodySide side,
           bool paw, const Vec3d& up) {
  int named = find_role(skeleton, joints, role, side, foot);
  for (int joint = named + 1; paw && named >= 0 && joint < skeleton.joint_count(); ++joint) {
    if (joints[joint].role != role || joints[joint].side != side || skeleton.kinds[joint] != JointKind::joint) continue;
    if (skeleton.position(joint).dot(up) < skeleton.position(named).dot(up)) named = joint;
  }
  if (named >= 0) return named;
  int best = -1;
  for (int joint = foot + 1; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.parents[joint] != foot) continue;
    const auto reach = [&](int j) { return (skeleton.position(j) - skeleton.position(foot)).norm(); };
    if (reach(joint) > 0 && (best < 0 || reach(joint) > reach(best))) best = joint;
  }
  return best;
}

double percentile(std::vector<double> values, double share) {
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
  return values[rank];
}

// Runs of frames in which one point is low and slow.
void find_runs(const std::vector<Vec3d>& path, const Vec3d& up, double leg, double fps, const ContactOptions& options,
               FootContact contact, std::vector<FootContact>& result) {
  const int frames = static_cast<int>(path.size());
  std::vector<double> heights(path.size());
  for (int f = 0; f < frames; ++f) heights[f] = path[f].dot(up);
  const double ground = percentile(heights, options.ground_share);
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

}  // namespace

double Leg::length(const Skeleton& skeleton) const {
  return (skeleton.position(limb.middle) - skeleton.position(limb.root)).norm() +
         (skeleton.position(limb.end) - skeleton.position(limb.middle)).norm();
}

bool stands_on_all_fours(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  const int hips = find_role(skeleton, joints, JointRole::hips, BodySide::centre, -1);
  const int arm = find_role(skeleton, joints, JointRole::upper_arm, BodySide::left, -1);
  const int thigh = find_role(skeleton, joints, JointRole::thigh, BodySide::left, -1);
  if (hips < 0 || arm < 0 || thigh < 0) return false;
  const Vec3d up = body_frame(skeleton, joints).up;
  const Vec3d trunk = skeleton.position(arm) - skeleton.position(hips);
  if (trunk.dot(up) > 0.6 * trunk.norm()) return false;
  // Front legs reach down as hind legs do; arms that hang end halfway down the thighs.
  const auto lowest_below = [&](int joint) {
    double low = skeleton.position(joint).dot(up);
    std::vector<char> below(skeleton.names.size(), 0);
    for (int j = joint; j < skeleton.joint_count(); ++j) {
      below[j] = j == joint || (skeleton.parents[j] >= 0 && below[skeleton.parents[j]]);
      if (below[j]) low = std::min(low, skeleton.position(j).dot(up));
    }
    return low;
  };
  const double ground = lowest_below(thigh), hind = skeleton.position(thigh).dot(up) - ground;
  return lowest_below(arm) < ground + 0.65 * hind;
}

std::vector<Leg> legs_of(const Skeleton& skeleton, const std::vector<JointIdentity>& joints) {
  std::vector<Leg> legs;
  const Vec3d up = body_frame(skeleton, joints).up;
  const bool fours = stands_on_all_fours(skeleton, joints);
  for (const bool front : {false, true}) {
    if (front && !fours) break;
    for (const BodySide side : {BodySide::left, BodySide::right}) {
      Leg leg;
      leg.side = side;
      leg.front = front;
      leg.paw = fours;
      leg.limb.root = find_role(skeleton, joints, front ? JointRole::upper_arm : JointRole::thigh, side, -1);
      if (leg.limb.root < 0) continue;
      leg.limb.middle = find_role(skeleton, joints, front ? JointRole::forearm : JointRole::shin, side, leg.limb.root);
      if (leg.limb.middle < 0) continue;
      leg.limb.end = find_role(skeleton, joints, front ? JointRole::hand : JointRole::foot, side, leg.limb.middle);
      if (leg.limb.end < 0) continue;
      leg.toe =
          toe_of(skeleton, joints, leg.limb.end, front ? JointRole::middle_finger : JointRole::toe, side, fours, up);
      legs.push_back(leg);
    }
  }
  return legs;
}

std::vector<std::vector<Vec3d>> joint_positions(const Skeleton& skeleton, const Motion& motion) {
  std::vector<std::vector<Vec3d>> result(motion.frame_count());
  parallel_for(result.size(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      for (const Affine3d& joint : global_transforms(skeleton, frame_pose(motion, static_cast<int>(f)))) {
        result[f].push_back(joint.translation());
      }
    }
  });
  return result;
}

std::vector<FootContact> find_contacts(const Skeleton& skeleton, const std::vector<std::vector<Vec3d>>& positions,
                                       double frames_per_second, const std::vector<Leg>& legs, const Vec3d& up,
                                       const ContactOptions& options) {
  std::vector<FootContact> result;
  if (positions.empty()) return result;
  for (std::size_t l = 0; l < legs.size(); ++l) {
    for (const bool toe : {false, true}) {
      const int joint = toe ? legs[l].toe : legs[l].limb.end;
      if (joint < 0 || (!toe && legs[l].paw && legs[l].toe >= 0)) continue;
      std::vector<Vec3d> path;
      for (const std::vector<Vec3d>& frame : positions) path.push_back(frame[joint]);
      find_runs(path, up, legs[l].length(skeleton), frames_per_second, options, {static_cast<int>(l), toe, 0, 0},
                result);
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
