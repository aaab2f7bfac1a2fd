#include "sinew/builtin/humanoid_weights.h"

#include <algorithm>
#include <span>
#include <string>

#include "sinew/builtin/joint_chain.h"
#include "sinew/error.h"

namespace sinew::builtin {
HumanoidWeights::HumanoidWeights(const HumanoidPlan& plan, const HumanoidField& body, const Skeleton& skeleton)
    : plan_(plan), body_(body), skeleton_(skeleton) {
  hips_ = joint("Hips");
  spine_ = joint("Spine");
  spine1_ = joint("Spine1");
  spine2_ = joint("Spine2");
  neck_ = joint("Neck");
  head_ = joint("Head");
  shoulder_ = joint("LeftShoulder");
  arm_ = joint("LeftArm");
  forearm_ = joint("LeftForeArm");
  hand_ = joint("LeftHand");
  for (const FingerPlan& finger : plan.fingers) {
    first_of_finger_.push_back(joint("LeftHand" + std::string(finger.name) + "1"));
  }
  const char* leg[] = {"UpLeg", "Leg", "Foot", "ToeBase"};
  for (int i = 0; i < 4; ++i) {
    left_leg_[i] = joint(std::string("Left") + leg[i]);
    right_leg_[i] = joint(std::string("Right") + leg[i]);
  }
}

std::uint16_t HumanoidWeights::joint(const std::string& name) const {
  const int index = find_joint(skeleton_, name);
  if (index < 0) throw Error(ErrorCode::internal, "the skeleton has no joint '" + name + "'");
  return static_cast<std::uint16_t>(index);
}

double HumanoidWeights::arm_share(const Vec3d& p) const {
  const double u = plan_.unit;
  const double radius = 0.056 * u * plan_.proportions.arm_girth;
  const double along = smooth_step(-0.9 * radius, 1.1 * radius, (p - plan_.shoulder).dot(plan_.arm_along));
  if (along == 0) return 0;
  const double apart = body_.field.group_value(body_.groups.torso, p) - body_.field.group_value(body_.groups.arm, p);
  // Fingers are further from the arm's solids than from nothing at all: past the elbow only the arm is near.
  if ((p - plan_.elbow).dot(plan_.arm_along) > 0 && apart > 0) return along;
  return along * smooth_step(-0.025 * u, 0.03 * u, apart);
}

// The crease of the groin rises outwards; behind, the seat stays with the pelvis further down.
double HumanoidWeights::leg_share(const Vec3d& p) const {
  const double u = plan_.unit;
  const double behind = std::max(0.0, -p.z());
  const double s = plan_.hip.y() - p.y() + 0.45 * (p.x() - plan_.hip.x()) - 0.35 * behind;
  return step_around(s, 0.065 * u + 0.3 * behind) * smooth_step(-0.02 * u, 0.02 * u, p.x());
}

std::vector<Influence> HumanoidWeights::at(const Vec3d& point) const {
  std::vector<Influence> out;
  const double arm = arm_share(point);
  double left = 0, right = 0;
  if (arm == 0) {
    left = leg_share(point);
    right = leg_share(mirrored(point));
  }
  add_torso(point, 1 - arm - left - right, out);
  if (arm > 0) add_arm(point, arm, out);
  if (left > 0) add_leg(point, left, true, out);
  if (right > 0) add_leg(mirrored(point), right, false, out);
  return out;
}

void HumanoidWeights::add_torso(const Vec3d& p, double share, std::vector<Influence>& out) const {
  if (share <= 0) return;
  const double u = plan_.unit, h = plan_.head_unit, width = 0.11 * plan_.torso_length;
  const std::uint16_t chain[] = {hips_, spine_, spine1_, spine2_, neck_, head_};
  const double steps[] = {
      step_around(p.y() - plan_.spine.y(), width),
      step_around(p.y() - plan_.spine1.y(), width),
      step_around(p.y() - plan_.spine2.y(), width),
      step_around(p.y() - plan_.neck.y() + 0.35 * (p.z() - plan_.neck.z()), 0.035 * u),
      step_around(p.y() - (plan_.chin_y + 0.02 * h) + 0.5 * (p.z() - plan_.head.z()), 0.024 * h),
  };
  // The clavicle lifts the top of the shoulder, front and back.
  const double wide = u * plan_.proportions.shoulder_width;
  const double clavicle = 0.85 * smooth_step(0.035 * wide, 0.150 * wide, p.x()) *
                          smooth_step(plan_.shoulder_y - 0.19 * u, plan_.shoulder_y - 0.04 * u, p.y()) * (1 - steps[3]);
  if (clavicle > 0) out.push_back({shoulder_, share * clavicle});
  add_chain(chain, steps, share * (1 - clavicle), out);
}

void HumanoidWeights::add_arm(const Vec3d& p, double share, std::vector<Influence>& out) const {
  const double g = plan_.unit * plan_.proportions.arm_girth;
  const double elbow = step_around((p - plan_.elbow).dot(plan_.arm_along), 0.040 * g);
  const double wrist = step_around((p - plan_.wrist).dot(plan_.arm_along), 0.028 * plan_.hand_unit);
  const std::uint16_t chain[] = {arm_, forearm_};
  const double steps[] = {elbow};
  add_chain(chain, steps, share * (1 - wrist), out);
  if (wrist > 0) add_hand(p, share * wrist, out);
}

void HumanoidWeights::add_hand(const Vec3d& p, double share, std::vector<Influence>& out) const {
  const double h = plan_.hand_unit;
  const std::size_t count = plan_.fingers.size();
  double values[5] = {};
  double nearest = 1e9;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = body_.field.group_value(body_.groups.first_finger + static_cast<int>(i), p);
    nearest = std::min(nearest, values[i]);
  }
  double belongs[5] = {};
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double near = std::max(0.0, 1 - (values[i] - nearest) / (0.003 * h));
    belongs[i] = near * near;
    total += belongs[i];
  }
  double rest = share;
  for (std::size_t i = 0; i < count; ++i) {
    if (belongs[i] == 0) continue;
    const FingerPlan& finger = plan_.fingers[i];
    double steps[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3d after = (finger.joints[k + 1] - finger.joints[k]).normalized();
      const Vec3d before = k == 0 ? after : Vec3d((finger.joints[k] - finger.joints[k - 1]).normalized());
      const double radius = plan_.mitten && i > 0 ? 0.012 * h : finger.radii[k];
      const double shift = k == 0 && i > 0 ? 0.4 * radius : 0.0;
      steps[k] = step_around((p - finger.joints[k]).dot((after + before).normalized()) - shift, radius);
    }
    const double inside = 1 - smooth_step(0.001 * h, (i == 0 ? 0.016 : 0.012) * h, values[i]);
    const double part = share * belongs[i] / total * inside * steps[0];
    rest -= part;
    const std::uint16_t first = first_of_finger_[i];
    const std::uint16_t chain[] = {first, static_cast<std::uint16_t>(first + 1), static_cast<std::uint16_t>(first + 2)};
    add_chain(chain, std::span<const double>(steps + 1, 2), part, out);
  }
  if (rest > 0) out.push_back({hand_, rest});
}

void HumanoidWeights::add_leg(const Vec3d& p, double share, bool left, std::vector<Influence>& out) const {
  const double g = plan_.unit * plan_.proportions.leg_girth, f = plan_.foot_unit;
  const Vec3d thigh = (plan_.knee - plan_.hip).normalized(), shin = (plan_.ankle - plan_.knee).normalized();
  const double knee = step_around((p - plan_.knee).dot((thigh + shin).normalized()), 0.055 * g);
  const double ankle = step_around(plan_.ankle.y() + 0.012 * f - p.y() + 0.35 * (p.z() - plan_.ankle.z()), 0.030 * f);
  const Vec3d forward = (plan_.toe_tip - plan_.ball).cwiseProduct(Vec3d(1, 0, 1)).normalized();
  const double toes = step_around((p - plan_.ball).dot(forward), 0.020 * f);
  const double steps[] = {knee, ankle, toes};
  add_chain(left ? left_leg_ : right_leg_, steps, share, out);
}

}  // namespace sinew::builtin
