#include <cmath>
#include <numbers>

#include "sinew/builtin/body_field.h"
#include "sinew/builtin/builtin_motions.h"
#include "sinew/builtin/quadruped.h"

namespace sinew::builtin {
namespace {

// A leg as the gait sees it: two bones that reach for the wrist or hock, and the foot below it that pivots on the toes.
struct LegPlan {
  const char *upper, *lower, *foot, *toes;  // without the side
  Vec3d root, middle, wrist, contact;
  Vec3d pole;
};

LegPlan front_leg(const QuadrupedPlan& plan) {
  const auto& j = plan.front_leg;
  return {"Arm", "ForeArm", "Hand", "Fingers", j[1], j[2], j[3], {j[4].x(), 0, j[4].z()}, {0, 0, -1}};
}

LegPlan hind_leg(const QuadrupedPlan& plan) {
  const auto& j = plan.hind_leg;
  return {"UpLeg", "Leg", "Foot", "ToeBase", j[0], j[1], j[2], {j[3].x(), 0, j[3].z()}, {0, 0, 1}};
}

struct FourLeggedGait {
  const char* name;
  double seconds, stride, ground;                         // of a cycle; part of it on the ground
  double left_hind, left_front, right_hind, right_front;  // when each foot lands
  double bob, lift;
};

struct PawState {
  Vec3d contact;
  double pitch_deg;
};

// Where a foot is after `cycle` cycles of its own, which begin when it lands.
PawState foot_at(const LegPlan& leg, const FourLeggedGait& gait, double cycle) {
  const double whole = std::floor(cycle), phase = cycle - whole;
  constexpr double land = -8, leave = 32;
  if (phase <= gait.ground) {
    const double t = phase / gait.ground;
    return {leg.contact + Vec3d(0, 0, gait.stride * whole),
            land * (1 - smooth_step(0, 0.4, t)) + leave * smooth_step(0.5, 1, t)};
  }
  const double t = (phase - gait.ground) / (1 - gait.ground), ease = t * t * (3 - 2 * t);
  const double lift = std::sin(std::numbers::pi * t);
  return {leg.contact + Vec3d(0, gait.lift * lift * lift, gait.stride * (whole + ease)),
          leave + smooth_step(0.25, 1, t) * (land - leave) + 28 * lift * lift};
}

Vec3d wrist_of(const LegPlan& leg, const PawState& foot) {
  return foot.contact + about(Vec3d::UnitX(), foot.pitch_deg) * (leg.wrist - leg.contact);
}

double needed_drop(const LegPlan& leg, const FourLeggedGait& gait, double advance) {
  const double reach = ((leg.middle - leg.root).norm() + (leg.wrist - leg.middle).norm()) * 0.995;
  double drop = 0;
  for (int i = 0; i < 100; ++i) {
    const double cycle = i / 100.0;
    const Vec3d wrist = wrist_of(leg, foot_at(leg, gait, cycle));
    const double ahead = wrist.z() - (leg.root.z() + gait.stride * cycle + advance);
    const double up = std::sqrt(std::max(0.0, reach * reach - ahead * ahead));
    drop = std::max(drop, leg.root.y() - (wrist.y() + up));
  }
  return drop;
}

void pose_leg(const LegPlan& leg, PoseWriter& writer, bool left, const PawState& foot) {
  const std::string side = left ? "Left" : "Right";
  const auto place = [left](const Vec3d& p) { return left ? p : Vec3d(-p.x(), p.y(), p.z()); };
  const Vec3d root = writer.position(side + leg.upper);
  const TwoBoneAngles angles = reach_with_two_bones(place(leg.middle - leg.root), place(leg.wrist - leg.middle),
                                                    place(wrist_of(leg, foot)) - root, leg.pole);
  writer.turn_to(side + leg.upper, angles.upper);
  writer.turn_to(side + leg.lower, angles.lower);
  writer.turn_to(side + leg.foot, about(Vec3d::UnitX(), foot.pitch_deg));
  writer.turn_to(side + leg.toes, about(Vec3d::UnitX(), foot.contact.y() > 1e-9 ? 0.6 * foot.pitch_deg : 0.0));
}

Motion make_gait(const QuadrupedPlan& plan, const Skeleton& skeleton, const FourLeggedGait& gait) {
  const LegPlan front = front_leg(plan), hind = hind_leg(plan);
  // In the middle of its stance a foot is where it stands in the bind pose.
  const double advance = -0.5 * gait.ground * gait.stride;
  const double drop = std::max(needed_drop(front, gait, advance), needed_drop(hind, gait, advance)) + gait.bob;
  const int cycle_frames = std::max(10, static_cast<int>(std::lround(30 * gait.seconds)));
  Motion motion{gait.name, 30.0, skeleton.joint_count(), {}};
  PoseWriter writer(skeleton);
  for (int frame = 0; frame <= 2 * cycle_frames; ++frame) {
    const double cycle = static_cast<double>(frame) / cycle_frames, angle = 2 * std::numbers::pi * cycle;
    const double travelled = gait.stride * cycle + advance;
    writer.move_root(plan.hips + Vec3d(0, -drop - gait.bob * std::cos(2 * angle), travelled));
    const double sway = std::sin(angle);
    writer.turn("Hips", about(Vec3d::UnitY(), 2.5 * sway));
    writer.turn("Spine", about(Vec3d::UnitY(), -2.5 * sway));
    writer.turn("Spine1", about(Vec3d::UnitY(), -1.5 * sway));
    writer.turn("Spine2", about(Vec3d::UnitY(), 1.5 * sway));
    writer.turn("Neck", about(Vec3d::UnitX(), 3 + 2.5 * std::sin(2 * angle)));
    writer.turn("Head", about(Vec3d::UnitX(), -3 - 2.0 * std::sin(2 * angle)));
    for (int i = 1; i <= 5; ++i)
      writer.turn("Tail" + std::to_string(i), about(Vec3d::UnitY(), 7 * std::sin(angle - 0.6 * i)));
    // A foot that lands at phase f of the body's cycle is, in its own count, that much behind; the ground it covers
    // meanwhile is the body's.
    const auto place = [&](const LegPlan& leg, bool left, double lands) {
      PawState foot = foot_at(leg, gait, cycle - lands);
      foot.contact.z() += gait.stride * lands;
      pose_leg(leg, writer, left, foot);
    };
    place(hind, true, gait.left_hind);
    place(front, true, gait.left_front);
    place(hind, false, gait.right_hind);
    place(front, false, gait.right_front);
    writer.append_to(motion);
  }
  return motion;
}

}  // namespace

Motion quadruped_walk(const QuadrupedPlan& plan, const Skeleton& skeleton) {
  const double leg = plan.hind_leg[0].y();
  return make_gait(
      plan, skeleton,
      {"walk", 1.1 * std::sqrt(leg / 0.5), 0.85 * leg, 0.64, 0.0, 0.25, 0.5, 0.75, 0.006 * leg, 0.07 * leg});
}

Motion quadruped_trot(const QuadrupedPlan& plan, const Skeleton& skeleton) {
  const double leg = plan.hind_leg[0].y();
  return make_gait(
      plan, skeleton,
      {"trot", 0.62 * std::sqrt(leg / 0.5), 1.15 * leg, 0.46, 0.0, 0.5, 0.5, 0.0, 0.018 * leg, 0.11 * leg});
}

Motion quadruped_range_of_motion(const QuadrupedPlan&, const Skeleton& skeleton) {
  const Vec3d x = Vec3d::UnitX(), y = Vec3d::UnitY(), z = Vec3d::UnitZ();
  std::vector<JointRange> ranges;
  for (const char* spine : {"Spine", "Spine1", "Spine2"}) {
    ranges.push_back({spine, false, x, -15, 15});
    ranges.push_back({spine, false, y, -18, 18});
    ranges.push_back({spine, false, z, -12, 12});
  }
  for (const char* neck : {"Neck", "Neck1", "Head"}) {
    ranges.push_back({neck, false, x, -25, 30});
    ranges.push_back({neck, false, y, -30, 30});
    ranges.push_back({neck, false, z, -15, 15});
  }
  for (int i = 1; i <= 5; ++i) {
    ranges.push_back({"Tail" + std::to_string(i), false, x, -25, 25});
    ranges.push_back({"Tail" + std::to_string(i), false, y, -25, 25});
  }
  ranges.push_back({"Ear", true, z, -20, 20});
  ranges.push_back({"Shoulder", true, x, -20, 20});
  ranges.push_back({"Arm", true, x, -35, 45});
  ranges.push_back({"Arm", true, z, -8, 20});
  ranges.push_back({"ForeArm", true, x, -70, 15});
  ranges.push_back({"Hand", true, x, -10, 75});
  ranges.push_back({"Fingers", true, x, -40, 40});
  ranges.push_back({"UpLeg", true, x, -50, 35});
  ranges.push_back({"UpLeg", true, z, -8, 25});
  ranges.push_back({"Leg", true, x, -20, 60});
  ranges.push_back({"Foot", true, x, -50, 25});
  ranges.push_back({"ToeBase", true, x, -40, 40});
  return range_of_motion(skeleton, ranges);
}

}  // namespace sinew::builtin
