#include "sinew/builtin/builtin_character.h"

#include <algorithm>
#include <cmath>

#include "sinew/builtin/builtin_motions.h"
#include "sinew/builtin/humanoid_parts.h"
#include "sinew/builtin/quadruped.h"
#include "sinew/builtin/skirt.h"
#include "sinew/error.h"

namespace sinew {
namespace {

using namespace builtin;

// Below this there are not enough vertices for five fingers.
constexpr std::size_t fingers_need = 4000;

// Whether the lowered arms keep clear of hips and thighs.
bool arms_are_free(const HumanoidPlan& plan) {
  const HumanoidField body = humanoid_field(plan);
  const std::uint32_t groups = 1u << body.groups.torso | 1u << body.groups.leg;
  const auto gap = [&](const Vec3d& p) { return body.field.value(p, groups); };
  for (const FingerPlan& finger : plan.fingers) {
    for (int i = 0; i < 4; ++i) {
      if (gap(finger.joints[i]) < finger.radii[i] + 0.02 * plan.unit) return false;
    }
  }
  return gap(plan.wrist) > 0.065 * plan.hand_unit;
}

HumanoidPlan plan_in_pose(Proportions proportions, BuiltinPose pose, bool mitten) {
  if (pose == BuiltinPose::a) proportions.arm_angle_deg = 45;
  // A wide body with short arms cannot lower them that far.
  HumanoidPlan plan = plan_humanoid(proportions, mitten);
  while (proportions.arm_angle_deg > 5 && !arms_are_free(plan)) {
    proportions.arm_angle_deg -= 5;
    plan = plan_humanoid(proportions, mitten);
  }
  return plan;
}

Proportions proportions_of(const BuiltinOptions& options) {
  return options.proportions.value_or(random_proportions(options.kind, options.seed));
}

HumanoidPlan humanoid_plan_of(const BuiltinOptions& options) {
  return plan_in_pose(proportions_of(options), options.pose, options.vertex_budget < fingers_need);
}

QuadrupedPlan quadruped_plan_of(const BuiltinOptions& options) {
  return plan_quadruped(options.quadruped_proportions.value_or(random_quadruped_proportions(options.seed)));
}

std::vector<Motion> humanoid_motions(const HumanoidPlan& plan, const Skeleton& skeleton) {
  return {humanoid_walk(plan, skeleton), humanoid_range_of_motion(plan, skeleton)};
}

std::vector<Motion> quadruped_motions(const QuadrupedPlan& plan, const Skeleton& skeleton) {
  return {quadruped_walk(plan, skeleton), quadruped_trot(plan, skeleton), quadruped_range_of_motion(plan, skeleton)};
}

Character make_humanoid(const BuiltinOptions& options, const Progress& progress) {
  const Proportions proportions = proportions_of(options);
  const HumanoidPlan plan = humanoid_plan_of(options);
  const HumanoidField body = humanoid_field(plan);
  Character character;
  character.skeleton = humanoid_skeleton(plan);
  Look look = random_look(options.kind, proportions, options.garment, options.seed);
  look.looseness = std::clamp(std::sqrt(6000.0 / static_cast<double>(options.vertex_budget)), 1.0, 2.4);
  std::optional<Skirt> skirt;
  if (look.garment == BuiltinGarment::skirt) {
    skirt.emplace(plan, body);
    skirt->add_joints(character.skeleton);
  }
  const HumanoidWeights weights(plan, body, character.skeleton);
  std::vector<SurfacePart> parts = humanoid_parts(plan, body, weights, look);
  if (skirt) parts.push_back(skirt->part(weights, look, character.skeleton));
  mesh_parts(parts, options.vertex_budget, character, progress);
  character.motions = humanoid_motions(plan, character.skeleton);
  if (skirt) {
    for (Motion& motion : character.motions) Skirt::follow_legs(character.skeleton, motion);
  }
  return character;
}

Character make_quadruped(const BuiltinOptions& options, const Progress& progress) {
  const QuadrupedPlan plan = quadruped_plan_of(options);
  const QuadrupedField body = quadruped_field(plan);
  Character character;
  character.skeleton = quadruped_skeleton(plan);
  const QuadrupedWeights weights(plan, body, character.skeleton);
  std::vector<SurfacePart> parts = quadruped_parts(plan, body, weights, options.seed);
  if (options.garment == BuiltinGarment::bare) parts.resize(1);
  mesh_parts(parts, options.vertex_budget, character, progress);
  character.motions = quadruped_motions(plan, character.skeleton);
  return character;
}

}  // namespace

const char* kind_name(BuiltinKind kind) {
  constexpr const char* names[] = {"adult", "child", "toon", "bulky", "quadruped"};
  return names[static_cast<int>(kind)];
}

const std::map<std::string, BuiltinKind>& builtin_kinds() {
  static const std::map<std::string, BuiltinKind> kinds = [] {
    std::map<std::string, BuiltinKind> named;
    for (int kind = 0; kind <= static_cast<int>(BuiltinKind::quadruped); ++kind) {
      named[kind_name(static_cast<BuiltinKind>(kind))] = static_cast<BuiltinKind>(kind);
    }
    return named;
  }();
  return kinds;
}

const std::map<std::string, BuiltinPose>& builtin_poses() {
  static const std::map<std::string, BuiltinPose> poses{{"T", BuiltinPose::t}, {"A", BuiltinPose::a}};
  return poses;
}

const std::map<std::string, BuiltinGarment>& builtin_garments() {
  static const std::map<std::string, BuiltinGarment> garments{
      {"automatic", BuiltinGarment::automatic}, {"bare", BuiltinGarment::bare},     {"none", BuiltinGarment::none},
      {"sport", BuiltinGarment::sport},         {"casual", BuiltinGarment::casual}, {"jacket", BuiltinGarment::jacket},
      {"skirt", BuiltinGarment::skirt}};
  return garments;
}

Character make_builtin_character(const BuiltinOptions& options, const Progress& progress) {
  if (options.vertex_budget < 1000 || options.vertex_budget > 500'000) {
    throw Error(ErrorCode::option_out_of_range, "a built-in character has 1,000 … 500,000 vertices").about("vertices");
  }
  Character character;
  if (options.kind == BuiltinKind::quadruped) {
    character = make_quadruped(options, progress);
  } else {
    character = make_humanoid(options, progress);
  }
  character.name = std::string(kind_name(options.kind)) + "_" + std::to_string(options.seed);
  return character;
}

Character make_builtin_rig(const BuiltinOptions& options) {
  Character rig;
  if (options.kind == BuiltinKind::quadruped) {
    const QuadrupedPlan plan = quadruped_plan_of(options);
    rig.skeleton = quadruped_skeleton(plan);
    rig.motions = quadruped_motions(plan, rig.skeleton);
  } else {
    const HumanoidPlan plan = humanoid_plan_of(options);
    rig.skeleton = humanoid_skeleton(plan);
    rig.motions = humanoid_motions(plan, rig.skeleton);
  }
  rig.name = std::string(kind_name(options.kind)) + "_" + std::to_string(options.seed);
  return rig;
}

}  // namespace sinew
