#include <cmath>
#include <numbers>

#include "sinew/builtin/body_field.h"
#include "sinew/builtin/builtin_motions.h"

namespace sinew::builtin {
namespace {

// Where a foot is during one cycle that begins when it touches the ground.
struct FootState {
  Vec3d ankle;
  double pitch_deg;  // positive: toes down
  double toe_deg;    // of the toes against the foot
};

struct Gait {
  double stride;         // metres per cycle
  double ground = 0.60;  // part of the cycle that a foot is on the ground
  double strike_deg = 18, toe_off_deg = 46;
};

class FootPath {
 public:
  FootPath(const HumanoidPlan& plan, const Gait& gait) : plan_(plan), gait_(gait) {}

  // `cycle` counts cycles of this foot, fraction and all; the foot lands at z = stride * floor(cycle) + landing.
  FootState at(double cycle) const {
    const double whole = std::floor(cycle), phase = cycle - whole;
    const double z = gait_.stride * whole;
    if (phase <= gait_.ground) return on_ground(phase, z);
    const double t = (phase - gait_.ground) / (1 - gait_.ground);
    const FootState from = on_ground(gait_.ground, z), to = on_ground(0, z + gait_.stride);
    const double ease = t * t * (3 - 2 * t);
    FootState state;
    state.ankle = from.ankle + ease * (to.ankle - from.ankle);
    // The foot leaves and meets the ground at its own speed: lift is flat at both ends.
    const double lift = std::sin(std::numbers::pi * t);
    state.ankle.y() += 0.055 * plan_.hip.y() * lift * lift;
    state.pitch_deg = from.pitch_deg + smooth_step(0.0, 0.85, t) * (to.pitch_deg - from.pitch_deg);
    state.toe_deg = (1 - smooth_step(0.0, 0.4, t)) * from.toe_deg;
    return state;
  }

 private:
  // Rolls over the heel, stands flat, rolls over the ball of the foot.
  FootState on_ground(double phase, double z) const {
    const double heel_roll = 1 - smooth_step(0.0, 0.12, phase);
    const double ball_roll = smooth_step(0.30, gait_.ground + 0.04, phase);
    const double pitch = -gait_.strike_deg * heel_roll + gait_.toe_off_deg * ball_roll;
    const Vec3d heel(plan_.heel), ball(plan_.ball.x(), 0, plan_.ball.z());
    const Vec3d pivot = pitch < 0 ? heel : ball;
    const Vec3d ankle = pivot + about(Vec3d::UnitX(), pitch) * (plan_.ankle - pivot);
    return {ankle + Vec3d(0, 0, z), pitch, -std::max(pitch, 0.0)};
  }

