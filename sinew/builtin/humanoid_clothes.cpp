#include <cmath>

#include "sinew/builtin/humanoid_parts.h"

namespace sinew::builtin {
namespace {

std::uint32_t bit(int group) { return 1u << group; }

// The layer of cloth around some groups of the body. `outside` is positive where the garment ends.
SurfacePart garment_part(SurfacePart part, const HumanoidPlan& plan, const HumanoidField& body, std::uint32_t groups,
                         double looseness, std::function<double(const Vec3d&)> thickness,
                         std::function<double(const Vec3d&)> outside) {
  const AABBd bounds = body.field.bounds();
  const Vec3d margin = Vec3d::Constant(0.05 * plan.unit);
  part.box = AABBd(bounds.min() - margin, bounds.max() + margin);
  part.box.min().x() = 0;
  part.cell = 0.022 * plan.unit;
  const double hem = 0.009 * plan.unit;
  // Small triangles along hems, where the cloth turns sharply.
  part.edge_length = [outside, width = 0.03 * plan.unit](const Vec3d& p) {
    return 0.95 - 0.5 * (1 - smooth_step(0.3 * width, width, std::abs(outside(p))));
  };
  part.field = [&body, groups, hem, looseness, thickness = std::move(thickness),
                outside = std::move(outside)](const Vec3d& p) {
    return smooth_max(body.field.value(p, groups) - looseness * thickness(p), outside(p), hem);
  };
  return part;
}

struct TopCut {
  double thickness;  // metres on a 1.75 m adult
  double sleeve;     // 0 shoulder … 1 wrist
  double hem;        // below the hip joint, metres on a 1.75 m adult
};

SurfacePart top_part(const HumanoidPlan& plan, const HumanoidField& body, SurfacePart part, double looseness,
                     const TopCut& cut) {
  const double u = plan.unit;
  const double sleeve = cut.sleeve * (plan.wrist - plan.shoulder).norm();
  const int torso = body.groups.torso, arm = body.groups.arm;
  const auto thickness = [&plan, thick = cut.thickness * u](const Vec3d& p) {
    // Looser around the belly and at the hem.
    return thick * (1 + 0.9 * (1 - smooth_step(plan.hip.y() - 0.1 * plan.unit, plan.spine2.y(), p.y())));
  };
  const auto outside = [&plan, &body, torso, arm, sleeve, u, low = plan.hip.y() - cut.hem * u](const Vec3d& p) {
    const double below = low - p.y();
    // The neck comes out of a round opening that reaches lower in front.
    const Vec3d off = p - plan.neck - Vec3d(0, 0.045, 0.022) * u;
    const double above_neck = 0.081 * u * plan.proportions.neck_girth - Vec3d(off.x(), 0.9 * off.y(), off.z()).norm();
    double past_sleeve = (p - plan.shoulder).dot(plan.arm_along) - sleeve;
    if (past_sleeve > -0.02 * u) {
      // Only on the arm: with the arms down, the flank is as far along the arm as the sleeve.
      const double on_arm = body.field.group_value(torso, p) - body.field.group_value(arm, p);
      past_sleeve = std::min(past_sleeve, on_arm);
    }
    return std::max({below, above_neck, past_sleeve});
  };
  return garment_part(std::move(part), plan, body, bit(torso) | bit(arm) | bit(body.groups.leg), looseness, thickness,
                      outside);
}

SurfacePart trousers_part(const HumanoidPlan& plan, const HumanoidField& body, SurfacePart part, double looseness,
                          double cuff_y) {
  const double u = plan.unit, waist_y = plan.hip.y() + 0.20 * plan.torso_length;
  const auto thickness = [&plan, u](const Vec3d& p) {
    const double below_knee = 1 - smooth_step(plan.ankle.y(), plan.knee.y() + 0.1 * u, p.y());
    return u * (0.006 + 0.014 * below_knee);
  };
  const auto outside = [cuff_y, waist_y](const Vec3d& p) { return std::max(cuff_y - p.y(), p.y() - waist_y); };
  return garment_part(std::move(part), plan, body, bit(body.groups.torso) | bit(body.groups.leg), looseness, thickness,
                      outside);
}

SurfacePart shoe_part(const HumanoidPlan& plan, const HumanoidField& body, SurfacePart part, double looseness,
                      double top_y) {
  const double f = plan.foot_unit;
  const auto thickness = [f](const Vec3d&) { return 0.0075 * f; };
  const auto outside = [top_y, f, &plan](const Vec3d& p) {
    return std::max(p.y() - top_y + 0.3 * (p.z() - plan.ankle.z()), -p.y() - 0.001 * f);
  };
  SurfacePart shoe = garment_part(std::move(part), plan, body, bit(body.groups.leg) | bit(body.groups.foot), looseness,
                                  thickness, outside);
  shoe.edge_length = [](const Vec3d&) { return 0.6; };
  return shoe;
}

}  // namespace

void add_clothes(const HumanoidPlan& plan, const HumanoidField& body, const HumanoidWeights& weights, const Look& look,
                 std::vector<SurfacePart>& parts) {
  const auto part = [&](const char* name, const char* material, const Vec3f& colour) {
    return dressed_part(plan, weights, name, material, colour);
  };
  const double u = plan.unit, knee = plan.knee.y(), ankle = plan.ankle.y();
  switch (look.garment) {
    case BuiltinGarment::automatic:
    case BuiltinGarment::bare:
    case BuiltinGarment::none:
      return;
    case BuiltinGarment::sport:
      parts.push_back(top_part(plan, body, part("Shirt", "Shirt", look.top), look.looseness, {0.008, 0.32, 0.02}));
      parts.push_back(
          trousers_part(plan, body, part("Shorts", "Trousers", look.bottom), look.looseness, knee + 0.12 * u));
      parts.push_back(shoe_part(plan, body, part("Shoes", "Shoes", look.shoes), look.looseness, ankle + 0.02 * u));
      return;
    case BuiltinGarment::casual:
      parts.push_back(top_part(plan, body, part("Shirt", "Shirt", look.top), look.looseness, {0.009, 0.90, 0.05}));
      parts.push_back(
          trousers_part(plan, body, part("Trousers", "Trousers", look.bottom), look.looseness, ankle + 0.03 * u));
      parts.push_back(shoe_part(plan, body, part("Shoes", "Shoes", look.shoes), look.looseness, ankle + 0.02 * u));
      return;
    case BuiltinGarment::jacket:
      parts.push_back(top_part(plan, body, part("Jacket", "Jacket", look.top), look.looseness, {0.017, 0.93, 0.09}));
      parts.push_back(
          trousers_part(plan, body, part("Trousers", "Trousers", look.bottom), look.looseness, ankle + 0.06 * u));
      parts.push_back(shoe_part(plan, body, part("Boots", "Shoes", look.shoes), look.looseness, ankle + 0.16 * u));
      return;
    case BuiltinGarment::skirt:
      parts.push_back(top_part(plan, body, part("Shirt", "Shirt", look.top), look.looseness, {0.007, 0.30, -0.06}));
      parts.push_back(shoe_part(plan, body, part("Shoes", "Shoes", look.shoes), look.looseness, ankle + 0.005 * u));
      return;
  }
}

}  // namespace sinew::builtin
