#include "sinew/builtin/humanoid_field.h"

#include <cmath>

namespace sinew::builtin {
namespace {

double mix(double male, double female, double feminine) { return male + (female - male) * feminine; }

// A frame whose y axis runs along `along` and whose z axis is as near to `forward` as it can be.
Affine3d frame_along(const Vec3d& origin, const Vec3d& along, const Vec3d& forward) {
  Affine3d frame = Affine3d::Identity();
  const Vec3d y = along.normalized();
  const Vec3d x = y.cross(forward).normalized();
  frame.linear() << x, y, x.cross(y);
  frame.translation() = origin;
  return frame;
}

void add_torso(BodyField& field, const HumanoidPlan& plan) {
  const Proportions& p = plan.proportions;
  const double u = plan.unit, f = p.feminine, t = plan.torso_length, base = plan.hip.y();
  const double shoulders = u * p.shoulder_width, hips = u * p.hip_width, waist = u * p.waist;
  const double deep = u * p.chest_depth;
  const double belly = 0.075 * u * p.belly;
  Loft torso;
  torso.squareness = 2.35;
  torso.start_cap = 0.03 * u;
  torso.end_cap = 0.03 * u;
  const double low = plan.crotch_y - base;
  torso.frame = at({0, base, 0});
  torso.stations = {
      {low + 0.012 * u, 0.050 * hips, 0.048 * hips, 0.050 * hips, 0, -0.004 * u},
      {low + 0.042 * u, 0.105 * hips, 0.078 * hips, 0.080 * hips},
      {0.00 * t, mix(0.152, 0.160, f) * hips, mix(0.096, 0.090, f) * hips + 0.3 * belly, mix(0.098, 0.104, f) * hips},
      {0.14 * t, mix(0.156, 0.160, f) * hips, mix(0.100, 0.096, f) * hips + 0.8 * belly, mix(0.096, 0.100, f) * hips, 0,
       0.004 * u},
      {0.36 * t, mix(0.142, 0.118, f) * waist + 0.5 * belly, mix(0.098, 0.086, f) * waist + belly,
       mix(0.086, 0.076, f) * waist + 0.1 * belly, 0, 0.008 * u},
      {0.56 * t, mix(0.148, 0.126, f) * mix(shoulders, waist, 0.3) + 0.3 * belly,
       mix(0.110, 0.094, f) * deep + 0.5 * belly, mix(0.094, 0.084, f) * deep, 0, 0.0},
      {0.76 * t, mix(0.158, 0.138, f) * shoulders, mix(0.118, 0.100, f) * deep, mix(0.106, 0.096, f) * deep, 0,
       -0.008 * u},
      {0.90 * t, mix(0.152, 0.134, f) * shoulders, mix(0.096, 0.084, f) * deep, mix(0.100, 0.092, f) * deep, 0,
       -0.014 * u},
      {1.00 * t, mix(0.118, 0.106, f) * shoulders, mix(0.066, 0.060, f) * deep, mix(0.080, 0.074, f) * deep, 0,
       -0.022 * u},
      {1.00 * t + 0.045 * u, 0.070 * shoulders, 0.050 * deep, 0.060 * deep, 0, -0.028 * u},
  };
  field.add(torso, 0);

  const double neck = u * p.neck_girth;
  const double slope = mix(0.030, 0.022, f) * (0.7 + 0.6 * p.muscle);
  field.add(RoundCone{{0.024 * neck, plan.shoulder_y + 0.048 * u, -0.034 * u},
                      {0.128 * shoulders, plan.shoulder_y - 0.004 * u, -0.030 * u},
                      (slope + 0.012) * neck,
                      slope * u},
            0.05 * u);
  // Chest muscle, breast, the broad back muscle and the seat.
  const double chest_y = base + 0.79 * t;
  field.add(Ellipsoid{at({0.070 * shoulders, chest_y, 0.058 * deep}),
                      Vec3d(0.082 * shoulders, 0.066 * u, (0.040 + 0.016 * p.muscle) * deep) * mix(1, 0.8, f)},
            0.055 * u);
  if (f > 0.02) {
    const double size = u * f * (0.8 + 0.35 * p.hip_width - 0.15);
    field.add(Ellipsoid{at({0.072 * shoulders, base + 0.725 * t, mix(0.06, 0.078, f) * deep}),
                        Vec3d(0.058, 0.060, 0.062) * size},
              0.03 * u);
  }
  field.add(Ellipsoid{at({0.112 * shoulders, base + 0.72 * t, -0.030 * deep}),
                      Vec3d(0.050 * shoulders, 0.125 * u, 0.070 * deep) * (0.85 + 0.25 * p.muscle)},
            0.04 * u);
  field.add(
      Ellipsoid{at({0.074 * hips, base - 0.030 * u, -0.062 * hips}), Vec3d(0.076 * hips, 0.088 * u, 0.070 * hips)},
      0.04 * u);
}

void add_leg(BodyField& field, const HumanoidPlan& plan) {
  const Proportions& p = plan.proportions;
  const double g = plan.unit * p.leg_girth * (1 + 0.03 * p.feminine), m = 0.9 + 0.2 * p.muscle;
  const Vec3d span = plan.ankle - plan.hip;
  const double length = span.norm(), knee = (plan.knee - plan.hip).dot(span) / length, shin = length - knee;
  // Above the crotch the thigh sits inside the pelvis; it must not reach the other one.
  const double room = plan.hip.x() / (0.092 * plan.unit);
  const double top = std::min(g * mix(0.083, 0.087, p.feminine), 0.086 * plan.unit * room);
  const double knee_z = 0.022 * plan.unit;
  Loft leg;
  leg.frame = frame_along(plan.hip, span, {0, 0, 1});
  leg.start_cap = 0.07 * plan.unit;
  leg.end_cap = 0.03 * plan.foot_unit;
  // In this frame +x points to the other leg.
  leg.stations = {
      {-0.01 * plan.unit, 0.72 * top, 0.066 * g, 0.070 * g, -0.004 * g, 0},
      {0.12 * knee, 0.95 * top, 0.085 * g, 0.086 * g, -0.005 * g, 0},
      {0.26 * knee, top, 0.088 * g, 0.086 * g, -0.004 * g, 0.002 * g},
      {0.55 * knee, 0.074 * g * m, 0.080 * g * m, 0.070 * g, -0.002 * g, 0.5 * knee_z},
      {0.85 * knee, 0.056 * g, 0.058 * g, 0.054 * g, 0, 0.9 * knee_z},
      {knee, 0.053 * g, 0.052 * g, 0.052 * g, 0, knee_z},
      {knee + 0.12 * shin, 0.049 * g, 0.046 * g, 0.056 * g, 0, 0.8 * knee_z},
      {knee + 0.32 * shin, 0.055 * g * m, 0.042 * g, 0.068 * g * m, -0.001 * g, 0.6 * knee_z},
      {knee + 0.60 * shin, 0.044 * g, 0.039 * g, 0.051 * g, 0, 0.3 * knee_z},
      {knee + 0.85 * shin, 0.032 * g, 0.034 * g, 0.037 * g, 0, 0},
      {length, 0.033 * g, 0.034 * g, 0.038 * g, 0, 0},
  };
  field.add(leg, 0);
}

void add_foot(BodyField& field, const HumanoidPlan& plan) {
  const double f = plan.foot_unit;
  Loft foot;
  const Vec3d forward = (plan.toe_tip - plan.heel).cwiseProduct(Vec3d(1, 0, 1)).normalized();
  foot.frame = frame_along({plan.heel.x(), 0, plan.heel.z()}, forward, {0, 1, 0});
  foot.squareness = 2.7;
  foot.start_cap = 0.012 * f;
  foot.end_cap = 0.022 * f;
  // +x points to the other foot; "front" is up and "back" is down, to the floor.
  const auto station = [&](double along, double half_width, double top, double middle, double inwards) {
    return LoftStation{along * f, half_width * f, (top - middle) * f, middle * f, inwards * f, middle * f};
  };
  foot.stations = {
      station(0.004, 0.024, 0.056, 0.024, 0.000), station(0.030, 0.033, 0.085, 0.026, 0.000),
      station(0.075, 0.034, 0.082, 0.024, 0.002), station(0.110, 0.036, 0.064, 0.022, 0.002),
      station(0.150, 0.043, 0.046, 0.020, 0.002), station(0.185, 0.047, 0.034, 0.017, 0.004),
      station(0.215, 0.044, 0.028, 0.014, 0.006), station(0.232, 0.036, 0.024, 0.012, 0.008),
  };
  field.add(foot, 0);
}

void add_arm(BodyField& field, const HumanoidPlan& plan) {
  const Proportions& p = plan.proportions;
  const double g = plan.unit * p.arm_girth * mix(1, 0.86, p.feminine), m = 0.88 + 0.24 * p.muscle;
  const double upper = (plan.elbow - plan.shoulder).norm(), lower = (plan.wrist - plan.elbow).norm();
  Loft arm;
  arm.frame = frame_along(plan.shoulder, plan.arm_along, plan.arm_forward);
  arm.start_cap = 0.03 * plan.unit;
  arm.end_cap = 0.02 * plan.unit;
  const double wrist = 0.5 * (g + plan.hand_unit);
  // +x points down (T pose), so half_width is the thickness seen from the front.
  arm.stations = {
      {-0.03 * plan.unit, 0.046 * g, 0.046 * g, 0.046 * g},
      {0.12 * upper, 0.050 * g * m, 0.052 * g * m, 0.052 * g * m},
      {0.45 * upper, 0.045 * g * m, 0.050 * g * m, 0.048 * g * m},
      {0.80 * upper, 0.039 * g, 0.040 * g, 0.041 * g},
      {upper, 0.037 * g, 0.037 * g, 0.041 * g},
      {upper + 0.22 * lower, 0.040 * g * m, 0.043 * g * m, 0.042 * g},
      {upper + 0.55 * lower, 0.033 * g, 0.036 * g, 0.036 * g},
      {upper + 0.85 * lower, 0.0235 * wrist, 0.029 * wrist, 0.029 * wrist},
      {upper + lower, 0.0205 * wrist, 0.0285 * wrist, 0.0285 * wrist},
  };
  field.add(arm, 0);
  const Affine3d deltoid =
      frame_along(plan.shoulder + 0.030 * plan.unit * plan.arm_along + 0.004 * plan.unit * plan.arm_up, plan.arm_along,
                  plan.arm_forward);
  field.add(Ellipsoid{deltoid, Vec3d(0.057 * g, 0.082 * plan.unit, 0.062 * g) * m}, 0.03 * plan.unit);

  const double h = plan.hand_unit;
  Loft palm;
  palm.frame = frame_along(plan.wrist, plan.arm_along, plan.arm_forward);
  palm.squareness = 2.6;
  palm.start_cap = 0.01 * h;
  palm.end_cap = 0.012 * h;
  palm.stations = {
      {-0.005 * h, 0.0190 * h, 0.0260 * h, 0.0265 * h},
      {0.025 * h, 0.0175 * h, 0.0330 * h, 0.0320 * h},
      {0.060 * h, 0.0155 * h, 0.0385 * h, 0.0370 * h},
      {0.085 * h, 0.0125 * h, 0.0390 * h, 0.0355 * h},
  };
  field.add(palm, 0.02 * h);
  // The ball of the thumb.
  const FingerPlan& thumb = plan.fingers.front();
  field.add(RoundCone{thumb.joints[0], 0.3 * thumb.joints[0] + 0.7 * thumb.joints[1], 0.0165 * h, 0.0150 * h},
            0.014 * h);
}

void add_finger(BodyField& field, const HumanoidPlan& plan, const FingerPlan& finger, bool is_thumb) {
  const double h = plan.hand_unit;
  if (plan.mitten && !is_thumb) {
    Loft loft;
    loft.frame = frame_along(finger.joints[0], finger.joints[3] - finger.joints[0], plan.arm_forward);
    loft.squareness = 2.5;
    loft.end_cap = 0.014 * h;
    const double length = (finger.joints[3] - finger.joints[0]).norm();
    loft.stations = {{-0.02 * h, 0.0130 * h, 0.038 * h, 0.036 * h},
                     {0.4 * length, 0.0115 * h, 0.036 * h, 0.034 * h},
                     {0.8 * length, 0.0095 * h, 0.032 * h, 0.031 * h},
                     {length - 0.010 * h, 0.0080 * h, 0.025 * h, 0.026 * h}};
    field.add(loft, 0);
    return;
  }
  if (!is_thumb) {
    const Vec3d root = finger.joints[0] - 0.018 * h * plan.arm_along;
    field.add(RoundCone{root, finger.joints[0], finger.radii[0], finger.radii[0]}, 0);
  }
  for (int i = 0; i < 3; ++i) {
    const bool last = i == 2;
    const Vec3d along = (finger.joints[i + 1] - finger.joints[i]).normalized();
    const Vec3d end = last ? Vec3d(finger.joints[3] - finger.radii[3] * along) : finger.joints[i + 1];
    field.add(RoundCone{finger.joints[i], end, finger.radii[i], finger.radii[i + 1]}, 0.002 * h);
  }
}

}  // namespace

HumanoidField humanoid_field(const HumanoidPlan& plan) {
  HumanoidField body;
  BodyField& field = body.field;
  const double u = plan.unit;
  body.groups.torso = field.begin_group(0);
  add_torso(field, plan);
  body.groups.leg = field.begin_group(0.05 * u);
  add_leg(field, plan);
  body.groups.foot = field.begin_group(0.035 * plan.foot_unit);
  add_foot(field, plan);
  body.groups.arm = field.begin_group(0.05 * u);
  add_arm(field, plan);
  for (std::size_t i = 0; i < plan.fingers.size(); ++i) {
    const int group = field.begin_group((i == 0 ? 0.010 : 0.006) * plan.hand_unit);
    if (i == 0) body.groups.first_finger = group;
    add_finger(field, plan, plan.fingers[i], i == 0);
  }
  body.groups.head = field.begin_group(0.03 * u);
  add_head(field, plan);
  return body;
}

}  // namespace sinew::builtin
