// What a retargeted motion is like, measured on the result and on the skin, not on how it was made.
//
// Bones are compared as directions: where a bone of the result points against where the same bone of the source points,
// the two turned to face the same way by one rotation about the vertical for the whole clip. Neither rest poses nor
// joint axes have a say.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/anatomy/legs.h"
#include "sinew/base/rotation.h"
#include "sinew/character.h"
#include "sinew/pose_mesh.h"
#include "sinew/retarget.h"
#include "sinew/retarget/foot_contacts.h"
#include "sinew/retarget/motion_tools.h"

namespace sinew::bench {

struct RetargetMeasure {
  double mapped = 0;           // share of the target's limbs, head and hips that follow the source
  double direction_error = 0;  // degrees, mean over frames and limb bones
  double upright = 1;          // share of frames in which the trunk leans as the source's, within 30°
  double limb_stretch = 0;     // largest relative change of a limb bone's length
  double torn = 1;             // how much longer than at rest the worst thousandth of the skin's edges gets
  double floor_median = 0;     // lowest point of the skin above the floor, of the height: in the middle of the frames
  double floor_deepest = 0;    // and at its lowest
  double feet_median = 0;  // the same of the joints of feet and toes, against their height at rest, where they stand
  double feet_deepest = 0;
  double slide = 0;      // of the height
  double hips_path = 1;  // way of the hips over the ground divided by that of the source, both in leg lengths
};

enum class Verdict : std::uint8_t { plausible, near, broken, refused };
inline const char* verdict_name(Verdict verdict) {
  constexpr std::array names = {"plausible", "near", "broken", "refused"};
  return names[static_cast<std::size_t>(verdict)];
}

namespace measure_detail {

using Key = std::pair<JointRole, BodySide>;

// First joint of each part that a body has.
inline std::map<Key, int> first_joints(const Skeleton& skeleton) {
  std::map<Key, int> result;
  const std::vector<JointIdentity> joints = identify_joints_anyhow(skeleton);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.kinds[j] == JointKind::joint) result.try_emplace({joints[j].role, joints[j].side}, j);
  }
  return result;
}

struct Bone {
  int from, to;
};

// Limb bones and the trunk, as pairs of joints that both skeletons have.
inline std::vector<std::array<Bone, 2>> common_bones(const Skeleton& a, const Skeleton& b) {
  const auto of_a = first_joints(a), of_b = first_joints(b);
  std::vector<std::array<Bone, 2>> bones;
  const auto add = [&](Key from, Key to) {
    const auto a1 = of_a.find(from), a2 = of_a.find(to), b1 = of_b.find(from), b2 = of_b.find(to);
    if (a1 == of_a.end() || a2 == of_a.end() || b1 == of_b.end() || b2 == of_b.end()) return;
    bones.push_back({Bone{a1->second, a2->second}, Bone{b1->second, b2->second}});
  };
  using R = JointRole;
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    for (const auto& [from, to] : {std::pair{R::thigh, R::shin}, std::pair{R::shin, R::foot},
                                   std::pair{R::upper_arm, R::forearm}, std::pair{R::forearm, R::hand}}) {
      add({from, side}, {to, side});
    }
  }
  return bones;
}

using Frames = std::vector<std::vector<Vec3d>>;

// Turn about the vertical that brings the source's bones nearest to the target's.
inline Mat3d facing(const std::vector<std::array<Bone, 2>>& bones, const Frames& source, const Frames& target,
                    const Mat3d& upright) {
  double along = 0, across = 0;
  for (std::size_t f = 0; f < source.size(); ++f) {
    for (const auto& [a, b] : bones) {
      const Vec3d p = upright * (source[f][a.to] - source[f][a.from]).normalized();
      const Vec3d q = (target[f][b.to] - target[f][b.from]).normalized();
      along += p.x() * q.x() + p.z() * q.z();
      across += p.z() * q.x() - p.x() * q.z();
    }
  }
  return Eigen::AngleAxisd(std::atan2(across, along), Vec3d::UnitY()).toRotationMatrix() * upright;
}

inline double angle(const Vec3d& a, const Vec3d& b) { return std::atan2(a.cross(b).norm(), a.dot(b)) * 180 / M_PI; }

