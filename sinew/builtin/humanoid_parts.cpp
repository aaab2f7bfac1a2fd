#include "sinew/builtin/humanoid_parts.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace sinew::builtin {
namespace {

Vec4f opaque(const Vec3f& c) { return {c.x(), c.y(), c.z(), 1.0f}; }

SurfacePart body_part(const HumanoidPlan& plan, const HumanoidField& body, const HumanoidWeights& weights,
                      const Look& look) {
  SurfacePart part = dressed_part(plan, weights, "Body", "Skin", look.skin);
  const Vec3d margin = Vec3d::Constant(0.02 * plan.unit);
  const AABBd bounds = body.field.bounds();
  part.box = AABBd(bounds.min() - margin, bounds.max() + margin);
  part.box.min().x() = 0;
  part.cell = 0.020 * plan.unit;
  part.simple = true;
  part.field = [&body](const Vec3d& p) { return body.field.value(p); };
  part.edge_length = [&plan](const Vec3d& p) { return humanoid_edge_length(plan, p); };
  // Fingers are told apart by cells smaller than the air between them.
  part.largest_cell_at = [&plan](const Vec3d& p) {
    const double past_wrist = (p - plan.wrist).dot(plan.arm_along), h = plan.hand_unit;
    const bool fingers = past_wrist > 0.06 * h && (p - plan.wrist).norm() < 0.25 * h;
    return fingers ? 0.0055 * h : 0.05 * plan.unit;
  };
  // Lips and brows, painted.
  const Vec3d face(0, plan.chin_y, 0);
  const double h = plan.head_unit, w = h * plan.proportions.head_width, d = h * plan.proportions.head_depth;
  part.colour = [=, skin = look.skin, hair = look.hair](const Vec3d& p) {
    const Vec3d q = p - face;
    const double lips = 1 - smooth_step(0.5, 1.4, std::hypot(q.x() / (0.022 * w), (q.y() - 0.054 * h) / (0.0085 * h)));
    const double front = smooth_step(0.04 * d, 0.06 * d, q.z());
    const double brow_y = 0.1335 * h - 0.12 * std::abs(q.x() - 0.030 * w);
    const double brow =
        1 - smooth_step(0.35, 1.6, std::hypot((q.x() - 0.031 * w) / (0.019 * w), (q.y() - brow_y) / (0.0045 * h)));
    Vec3f colour = skin;
    const Vec3f lip_colour = skin.cwiseProduct(Vec3f(0.85f, 0.50f, 0.50f));
    colour += static_cast<float>(0.6 * lips * front) * (lip_colour - colour);
    colour += static_cast<float>(0.65 * brow * front) * (hair - colour);
    return opaque(colour);
  };
  return part;
}

SurfacePart eye_part(const HumanoidPlan& plan, const HumanoidWeights& weights, const Look& look) {
  SurfacePart part = dressed_part(plan, weights, "Eyes", "Eyes", {0.86f, 0.84f, 0.82f});
  const Vec3d centre = plan.eye;
  const double radius = plan.eye_radius;
  part.box = AABBd(centre - Vec3d::Constant(1.3 * radius), centre + Vec3d::Constant(1.3 * radius));
  part.cell = radius;
  part.field = [centre, radius](const Vec3d& p) { return (p - centre).norm() - radius; };
  part.edge_length = [](const Vec3d&) { return 0.16; };
  part.colour = [centre, radius, iris = look.iris](const Vec3d& p) {
    const Vec3d direction = (p - centre) / radius;
    // The eyes look straight ahead, a little to each other.
    const double away = (direction - Vec3d(-0.05, 0, 0.9987)).norm();
    Vec3f colour(0.86f, 0.84f, 0.82f);
    colour += static_cast<float>(1 - smooth_step(0.58, 0.76, away)) * (iris - colour);
    colour += static_cast<float>(1 - smooth_step(0.26, 0.46, away)) * (Vec3f(0.01f, 0.01f, 0.01f) - colour);
    return opaque(colour);
  };
  return part;
}

// Hair is a closed solid over the skull, cut away in front of the face and around the ears.
std::shared_ptr<BodyField> hair_field(const HumanoidPlan& plan, HairStyle style) {
  const Proportions& p = plan.proportions;
  const double h = plan.head_unit, w = h * p.head_width, d = h * p.head_depth;
  const auto at = [&](double x, double y, double z) {
    return Affine3d(Eigen::Translation3d(x * w, plan.chin_y + y * h, 0.006 * h + z * d));
  };
  auto hair = std::make_shared<BodyField>();
  hair->begin_group(0);
  hair->add(Ellipsoid{at(0, 0.148, -0.010), Vec3d(0.0825 * w, 0.0960 * h, 0.1040 * d)}, 0);
  if (style == HairStyle::bob) {
    Loft curtain;
    curtain.frame = at(0, 0, -0.022);
    curtain.squareness = 2.4;
    curtain.start_cap = 0.015 * h;
    curtain.end_cap = 0.04 * h;
    curtain.stations = {{-0.010 * h, 0.078 * w, 0.060 * d, 0.075 * d},
                        {0.050 * h, 0.088 * w, 0.075 * d, 0.092 * d},
                        {0.130 * h, 0.086 * w, 0.085 * d, 0.095 * d}};
    hair->add(curtain, 0.02 * h);
  } else if (style == HairStyle::bun) {
    hair->add(Ellipsoid{at(0, 0.190, -0.105), Vec3d(0.042 * h, 0.040 * h, 0.040 * h)}, 0.012 * h);
  } else if (style == HairStyle::crest) {
    hair->add(Ellipsoid{at(0, 0.215, 0.012), Vec3d(0.060 * w, 0.045 * h, 0.085 * d)}, 0.03 * h);
  }
  // The face, the ears and the neck stay free.
  const double brow = style == HairStyle::bob || style == HairStyle::bun ? 0.165 : 0.172;
  hair->carve(Ellipsoid{at(0, brow - 0.118, 0.105), Vec3d(0.066 * w, 0.118 * h, 0.082 * d)}, 0.012 * h);
  if (style != HairStyle::bob) {
    hair->carve(Ellipsoid{at(0.090, 0.088, 0.004), Vec3d(0.030 * w, 0.048 * h, 0.036 * d)}, 0.010 * h);
    hair->carve(Ellipsoid{at(0, -0.020, 0.0), Vec3d(0.120 * w, 0.085 * h, 0.140 * d)}, 0.010 * h);
  }
  return hair;
}

SurfacePart hair_part(const HumanoidPlan& plan, const HumanoidWeights& weights, const Look& look) {
  SurfacePart part = dressed_part(plan, weights, "Hair", "Hair", look.hair);
  const std::shared_ptr<BodyField> hair = hair_field(plan, look.hair_style);
  const AABBd bounds = hair->bounds();
  const Vec3d margin = Vec3d::Constant(0.02 * plan.head_unit);
  part.box = AABBd(bounds.min() - margin, bounds.max() + margin);
  part.box.min().x() = 0;
  part.cell = 0.016 * plan.head_unit;
  part.field = [hair](const Vec3d& p) { return hair->value(p); };
  part.edge_length = [](const Vec3d&) { return 0.75; };
  return part;
}

}  // namespace

