// What bench_fit fits: skeletons that do not fit their mesh, each with the places where its joints belong.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "sinew/anatomy/joint_structure.h"
#include "sinew/anatomy/legs.h"
#include "sinew/base/random.h"
#include "sinew/builtin/builtin_character.h"
#include "sinew/character.h"

namespace sinew::bench {

// A skeleton to fit and the same joints where they belong, with what each of them is.
struct FitCase {
  Skeleton skeleton, truth;
  std::vector<JointIdentity> roles;
};

inline bool is_limb(JointRole role) {
  return role == JointRole::upper_arm || role == JointRole::forearm || role == JointRole::hand ||
         role == JointRole::thigh || role == JointRole::shin || role == JointRole::foot;
}

// Trunk and limbs: what the peers' table counts.
inline bool is_body(JointRole role) {
  return is_limb(role) || role == JointRole::hips || role == JointRole::spine || role == JointRole::chest ||
         role == JointRole::neck || role == JointRole::head || role == JointRole::clavicle || role == JointRole::toe;
}

// The artist's own skeleton, three times as large and elsewhere.
inline FitCase original_case(const Skeleton& truth) {
  FitCase result{truth, truth, identify_joints_anyhow(truth)};
  for (Affine3d& rest : result.skeleton.rest) rest.translation() = 3 * rest.translation() + Vec3d(1, 0, 2);
  return result;
}

// Leaves out and adds joints, both sides alike: `truth` and `roles` of `result` are filled.
inline void change_joints(const Skeleton& truth, const std::vector<JointIdentity>& roles, Random& random,
                          FitCase& result) {
  std::map<int, bool> left_out, split;  // per role
  std::vector<int> index(truth.names.size(), -1);
  for (int j = 0; j < truth.joint_count(); ++j) {
    const JointRole role = roles[j].role;
    const auto key = static_cast<int>(role);
    const bool may_go = role == JointRole::clavicle || role == JointRole::toe || role == JointRole::twist ||
                        (role == JointRole::spine && roles[j].index > 1) || is_finger(role);
    const bool may_split = role == JointRole::forearm || role == JointRole::hand || role == JointRole::shin;
    if (!left_out.contains(key)) left_out[key] = random.uniform() < 0.4;
    if (!split.contains(key)) split[key] = random.uniform() < 0.35;
    int parent = truth.parents[j];
    while (parent >= 0 && index[parent] < 0) parent = truth.parents[parent];
    const int above = parent >= 0 ? index[parent] : -1;
    if (may_go && left_out[key]) continue;
    int own_parent = above;
    if (may_split && split[key] && roles[j].index == 1 && parent >= 0 && roles[parent].role != JointRole::root) {
      Affine3d middle = truth.rest[parent];
      middle.translation() = 0.5 * (truth.position(parent) + truth.position(j));
      own_parent = add_joint(result.truth, truth.names[parent] + "_Twist", above, middle);
      result.roles.push_back({JointRole::twist, roles[j].side, 1});
    }
    index[j] = add_joint(result.truth, truth.names[j], own_parent, truth.rest[j], truth.kinds[j]);
    result.roles.push_back(roles[j]);
  }
}

// Joints added and left out, other bone lengths, another size and root height; every second one nameless as well.
inline FitCase augmented_case(const Skeleton& truth, std::uint64_t seed) {
  Random random(seed);
  FitCase result;
  change_joints(truth, identify_joints_anyhow(truth), random, result);
  result.skeleton = result.truth;
  std::map<int, double> factor;  // per role: left and right alike
  const double size = random.uniform(0.3, 3.0), lift = size * random.uniform(-1.0, 1.0);
  for (int j = 0; j < result.truth.joint_count(); ++j) {
    const int parent = result.truth.parents[j];
    const auto key = static_cast<int>(result.roles[j].role);
    if (!factor.contains(key)) factor[key] = size * random.uniform(0.75, 1.3);
    const Vec3d offset = result.truth.position(j) - (parent >= 0 ? result.truth.position(parent) : Vec3d::Zero());
    const Vec3d from = parent >= 0 ? result.skeleton.position(parent) : Vec3d(0, lift, 0);
    result.skeleton.rest[j].translation() = from + factor[key] * offset;
    if (seed % 2 == 0) result.skeleton.names[j] = "bone_" + std::to_string(j);
  }
  return result;
}

inline bool on_four_legs(const std::string& name, const Skeleton& skeleton) {
  if (name.starts_with("quaternius_Wolf") || name.starts_with("pm_003_Hexabear")) return true;  // odd names
  const std::vector<Leg> legs = legs_of(skeleton, identify_joints_anyhow(skeleton));
  return std::any_of(legs.begin(), legs.end(), [](const Leg& leg) { return leg.front; });
}

// The built-in skeleton, and the artist's joints of the same kinds.
inline FitCase builtin_case(bool four_legs, const Skeleton& truth) {
  BuiltinOptions options;
  options.kind = four_legs ? BuiltinKind::quadruped : BuiltinKind::adult;
  options.vertex_budget = 1000;
  FitCase result;
  result.skeleton = make_builtin_character(options).skeleton;
  result.truth = result.skeleton;
  result.roles = identify_joints_anyhow(result.skeleton);
  const std::vector<JointIdentity> known = identify_joints_anyhow(truth);
  for (std::size_t j = 0; j < result.roles.size(); ++j) {
    const auto found = std::find(known.begin(), known.end(), result.roles[j]);
    if (found != known.end() && is_body(found->role)) {
      result.truth.rest[j].translation() = truth.position(static_cast<int>(found - known.begin()));
    } else {
      result.roles[j] = {};  // the artist has none: it does not count
    }
  }
  return result;
}

// The joints that count, as a character that compare_skeletons takes.
inline Character counted_joints(const Skeleton& skeleton, const std::vector<JointIdentity>& roles,
                                const TriangleMesh& mesh) {
  Character result;
  result.mesh = mesh;
  std::vector<int> index(skeleton.names.size(), -1);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.kinds[j] != JointKind::joint || !is_body(roles[j].role)) continue;
    int parent = skeleton.parents[j];
    while (parent >= 0 && index[parent] < 0) parent = skeleton.parents[parent];
    index[j] = add_joint(result.skeleton, skeleton.names[j], parent >= 0 ? index[parent] : -1, skeleton.rest[j]);
  }
  return result;
}

}  // namespace sinew::bench
