#include "sinew/builtin/builtin_character.h"

#include "sinew/base/error.h"
#include "sinew/builtin/humanoid_weights.h"
#include "sinew/builtin/surface_part.h"

namespace sinew {

using namespace builtin;

Character make_builtin_character(const BuiltinOptions& options, const Progress& progress) {
  if (options.vertex_budget < 1000 || options.vertex_budget > 500'000) {
    throw Error(ErrorKind::usage, "a built-in character has 1,000 to 500,000 vertices");
  }
  const HumanoidPlan plan = plan_humanoid(options.proportions.value_or(Proportions{}), options.vertex_budget < 3000);
  const HumanoidField body = humanoid_field(plan);
  Character character;
  character.name = "adult";
  character.skeleton = humanoid_skeleton(plan);
  const HumanoidWeights weights(plan, body, character.skeleton);

  SurfacePart skin;
  skin.name = "Body";
  skin.material = "Skin";
  const AABBd bounds = body.field.bounds();
  const Vec3d margin = Vec3d::Constant(0.02 * plan.unit);
  skin.box = AABBd(bounds.min() - margin, bounds.max() + margin);
  skin.box.min().x() = 0;
  skin.cell = 0.020 * plan.unit;
  skin.field = [&](const Vec3d& p) { return body.field.value(p); };
  skin.project = [&](const Vec3d& p, bool in_plane) { return body.field.project(p, 0, in_plane, 2); };
  skin.edge_length = [&](const Vec3d& p) {
    const double hand = std::clamp((p - plan.wrist).dot(plan.arm_along) / (0.1 * plan.hand_unit), 0.0, 1.0);
    const double near_hand = (p - plan.wrist).norm() < 0.3 * plan.hand_unit ? hand : 0.0;
    const double head = smooth_step(plan.chin_y - 0.05 * plan.unit, plan.chin_y + 0.03 * plan.unit, p.y()) *
                        smooth_step(-0.04 * plan.head_unit, 0.06 * plan.head_unit, p.z());
    return (1.0 - 0.68 * near_hand) * (1.0 - 0.5 * head);
  };
  skin.weights = [&](const Vec3d& p) { return weights.at(p); };
  skin.colour = [](const Vec3d&) { return Vec4f(0.8f, 0.62f, 0.5f, 1.0f); };
  skin.uv = [](const Vec3d&) { return Vec2f(0, 0); };
  mesh_parts({skin}, options.vertex_budget, character, progress);
  return character;
}

}  // namespace sinew
