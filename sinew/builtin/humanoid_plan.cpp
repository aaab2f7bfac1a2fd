#include "sinew/builtin/humanoid_plan.h"

#include <cmath>
#include <numbers>
#include <string>

namespace sinew::builtin {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

// A finger of an adult's hand, in metres in the hand's frame with the wrist at the origin.
struct FingerTemplate {
  const char* name;
  double along, forward, up;  // the knuckle
  double spread_deg;          // towards the thumb
  double droop_deg;           // below the plane of the hand
  std::array<double, 3> lengths;
  std::array<double, 4> radii;
};

constexpr FingerTemplate thumb{
    "Thumb", 0.020, 0.021, -0.009, 46, 14, {0.044, 0.035, 0.029}, {0.0145, 0.0120, 0.0108, 0.0086}};
constexpr FingerTemplate fingers[] = {
    {"Index", 0.090, 0.0300, 0, 8, 1, {0.043, 0.026, 0.022}, {0.0098, 0.0088, 0.0080, 0.0066}},
    {"Middle", 0.094, 0.0098, 0.001, 1.5, 1, {0.047, 0.030, 0.023}, {0.0100, 0.0090, 0.0081, 0.0067}},
    {"Ring", 0.089, -0.0105, 0, -5, 1, {0.043, 0.028, 0.023}, {0.0096, 0.0086, 0.0078, 0.0064}},
    {"Pinky", 0.081, -0.0292, -0.002, -13, 2, {0.033, 0.021, 0.020}, {0.0086, 0.0076, 0.0070, 0.0058}},
};
constexpr FingerTemplate mitten_fingers{
    "Index", 0.085, 0.001, 0, 0, 2, {0.045, 0.030, 0.026}, {0.036, 0.034, 0.030, 0.020}};

FingerPlan place_finger(const HumanoidPlan& plan, const FingerTemplate& f) {
  const double u = plan.hand_unit;
  FingerPlan finger{f.name, {}, {}};
  finger.joints[0] = plan.wrist + u * (f.along * plan.arm_along + f.forward * plan.arm_forward + f.up * plan.arm_up);
  double droop = f.droop_deg;
  for (int i = 0; i < 4; ++i) {
    finger.radii[i] = 0.95 * u * f.radii[i];
    if (i == 0) continue;
    const double spread = radians(f.spread_deg), down = radians(droop);
    const Vec3d direction = std::cos(down) * (std::cos(spread) * plan.arm_along + std::sin(spread) * plan.arm_forward) -
                            std::sin(down) * plan.arm_up;
    finger.joints[i] = finger.joints[i - 1] + u * f.lengths[i - 1] * direction;
    droop += 4;
  }
  return finger;
}

void place_arm(HumanoidPlan& plan) {
  const Proportions& p = plan.proportions;
  const double angle = radians(p.arm_angle_deg);
  plan.arm_along = {std::cos(angle), -std::sin(angle), 0};
  plan.arm_forward = {0, 0, 1};
  plan.arm_up = {std::sin(angle), std::cos(angle), 0};
  const double width = p.shoulder_width * (1 - 0.10 * p.feminine);
  plan.clavicle = {0.025 * plan.unit * width, plan.shoulder_y + 0.002 * plan.unit, 0.0};
  plan.shoulder = {0.172 * plan.unit * width, plan.shoulder_y - 0.022 * plan.unit, -0.022 * plan.unit};
  plan.elbow = plan.shoulder + p.upper_arm * p.height * plan.arm_along;
  plan.wrist = plan.elbow + p.forearm * p.height * plan.arm_along;
  plan.fingers.push_back(place_finger(plan, thumb));
  if (plan.mitten) {
    plan.fingers.push_back(place_finger(plan, mitten_fingers));
  } else {
    for (const FingerTemplate& f : fingers) plan.fingers.push_back(place_finger(plan, f));
  }
}

void place_leg(HumanoidPlan& plan) {
  const Proportions& p = plan.proportions;
  const double hip_y = p.legs * p.height, f = plan.foot_unit;
  const double ankle_y = 0.078 * f;
  plan.hip = {0.092 * plan.unit * p.hip_width, hip_y, 0};
  const double spread = std::tan(radians(p.leg_spread_deg)) * (hip_y - ankle_y);
  plan.ankle = {plan.hip.x() + spread, ankle_y, -0.030 * plan.unit};
  plan.knee = 0.495 * plan.hip + 0.505 * plan.ankle + Vec3d(-0.004, 0, 0.022) * plan.unit;
  plan.heel = {plan.ankle.x(), 0, plan.ankle.z() - 0.052 * f};
  plan.ball = {plan.ankle.x() + 0.010 * f, 0.022 * f, plan.ankle.z() + 0.128 * f};
  plan.toe_tip = {plan.ankle.x() + 0.014 * f, 0.016 * f, plan.ankle.z() + 0.198 * f};
  plan.crotch_y = hip_y - 0.088 * plan.unit * std::sqrt(p.leg_girth);
}

}  // namespace