inline Vec3d middle_of(const std::vector<Vec3d>& frame, const std::map<Key, int>& joints, JointRole role) {
  Vec3d sum = Vec3d::Zero();
  int count = 0;
  for (const BodySide side : {BodySide::left, BodySide::right}) {
    const auto found = joints.find({role, side});
    if (found != joints.end()) sum += frame[found->second], ++count;
  }
  return count == 2 ? Vec3d(sum / 2) : Vec3d::Constant(NAN);
}

inline double flat_way(const Frames& frames, const std::map<Key, int>& joints, const Vec3d& up) {
  double way = 0;
  for (std::size_t f = 10; f < frames.size(); f += 10) {
    Vec3d step = middle_of(frames[f], joints, JointRole::thigh) - middle_of(frames[f - 10], joints, JointRole::thigh);
    way += (step - step.dot(up) * up).norm();
  }
  return way;
}

inline double leg_length(const Skeleton& skeleton, const std::map<Key, int>& joints) {
  const auto thigh = joints.find({JointRole::thigh, BodySide::left}),
             shin = joints.find({JointRole::shin, BodySide::left}),
             foot = joints.find({JointRole::foot, BodySide::left});
  if (thigh == joints.end() || shin == joints.end() || foot == joints.end()) return NAN;
  return (skeleton.position(shin->second) - skeleton.position(thigh->second)).norm() +
         (skeleton.position(foot->second) - skeleton.position(shin->second)).norm();
}

// Share of the parts of a body that follow something.
inline double mapped_share(const Skeleton& target, const RetargetMap& map) {
  int parts = 0, follow = 0;
  for (const auto& [key, joint] : first_joints(target)) {
    switch (key.first) {
      case JointRole::hips:
      case JointRole::head:
      case JointRole::upper_arm:
      case JointRole::forearm:
      case JointRole::hand:
      case JointRole::thigh:
      case JointRole::shin:
      case JointRole::foot:
        ++parts;
        follow += std::find(map.unlinked.begin(), map.unlinked.end(), joint) == map.unlinked.end();
        break;
      default:
        break;
    }
  }
  return parts > 0 ? static_cast<double>(follow) / parts : 0.0;
}

inline void measure_skin(const Character& played, RetargetMeasure& result) {
  if (!played.has_skin()) return;
  const auto& rest = played.mesh.positions;
  float low = 1e30F, high = -1e30F;
  for (const Vec3f& p : rest) low = std::min(low, p.y()), high = std::max(high, p.y());
  const double height = high - low;
  const Motion& motion = played.motions[0];
  const int frames = motion.frame_count(), step = std::max(1, frames / 24);
  std::vector<double> lowest, torn;
  for (int f = 0; f < frames; f += step) {
    const auto posed =
        pose_positions(rest, played.weights, skinning_transforms(played.skeleton, frame_pose(motion, f)));
    float now = 1e30F;
    for (const Vec3f& p : posed) now = std::min(now, p.y());
    lowest.push_back((now - low) / height);
    std::vector<float> stretch;
    for (const auto& triangle : played.mesh.triangles) {
      for (int k = 0; k < 3; ++k) {
        const auto a = triangle[k], b = triangle[(k + 1) % 3];
        const float before = std::max<float>((rest[a] - rest[b]).norm(), 0.01F * static_cast<float>(height));
        stretch.push_back((posed[a] - posed[b]).norm() / before);
      }
    }
    if (stretch.empty()) continue;
    const auto rank = stretch.begin() + static_cast<std::ptrdiff_t>(0.999 * static_cast<double>(stretch.size() - 1));
    std::nth_element(stretch.begin(), rank, stretch.end());
    torn.push_back(*rank);
  }
  std::sort(lowest.begin(), lowest.end());
  if (lowest.empty()) return;
  result.floor_deepest = lowest.front();
  result.floor_median = lowest[lowest.size() / 2];
  if (!torn.empty()) result.torn = *std::max_element(torn.begin(), torn.end());
}

}  // namespace measure_detail

