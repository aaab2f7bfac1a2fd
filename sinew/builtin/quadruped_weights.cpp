#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "sinew/builtin/joint_chain.h"
#include "sinew/builtin/quadruped.h"
#include "sinew/error.h"

namespace sinew::builtin {
namespace {

std::uint16_t joint_index(const Skeleton& skeleton, const std::string& name) {
  const int index = find_joint(skeleton, name);
  if (index < 0) throw Error(ErrorCode::internal, "the skeleton has no joint '" + name + "'");
  return static_cast<std::uint16_t>(index);
}

// How far a point has passed joint k of a bent limb, across the plane that halves the bend.
double passed(std::span<const Vec3d> joints, std::size_t k, const Vec3d& p, double half_width) {
  const Vec3d after = (joints[k + 1] - joints[k]).normalized();
  const Vec3d before = k > 0 ? Vec3d((joints[k] - joints[k - 1]).normalized()) : after;
  return step_around((p - joints[k]).dot((after + before).normalized()), half_width);
}

}  // namespace

QuadrupedWeights::QuadrupedWeights(const QuadrupedPlan& plan, const QuadrupedField& body, const Skeleton& skeleton)
    : plan_(plan), body_(body) {
  const char* trunk[] = {"Hips", "Spine", "Spine1", "Spine2", "Neck", "Neck1", "Head"};
  const char* front[] = {"LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftFingers"};
  const char* hind[] = {"LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"};
  for (std::size_t i = 0; i < 7; ++i) trunk_[i] = joint_index(skeleton, trunk[i]);
  for (std::size_t i = 0; i < 5; ++i) tail_[i] = joint_index(skeleton, "Tail" + std::to_string(i + 1));
  for (std::size_t i = 0; i < 5; ++i) front_[i] = joint_index(skeleton, front[i]);
  for (std::size_t i = 0; i < 4; ++i) hind_[i] = joint_index(skeleton, hind[i]);
  ear_ = joint_index(skeleton, "LeftEar");
}

// The shoulder blade glides on the ribs: its share fades upwards, forwards, backwards and towards the breastbone.
double QuadrupedWeights::front_share(const Vec3d& p) const {
  const double u = plan_.unit;
  const auto& j = plan_.front_leg;
  const double trunk = std::min(body_.field.group_value(body_.torso, p), body_.field.group_value(body_.neck, p));
  const double apart = trunk - body_.field.group_value(body_.front, p);
  const double free = smooth_step(0.0, 0.035 * u, apart) * (1 - smooth_step(j[1].y(), j[0].y(), p.y()));
  const double height = 1 - smooth_step(j[1].y() - 0.02 * u, j[0].y() + 0.02 * u, p.y());
  const double length = 1 - smooth_step(0.05 * u, 0.14 * u, std::abs(p.z() - 0.5 * (j[0].z() + j[1].z())));
  const double side = smooth_step(0.2 * j[1].x(), 0.8 * j[1].x(), p.x());
  return std::max(free, 0.9 * height * length * side);
}

double QuadrupedWeights::hind_share(const Vec3d& p) const {
  const double u = plan_.unit;
  const auto& j = plan_.hind_leg;
  const double trunk = std::min(body_.field.group_value(body_.torso, p), body_.field.group_value(body_.tail, p));
  const double apart = trunk - body_.field.group_value(body_.hind, p);
  const double free =
      smooth_step(0.0, 0.035 * u, apart) * (1 - smooth_step(j[0].y() - 0.02 * u, j[0].y() + 0.06 * u, p.y()));
  const double height = 1 - smooth_step(j[0].y() - 0.07 * u, j[0].y() + 0.05 * u, p.y());
  const double length = 1 - smooth_step(0.06 * u, 0.14 * u, std::abs(p.z() - 0.5 * (j[0].z() + j[1].z())));
  const double side = smooth_step(0.15 * j[0].x(), 0.8 * j[0].x(), p.x());
  return std::max(free, height * length * side);
}

std::vector<Influence> QuadrupedWeights::at(const Vec3d& p) const {
  std::vector<Influence> out;
  const double u = plan_.unit, g = u * plan_.proportions.leg_girth;
  const double middle = plan_.spine1.z();
  const double front = p.z() > middle ? front_share(p) : 0.0, hind = p.z() <= middle ? hind_share(p) : 0.0;
  add_trunk(p, 1 - front - hind, out);
  if (front > 0) {
    const auto& j = plan_.front_leg;
    const double steps[] = {passed(j, 1, p, 0.045 * g), passed(j, 2, p, 0.038 * g), passed(j, 3, p, 0.024 * g),
                            step_around(p.z() - j[4].z() - 0.004 * g + 0.5 * (j[4].y() - p.y()), 0.018 * g)};
    add_chain(front_, steps, front, out);
  }
  if (hind > 0) {
    const auto& j = plan_.hind_leg;
    const double steps[] = {passed(j, 1, p, 0.045 * g), passed(j, 2, p, 0.024 * g),
                            step_around(p.z() - j[3].z() - 0.004 * g + 0.5 * (j[3].y() - p.y()), 0.018 * g)};
    add_chain(hind_, steps, hind, out);
  }
  return out;
}

void QuadrupedWeights::add_trunk(const Vec3d& p, double share, std::vector<Influence>& out) const {
  if (share <= 0) return;
  const double u = plan_.unit;
  const double spine = 0.06 * u * plan_.proportions.length;
  const Vec3d neck = (plan_.head - plan_.neck).normalized();
  const Vec3d head = (Vec3d(0, 0.35, 0.95) + 0.5 * neck).normalized();
  const double head_apart = body_.field.group_value(body_.torso, p) - body_.field.group_value(body_.neck, p);
  const double on_neck = smooth_step(-0.06 * u, 0.02 * u, head_apart);
  const double steps[] = {step_around(p.z() - plan_.spine.z(), spine),
                          step_around(p.z() - plan_.spine1.z(), spine),
                          step_around(p.z() - plan_.spine2.z(), spine),
                          on_neck * step_around((p - plan_.neck).dot(neck), 0.060 * u),
                          step_around((p - plan_.neck1).dot(neck), 0.045 * u),
                          step_around((p - plan_.head).dot(head) - 0.005 * u, 0.035 * u * plan_.proportions.head)};
  // The tail and the ears are told from the rest by their own solids.
  const Vec3d tail_direction = (plan_.tail[1] - plan_.tail[0]).normalized();
  const double tail_apart = body_.field.group_value(body_.torso, p) - body_.field.group_value(body_.tail, p);
  const double tail = step_around((p - plan_.tail[0]).dot(tail_direction) - 0.006 * u, 0.028 * u) *
                      smooth_step(-0.012 * u, 0.014 * u, tail_apart);
  const double ear_apart = body_.field.group_value(body_.neck, p) - body_.field.group_value(body_.ear, p);
  const double ear = smooth_step(-0.002 * u, 0.014 * u, ear_apart) * steps[5];
  if (tail > 0) {
    double tail_steps[4];
    for (std::size_t i = 0; i < 4; ++i) tail_steps[i] = passed(plan_.tail, i + 1, p, 0.026 * u);
    add_chain(tail_, tail_steps, share * tail, out);
  }
  if (ear > 0) out.push_back({ear_, share * (1 - tail) * ear});
  add_chain(trunk_, steps, share * (1 - tail) * (1 - ear), out);
}

}  // namespace sinew::builtin