HumanoidPlan plan_humanoid(const Proportions& proportions, bool mitten) {
  HumanoidPlan plan;
  plan.proportions = proportions;
  plan.mitten = mitten;
  const Proportions& p = plan.proportions;
  plan.unit = p.height / 1.75;
  plan.head_unit = p.head * p.height / 0.233;
  plan.hand_unit = p.hand_size * plan.unit * (1 - 0.08 * p.feminine);
  plan.foot_unit = p.foot_size * plan.unit * (1 - 0.08 * p.feminine);
  plan.chin_y = p.height * (1 - p.head);
  plan.shoulder_y = plan.chin_y - p.neck * p.height;
  const double hip_y = p.legs * p.height;
  plan.torso_length = plan.shoulder_y - hip_y;
  const double t = plan.torso_length, u = plan.unit;
  plan.hips = {0, hip_y + 0.03 * t, -0.005 * u};
  plan.spine = {0, hip_y + 0.22 * t, 0.0};
  plan.spine1 = {0, hip_y + 0.43 * t, -0.004 * u};
  plan.spine2 = {0, hip_y + 0.66 * t, -0.018 * u};
  plan.neck = {0, plan.shoulder_y + 0.02 * u, -0.030 * u};
  plan.head = {0, plan.chin_y + 0.042 * plan.head_unit, -0.012 * u};
  plan.head_top = {0, p.height, plan.head.z()};
  const double h = plan.head_unit;
  plan.eye_radius = 0.0128 * h * p.eyes;
  const Vec3d in_front(0.0305 * h * p.head_width, plan.chin_y + 0.1165 * h, 0.006 * h + 0.0785 * h * p.head_depth);
  plan.eye = in_front - Vec3d(0.05, 0, 0.995) * (0.93 * plan.eye_radius);
  place_arm(plan);
  place_leg(plan);
  return plan;
}

Skeleton humanoid_skeleton(const HumanoidPlan& plan) {
  Skeleton skeleton;
  const auto add = [&](const std::string& name, int parent, const Vec3d& at, JointKind kind = JointKind::joint) {
    return add_joint(skeleton, name, parent, Affine3d(Eigen::Translation3d(at)), kind);
  };
  const int hips = add("Hips", -1, plan.hips);
  const int spine = add("Spine", hips, plan.spine);
  const int spine1 = add("Spine1", spine, plan.spine1);
  const int spine2 = add("Spine2", spine1, plan.spine2);
  const int neck = add("Neck", spine2, plan.neck);
  const int head = add("Head", neck, plan.head);
  add("HeadTop_End", head, plan.head_top, JointKind::end);
  for (const bool left : {true, false}) {
    const std::string side = left ? "Left" : "Right";
    const auto place = [&](const Vec3d& p) { return left ? p : mirrored(p); };
    int parent = add(side + "Shoulder", spine2, place(plan.clavicle));
    parent = add(side + "Arm", parent, place(plan.shoulder));
    parent = add(side + "ForeArm", parent, place(plan.elbow));
    const int hand = add(side + "Hand", parent, place(plan.wrist));
    for (const FingerPlan& finger : plan.fingers) {
      parent = hand;
      const std::string name = side + "Hand" + finger.name;
      for (int i = 0; i < 3; ++i) parent = add(name + std::to_string(i + 1), parent, place(finger.joints[i]));
      add(name + "_End", parent, place(finger.joints[3]), JointKind::end);
    }
  }
  for (const bool left : {true, false}) {
    const std::string side = left ? "Left" : "Right";
    const auto place = [&](const Vec3d& p) { return left ? p : mirrored(p); };
    int parent = add(side + "UpLeg", hips, place(plan.hip));
    parent = add(side + "Leg", parent, place(plan.knee));
    parent = add(side + "Foot", parent, place(plan.ankle));
    parent = add(side + "ToeBase", parent, place(plan.ball));
    add(side + "Toe_End", parent, place(plan.toe_tip), JointKind::end);
  }
  return skeleton;
}

}  // namespace sinew::builtin