double humanoid_edge_length(const HumanoidPlan& plan, const Vec3d& p) {
  const double h = plan.hand_unit, past_wrist = (p - plan.wrist).dot(plan.arm_along);
  const double hand = (p - plan.wrist).norm() < 0.3 * h ? smooth_step(-0.03 * h, 0.10 * h, past_wrist) : 0.0;
  const double head_y = smooth_step(plan.chin_y - 0.05 * plan.unit, plan.chin_y + 0.03 * plan.unit, p.y());
  const double face = head_y * smooth_step(-0.04 * plan.head_unit, 0.06 * plan.head_unit, p.z());
  const double foot = 1 - smooth_step(0.05 * plan.foot_unit, 0.16 * plan.foot_unit, p.y());
  const double hand_size = 0.35 * std::sqrt(plan.hand_unit / plan.unit),
               head_size = 0.50 * std::cbrt(plan.head_unit / plan.unit);
  double size = 1.0;
  size += hand * (hand_size - size);
  size += face * (std::min(head_size, 0.6) - size);
  // Eyes, nose and mouth.
  const double features = face * smooth_step(0.055 * plan.head_unit, 0.075 * plan.head_unit, p.z()) *
                          smooth_step(0.0, 0.03 * plan.head_unit, p.y() - plan.chin_y) *
                          (1 - smooth_step(0.14 * plan.head_unit, 0.17 * plan.head_unit, p.y() - plan.chin_y));
  size *= 1 - 0.38 * features;
  return size * (1 - 0.35 * foot);
}

SurfacePart dressed_part(const HumanoidPlan& plan, const HumanoidWeights& weights, const char* name,
                         const char* material, const Vec3f& colour) {
  SurfacePart part;
  part.name = name;
  part.material = material;
  part.weights = [&weights](const Vec3d& p) { return weights.at(p); };
  part.colour = [colour](const Vec3d&) { return opaque(colour); };
  const double height = plan.proportions.height;
  // Seen from the front and from the side at once, so that neither is squeezed to nothing; mirrored left and right.
  part.uv = [height](const Vec3d& p) {
    return Vec2f(static_cast<float>(0.5 + (p.x() + 0.6 * p.z()) / (1.3 * height)),
                 static_cast<float>(1 - p.y() / height));
  };
  return part;
}

std::vector<SurfacePart> humanoid_parts(const HumanoidPlan& plan, const HumanoidField& body,
                                        const HumanoidWeights& weights, const Look& look) {
  std::vector<SurfacePart> parts{body_part(plan, body, weights, look)};
  if (look.garment == BuiltinGarment::bare) return parts;
  parts.push_back(eye_part(plan, weights, look));
  if (look.hair_style != HairStyle::bald) parts.push_back(hair_part(plan, weights, look));
  add_clothes(plan, body, weights, look, parts);
  return parts;
}

}  // namespace sinew::builtin
