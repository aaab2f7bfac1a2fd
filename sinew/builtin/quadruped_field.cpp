#include "sinew/builtin/quadruped.h"

namespace sinew::builtin {
namespace {

// An ellipsoid whose y axis runs along `along`.
Ellipsoid along_axis(const Vec3d& centre, const Vec3d& along, const Vec3d& radii) {
  Ellipsoid result;
  result.radii = radii;
  const Vec3d y = along.normalized(),
              x = y.cross(Vec3d::UnitZ()).norm() > 0.1 ? y.cross(Vec3d::UnitZ()).normalized() : Vec3d::UnitX();
  result.frame.linear() << x, y, x.cross(y);
  result.frame.translation() = centre;
  return result;
}

void add_trunk(BodyField& field, const QuadrupedPlan& plan) {
  const QuadrupedProportions& p = plan.proportions;
  const double u = plan.unit, z = u * p.length, g = u * p.girth;
  Loft trunk;
  // y of the loft runs forward, z up, x to the right.
  trunk.frame.linear() << -Vec3d::UnitX(), Vec3d::UnitZ(), Vec3d::UnitY();
  trunk.frame.translation() = Vec3d(0, plan.spine1.y() - 0.055 * u, 0);
  trunk.squareness = 2.15;
  trunk.start_cap = 0.035 * u;
  trunk.end_cap = 0.045 * u;
  trunk.stations = {
      {-0.330 * z, 0.055 * g, 0.052 * g, 0.055 * g, 0, 0.018 * u},
      {-0.255 * z, 0.080 * g, 0.072 * g, 0.080 * g, 0, 0.010 * u},
      {-0.120 * z, 0.076 * g, 0.074 * g, 0.074 * g, 0, 0.010 * u},
      {0.000 * z, 0.088 * g, 0.076 * g, 0.094 * g, 0, 0.004 * u},
      {0.130 * z, 0.100 * g, 0.082 * g, 0.126 * g},
      {0.230 * z, 0.090 * g, 0.082 * g, 0.124 * g, 0, -0.004 * u},
      {0.310 * z, 0.058 * g, 0.060 * g, 0.080 * g, 0, -0.006 * u},
  };
  field.add(trunk, 0);
}

void add_paw(BodyField& field, const Vec3d& joint, const Vec3d& end, double size) {
  const Vec3d middle(0.5 * (joint + end));
  field.add(Ellipsoid{at({middle.x(), 0.021 * size, middle.z() - 0.004 * size}), Vec3d(0.031, 0.022, 0.045) * size},
            0.016 * size);
  for (const double side : {-0.020, -0.007, 0.007, 0.020}) {
    const double ahead = std::abs(side) < 0.01 ? 0.006 : -0.003;
    field.add(Ellipsoid{at({middle.x() + side * size, 0.0145 * size, end.z() + (ahead - 0.014) * size}),
                        Vec3d(0.0105, 0.0145, 0.0180) * size},
              0.006 * size);
  }
}

void add_front_leg(BodyField& field, const QuadrupedPlan& plan) {
  const double g = plan.unit * plan.proportions.leg_girth;
  const auto& j = plan.front_leg;
  field.add(along_axis(0.5 * (j[0] + j[1]) + Vec3d(-0.004, 0, 0.004) * plan.unit, j[1] - j[0],
                       Vec3d(0.030, 0.095, 0.052) * g),
            0);
  field.add(RoundCone{j[1], j[2], 0.046 * g, 0.040 * g}, 0.03 * g);
  field.add(RoundCone{j[2], j[3], 0.037 * g, 0.0235 * g}, 0.02 * g);
  field.add(along_axis(0.72 * j[2] + 0.28 * j[3], j[3] - j[2], Vec3d(0.034, 0.075, 0.040) * g), 0.03 * g);
  field.add(RoundCone{j[3], j[4], 0.0240 * g, 0.0225 * g}, 0.012 * g);
  add_paw(field, j[4], j[5], g);
}

void add_hind_leg(BodyField& field, const QuadrupedPlan& plan) {
  const double g = plan.unit * plan.proportions.leg_girth;
  const auto& j = plan.hind_leg;
  field.add(along_axis(0.52 * j[0] + 0.48 * j[1] + Vec3d(-0.008, -0.005, -0.020) * plan.unit, j[1] - j[0],
                       Vec3d(0.048, 0.125, 0.080) * g),
            0);
  field.add(RoundCone{0.4 * j[0] + 0.6 * j[1], j[1], 0.060 * g, 0.042 * g}, 0.03 * g);
  field.add(RoundCone{j[1], j[2], 0.041 * g, 0.0205 * g}, 0.025 * g);
  field.add(
      along_axis(0.70 * j[1] + 0.30 * j[2] + Vec3d(0, 0, -0.008) * g, j[2] - j[1], Vec3d(0.034, 0.080, 0.042) * g),
      0.03 * g);
  field.add(RoundCone{j[2], j[3], 0.0225 * g, 0.0215 * g}, 0.012 * g);
  add_paw(field, j[3], j[4], g);
}

void add_neck_and_head(BodyField& field, const QuadrupedPlan& plan) {
  const QuadrupedProportions& p = plan.proportions;
  const double u = plan.unit, h = u * p.head, m = p.muzzle;
  const Vec3d skull = plan.head + Vec3d(0, 0.012, 0.045) * h;
  field.add(RoundCone{plan.neck - Vec3d(0, 0.040, 0.020) * u, plan.head - Vec3d(0, 0.012, 0) * h, 0.086 * u * p.girth,
                      0.056 * h},
            0);
  field.add(Ellipsoid{at(skull), Vec3d(0.060, 0.060, 0.076) * h}, 0.02 * h);
  // Muzzle, lower jaw, nose, cheeks, and hollows for the eyes.
  const Vec3d root = skull + Vec3d(0, -0.014, 0.045) * h, tip = root + Vec3d(0, -0.020, 0.015 + 0.095 * m) * h;
  field.add(RoundCone{root, tip, 0.040 * h, 0.0245 * h}, 0.022 * h);
  field.add(RoundCone{root + Vec3d(0, -0.022, -0.020) * h, tip + Vec3d(0, -0.017, -0.016) * h, 0.030 * h, 0.0165 * h},
            0.008 * h);
  field.add(Ellipsoid{at(tip + Vec3d(0, 0.012, 0.013) * h), Vec3d(0.0150, 0.0115, 0.0125) * h}, 0.005 * h);
  field.add(Ellipsoid{at(skull + Vec3d(0.032, -0.022, 0.016) * h), Vec3d(0.032, 0.032, 0.040) * h}, 0.02 * h);
  field.carve(Ellipsoid{at(plan.eye + Vec3d(0.008, 0.004, 0.010) * h), Vec3d(0.016, 0.012, 0.018) * h}, 0.010 * h);
}

}  // namespace

QuadrupedField quadruped_field(const QuadrupedPlan& plan) {
  QuadrupedField body;
  BodyField& field = body.field;
  const QuadrupedProportions& p = plan.proportions;
  const double u = plan.unit;
  body.torso = field.begin_group(0);
  add_trunk(field, plan);
  body.neck = field.begin_group(0.06 * u);
  add_neck_and_head(field, plan);
  body.front = field.begin_group(0.035 * u);
  add_front_leg(field, plan);
  body.hind = field.begin_group(0.04 * u);
  add_hind_leg(field, plan);
  body.tail = field.begin_group(0.03 * u);
  for (int i = 0; i < 5; ++i) {
    const double thick = 0.026 * u * (1 - 0.09 * i), thin = 0.026 * u * (1 - 0.09 * (i + 1));
    field.add(RoundCone{plan.tail[i], plan.tail[i + 1], thick, thin}, 0.004 * u);
  }
  body.ear = field.begin_group(0.010 * u * p.head);
  const double h = u * p.head, length = (plan.ear_tip - plan.ear).norm();
  const Vec3d along = plan.ear_tip - plan.ear;
  Ellipsoid ear = along_axis(plan.ear + 0.42 * along, along, Vec3d(0.026 * h, 0.62 * length, 0.0115 * h));
  if (p.ear_droop > 0.5) std::swap(ear.radii.x(), ear.radii.z());
  field.add(ear, 0);
  return body;
}

}  // namespace sinew::builtin
