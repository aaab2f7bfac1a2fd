#include "sinew/builtin/builtin_character.h"

#include "sinew/base/error.h"
#include "sinew/builtin/builtin_motions.h"
#include "sinew/builtin/humanoid_parts.h"

namespace sinew {
namespace {

using namespace builtin;

// Below this there are not enough vertices for five fingers.
constexpr std::size_t fingers_need = 3000;

Character make_humanoid(const BuiltinOptions& options, Proportions proportions, const Progress& progress) {
  if (options.pose == BuiltinPose::a) proportions.arm_angle_deg = 45;
  const HumanoidPlan plan = plan_humanoid(proportions, options.vertex_budget < fingers_need);
  const HumanoidField body = humanoid_field(plan);
  Character character;
  character.skeleton = humanoid_skeleton(plan);
  const HumanoidWeights weights(plan, body, character.skeleton);
  const Look look = random_look(options.kind, proportions, options.garment, options.seed);
  mesh_parts(humanoid_parts(plan, body, weights, look), options.vertex_budget, character, progress);
  character.motions = {humanoid_walk(plan, character.skeleton), humanoid_range_of_motion(plan, character.skeleton)};
  return character;
}

}  // namespace

Character make_builtin_character(const BuiltinOptions& options, const Progress& progress) {
  if (options.vertex_budget < 1000 || options.vertex_budget > 500'000) {
    throw Error(ErrorKind::usage, "a built-in character has 1,000 to 500,000 vertices");
  }
  const Proportions proportions = options.proportions.value_or(random_proportions(options.kind, options.seed));
  return make_humanoid(options, proportions, progress);
}

}  // namespace sinew
