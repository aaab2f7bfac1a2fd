#include <cmath>
#include <string>

#include "sinew/builtin/humanoid_plan.h"
#include "sinew/builtin/quadruped.h"

namespace sinew::builtin {

QuadrupedPlan plan_quadruped(const QuadrupedProportions& proportions) {
  QuadrupedPlan plan;
  plan.proportions = proportions;
  const QuadrupedProportions& p = plan.proportions;
  // The shoulder stands 0.6 m high on the dog that the measures below were taken from; legs make two fifths of it vary.
  const double u = p.shoulder_height / 0.60 / (1 + 0.4 * (p.legs - 1));
  plan.unit = u;
  const double z = u * p.length, wide = u * (0.7 + 0.3 * p.girth);
  // Below the elbows and stifles everything grows with the legs; the trunk sits on top.
  const double leg = u * p.legs, lift = 0.34 * (leg - u);
  const auto trunk = [&](double y, double along) { return Vec3d(0, u * y + lift, z * along); };
  plan.hips = trunk(0.555, -0.27);
  plan.spine = trunk(0.565, -0.14);
  plan.spine1 = trunk(0.560, -0.01);
  plan.spine2 = trunk(0.555, 0.12);
  plan.neck = trunk(0.560, 0.265);
  const double rise = std::atan2(0.17 * (0.4 + 0.8 * p.neck_rise), 0.17), reach = 0.235 * u * p.neck;
  const Vec3d neck_direction(0, std::sin(rise), std::cos(rise));
  plan.neck1 = plan.neck + 0.5 * reach * neck_direction;
  plan.head = plan.neck + reach * neck_direction;
  const double h = u * p.head;
  plan.head_end = plan.head + Vec3d(0, -0.030 * h, (0.075 + 0.135 * p.muzzle) * h);
  plan.ear = plan.head + Vec3d(0.044, 0.058, 0.020) * h;
  const Vec3d upright(0.25, 0.95, -0.15), hanging(0.75, -0.65, 0.05);
  plan.ear_tip = plan.ear + (0.085 * h * p.ears) * ((1 - p.ear_droop) * upright + p.ear_droop * hanging).normalized();
  plan.eye = plan.head + Vec3d(0.040, 0.022, 0.085) * h;
  plan.eye_radius = 0.0125 * h;

  const Vec3d tail_root = trunk(0.572, -0.335);
  for (int i = 0; i < 6; ++i) {
    const double angle = 0.9 * p.tail_rise - 0.25 + (p.tail_rise > 0 ? 0.12 : -0.02) * i;
    plan.tail[i] =
        i == 0 ? tail_root : Vec3d(plan.tail[i - 1] + 0.070 * u * p.tail * Vec3d(0, std::sin(angle), -std::cos(angle)));
  }

  const auto front = [&](double x, double y, double along) {
    const double upper = y > 0.34 ? u * y + lift : leg * y;
    return Vec3d(x * wide, upper, z * 0.24 + u * (along - 0.24));
  };
  plan.front_leg = {front(0.062, 0.550, 0.200), front(0.088, 0.435, 0.290), front(0.090, 0.340, 0.205),
                    front(0.088, 0.130, 0.212), front(0.090, 0.035, 0.235), front(0.090, 0.014, 0.290)};
  const auto hind = [&](double x, double y, double along) {
    const double upper = y > 0.34 ? u * y + lift : leg * y;
    return Vec3d(x * wide, upper, -z * 0.26 + u * (along + 0.26));
  };
  plan.hind_leg = {hind(0.070, 0.505, -0.265), hind(0.092, 0.350, -0.175), hind(0.090, 0.165, -0.320),
                   hind(0.092, 0.035, -0.290), hind(0.092, 0.014, -0.232)};
  return plan;
}

Skeleton quadruped_skeleton(const QuadrupedPlan& plan) {
  Skeleton skeleton;
  const auto add = [&](const std::string& name, int parent, const Vec3d& at, JointKind kind = JointKind::joint) {
    return add_joint(skeleton, name, parent, Affine3d(Eigen::Translation3d(at)), kind);
  };
  const int hips = add("Hips", -1, plan.hips);
  const int spine = add("Spine", hips, plan.spine);
  const int spine1 = add("Spine1", spine, plan.spine1);
  const int spine2 = add("Spine2", spine1, plan.spine2);
  const int neck = add("Neck", spine2, plan.neck);
  const int neck1 = add("Neck1", neck, plan.neck1);
  const int head = add("Head", neck1, plan.head);
  add("Head_End", head, plan.head_end, JointKind::end);
  int parent = hips;
  for (int i = 0; i < 5; ++i) parent = add("Tail" + std::to_string(i + 1), parent, plan.tail[i]);
  add("Tail_End", parent, plan.tail[5], JointKind::end);
  constexpr const char* front[] = {"Shoulder", "Arm", "ForeArm", "Hand", "Fingers", "Fingers_End"};
  constexpr const char* hind[] = {"UpLeg", "Leg", "Foot", "ToeBase", "Toe_End"};
  for (const bool left : {true, false}) {
    const std::string side = left ? "Left" : "Right";
    const auto place = [&](const Vec3d& p) { return left ? p : mirrored(p); };
    const int ear = add(side + "Ear", head, place(plan.ear));
    add(side + "Ear_End", ear, place(plan.ear_tip), JointKind::end);
    parent = spine2;
    for (int i = 0; i < 6; ++i) {
      parent = add(side + front[i], parent, place(plan.front_leg[i]), i < 5 ? JointKind::joint : JointKind::end);
    }
    parent = hips;
    for (int i = 0; i < 5; ++i) {
      parent = add(side + hind[i], parent, place(plan.hind_leg[i]), i < 4 ? JointKind::joint : JointKind::end);
    }
  }
  return skeleton;
}

}  // namespace sinew::builtin