  const HumanoidPlan& plan_;
  Gait gait_;
};

void pose_arm(const HumanoidPlan& plan, PoseWriter& writer, bool left, double swing_deg) {
  const std::string side = left ? "Left" : "Right";
  const double mirror = left ? 1 : -1;
  const double away = 13 + 22 * std::max(0.0, plan.proportions.arm_girth * plan.proportions.shoulder_width - 1);
  const double lower = 90 - away - plan.proportions.arm_angle_deg;
  writer.turn(side + "Arm", about(Vec3d::UnitX(), -swing_deg) * about(Vec3d::UnitZ(), -mirror * lower));
  Vec3d hinge = plan.arm_up;
  if (!left) hinge.x() = -hinge.x();
  writer.turn(side + "ForeArm", about(hinge, -mirror * (13 + 0.4 * std::max(0.0, swing_deg))));
}

void pose_leg(const HumanoidPlan& plan, PoseWriter& writer, bool left, const FootState& foot, const Quatd& pelvis) {
  const std::string side = left ? "Left" : "Right";
  const auto place = [left](const Vec3d& p) { return left ? p : mirrored(p); };
  const Vec3d hip = writer.position(side + "UpLeg");
  const Vec3d target = place(foot.ankle) - hip;
  const TwoBoneAngles leg = reach_with_two_bones(place(plan.knee - plan.hip), place(plan.ankle - plan.knee), target,
                                                 pelvis * Vec3d(left ? 0.08 : -0.08, 0, 1));
  writer.turn_to(side + "UpLeg", leg.upper);
  writer.turn_to(side + "Leg", leg.lower);
  writer.turn_to(side + "Foot", about(Vec3d::UnitX(), foot.pitch_deg));
  writer.turn(side + "ToeBase", about(Vec3d::UnitX(), foot.toe_deg));
}

// How far the hips must sink, besides their bobbing, so that both legs reach the ground all the time. `advance`: how
// far the hips are ahead of the landing foot.
double needed_drop(const HumanoidPlan& plan, const FootPath& path, const Gait& gait, double advance, double bob) {
  const double leg = ((plan.knee - plan.hip).norm() + (plan.ankle - plan.knee).norm()) * 0.998;
  double drop = 0;
  for (int i = 0; i < 120; ++i) {
    const double cycle = i / 120.0;
    const Vec3d ankle = path.at(cycle).ankle;
    const double ahead = ankle.z() - (gait.stride * cycle + advance), aside = ankle.x() - plan.hip.x();
    const double reach = std::sqrt(std::max(0.0, leg * leg - ahead * ahead - aside * aside));
    drop = std::max(drop, plan.hip.y() - ankle.y() - reach - bob * std::cos(4 * std::numbers::pi * cycle));
  }
  return drop;
}

}  // namespace

Motion humanoid_walk(const HumanoidPlan& plan, const Skeleton& skeleton) {
  const double leg = plan.hip.y();
  const Gait gait{1.22 * leg};
  const FootPath path(plan, gait);
  // A pendulum's time goes with the root of its length.
  const double seconds = 1.08 * std::sqrt(leg / 0.93);
  const int cycle_frames = std::max(12, static_cast<int>(std::lround(30 * seconds)));
  // Of all ways to carry the body over the feet, the one that keeps it highest.
  const double bob = 0.022 * leg;
  double advance = 0, drop = leg;
  for (double share = 0.18; share < 0.36; share += 0.005) {
    const double candidate = needed_drop(plan, path, gait, -share * gait.stride, bob) + 0.004 * leg;
    if (candidate < drop) {
      drop = candidate;
      advance = -share * gait.stride;
    }
  }
  Motion motion{"walk", 30.0, skeleton.joint_count(), {}};
  PoseWriter writer(skeleton);
  for (int frame = 0; frame <= 2 * cycle_frames; ++frame) {
    const double cycle = static_cast<double>(frame) / cycle_frames, angle = 2 * std::numbers::pi * cycle;
    // The left foot lands at whole cycles, the right one half a cycle later. Over the standing foot the body is
    // highest, leans to its side, and the other hip hangs a little.
    const double stance = std::sin(angle + 0.1 * std::numbers::pi);
    const Vec3d shift(0.014 * plan.unit * plan.proportions.hip_width * stance, -drop - bob * std::cos(2 * angle),
                      gait.stride * cycle + advance);
    writer.move_root(plan.hips + shift);
    const Quatd pelvis = about(Vec3d::UnitY(), -6 * std::cos(angle)) * about(Vec3d::UnitZ(), 3 * stance);
    writer.turn("Hips", pelvis);
    writer.turn("Spine", about(Vec3d::UnitY(), 4 * std::cos(angle)) * about(Vec3d::UnitZ(), -2.0 * stance));
    writer.turn("Spine1", about(Vec3d::UnitY(), 4 * std::cos(angle)) * about(Vec3d::UnitX(), 2));
    writer.turn("Spine2", about(Vec3d::UnitY(), 3 * std::cos(angle)) * about(Vec3d::UnitZ(), -1.5 * stance));
    writer.turn("Neck", about(Vec3d::UnitY(), -3 * std::cos(angle)));
    writer.turn("Head",
                about(Vec3d::UnitY(), -2 * std::cos(angle)) * about(Vec3d::UnitX(), -1.5 + 1.0 * std::cos(2 * angle)));
    pose_arm(plan, writer, true, 1 - 22 * std::cos(angle));
    pose_arm(plan, writer, false, 1 + 22 * std::cos(angle));
    pose_leg(plan, writer, true, path.at(cycle), pelvis);
    FootState right = path.at(cycle + 0.5);
    right.ankle.z() -= 0.5 * gait.stride;
    pose_leg(plan, writer, false, right, pelvis);
    writer.append_to(motion);
  }
  return motion;
}

Motion humanoid_range_of_motion(const HumanoidPlan& plan, const Skeleton& skeleton) {
  const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
  const double down = plan.proportions.arm_angle_deg;
  std::vector<JointRange> ranges;
  for (const char* spine : {"Spine", "Spine1", "Spine2"}) {
    ranges.push_back({spine, false, x, -15, 25});
    ranges.push_back({spine, false, z, -18, 18});
    ranges.push_back({spine, false, y, -20, 20});
  }
  for (const char* neck : {"Neck", "Head"}) {
    ranges.push_back({neck, false, x, -25, 25});
    ranges.push_back({neck, false, z, -20, 20});
    ranges.push_back({neck, false, y, -35, 35});
  }
  ranges.push_back({"Shoulder", true, z, -8, 25});
  ranges.push_back({"Shoulder", true, y, -15, 12});
  ranges.push_back({"Arm", true, z, -75 + down, 75 + down});
  ranges.push_back({"Arm", true, plan.arm_up, -100, 25});
  ranges.push_back({"Arm", true, plan.arm_along, -60, 60});
  ranges.push_back({"ForeArm", true, plan.arm_up, -135, 0});
  ranges.push_back({"ForeArm", true, plan.arm_along, -60, 60});
  ranges.push_back({"Hand", true, z, -65, 55});
  ranges.push_back({"Hand", true, plan.arm_up, -20, 25});
  for (std::size_t i = 0; i < plan.fingers.size(); ++i) {
    const std::string name = std::string("Hand") + plan.fingers[i].name;
    for (int k = 1; k <= 3; ++k) {
      const Vec3d thumb_axis = (plan.arm_up - 0.5 * plan.arm_forward).normalized();
      ranges.push_back(
          {name + std::to_string(k), true, i == 0 ? thumb_axis : z, i == 0 ? -10.0 : -80.0, i == 0 ? 40.0 : 8.0});
    }
  }
  ranges.push_back({"UpLeg", true, x, -105, 25});
  ranges.push_back({"UpLeg", true, z, -8, 45});
  ranges.push_back({"UpLeg", true, y, -35, 35});
  ranges.push_back({"Leg", true, x, 0, 130});
  ranges.push_back({"Foot", true, x, -22, 45});
  ranges.push_back({"Foot", true, z, -18, 18});
  ranges.push_back({"ToeBase", true, x, -50, 20});
  return range_of_motion(skeleton, ranges);
}

}  // namespace sinew::builtin