// `played`: the character with the result as its first motion; `clip`: with the one motion it came from.
inline RetargetMeasure measure_retargeting(const Character& clip, const Character& played,
                                           const RetargetResult& result) {
  using namespace measure_detail;
  RetargetMeasure measure;
  measure.slide = result.worst().worst_slide;
  measure.feet_median = result.motions[0].floor_median;
  measure.feet_deepest = result.motions[0].floor_deepest;
  measure.mapped = mapped_share(played.skeleton, result.map);
  const Skeleton &from = clip.skeleton, &to = played.skeleton;
  const bool offsets = bones_collapse(from, clip.motions[0]);
  const Frames source = joint_positions(from, offsets ? with_places(from, clip.motions[0]) : clip.motions[0]),
               target = joint_positions(to, played.motions[0]);
  const auto bones = common_bones(from, to);
  const auto of_from = first_joints(from), of_to = first_joints(to);
  // Files say which way is up by their rest pose; characters stand along +y.
  const Vec3d up = body_frame(from, identify_joints_anyhow(from)).up;
  const Mat3d turn = facing(bones, source, target, rotation_between(up, Vec3d::UnitY()).toRotationMatrix());
  double sum = 0, count = 0, leans = 0, trunks = 0;
  for (std::size_t f = 0; f < source.size(); ++f) {
    for (const auto& [a, b] : bones) {
      sum += angle(turn * (source[f][a.to] - source[f][a.from]), target[f][b.to] - target[f][b.from]);
      ++count;
      const double rest = (to.position(b.to) - to.position(b.from)).norm();
      if (rest > 0) {
        const double stretch = std::abs((target[f][b.to] - target[f][b.from]).norm() / rest - 1);
        measure.limb_stretch = std::max(measure.limb_stretch, stretch);
      }
    }
    const Vec3d a =
        middle_of(source[f], of_from, JointRole::upper_arm) - middle_of(source[f], of_from, JointRole::thigh);
    const Vec3d b = middle_of(target[f], of_to, JointRole::upper_arm) - middle_of(target[f], of_to, JointRole::thigh);
    if (!a.allFinite() || !b.allFinite()) continue;
    ++trunks;
    leans += angle(turn * a, b) < 30;
  }
  measure.direction_error = count > 0 ? sum / count : 180;
  measure.upright = trunks > 0 ? leans / trunks : 1;
  const double own = flat_way(target, of_to, Vec3d::UnitY()) / leg_length(to, of_to),
               other = flat_way(source, of_from, up) / leg_length(from, of_from);
  measure.hips_path = other > 0.5 ? own / other : 1;
  measure_skin(played, measure);
  return measure;
}

// How far a result is from what is asked for; 1 and less is what is asked for.
inline double badness(const RetargetMeasure& m) {
  const auto finite = [](double value) { return std::isfinite(value) ? value : 1e3; };
  return std::max({finite(m.direction_error) / 5, (1 - m.upright) * 20, (1 - m.mapped) * 10, m.limb_stretch / 0.01,
                   m.slide / 0.01, finite(m.torn) / 6, std::abs(std::log(std::max(1e-3, finite(m.hips_path)))) / 0.25});
}

// Whether somebody walks or runs on a flat floor: there feet have no business below it.
inline bool walks_or_runs(const std::string& clip) {
  for (const char* word : {"walk", "Walk", "run", "Run", "02_01", "02_03", "09_01"}) {
    if (clip.find(word) != std::string::npos) return true;
  }
  return false;
}

inline Verdict judge(const RetargetMeasure& m, const std::string& clip, std::string& why) {
  const auto finite = [](double value) { return std::isfinite(value) ? value : 1e3; };
  const auto say = [&](bool bad, const char* what) {
    if (bad) why += (why.empty() ? "" : ", ") + std::string(what);
    return bad;
  };
  bool broken = say(finite(m.direction_error) > 10, "limbs point elsewhere");
  broken |= say(m.upright < 0.9, "leans");
  broken |= say(m.mapped < 0.75, "little mapped");
  broken |= say(m.limb_stretch > 0.05, "limbs stretch");
  broken |= say(finite(m.torn) > 10, "torn");
  broken |= say(m.slide > 0.03, "slides");
  broken |= say(finite(m.hips_path) > 1.6 || m.hips_path < 0.6, "left behind");
  broken |= say(m.floor_deepest < -0.15, "far below the floor");
  if (broken) return Verdict::broken;
  bool off = say(m.direction_error > 5, "limbs a little off");
  off |= say(m.slide > 0.01, "slides a little");
  off |= say(m.mapped < 0.99, "parts without a source");
  off |= say(std::abs(m.feet_median) > 0.005, "feet off the floor");
  off |= say(walks_or_runs(clip) && m.feet_deepest < -0.015, "feet sink");
  off |= say(m.limb_stretch > 1e-3, "limbs stretch a little");
  off |= say(m.upright < 0.99, "leans a little");
  off |= say(walks_or_runs(clip) && m.floor_deepest < -0.03, "skin sinks");
  return off ? Verdict::near : Verdict::plausible;
}

}  // namespace sinew::bench
