#include "sinew/builtin/skirt.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "sinew/builtin/joint_chain.h"

namespace sinew::builtin {
namespace {

constexpr int angle_steps = 36, down_steps = 24;

// Chains of the left half, from the front to the back.
constexpr int chain_count = 5, chain_joints = 3;
constexpr const char* chain_names[chain_count] = {"SkirtFront", "LeftSkirtFront", "LeftSkirtSide", "LeftSkirtBack",
                                                  "SkirtBack"};
// Where along the skirt the joints of a chain lie, 0 waist … 1 hem.
constexpr double joint_down[chain_joints + 1] = {0.06, 0.36, 0.68, 1.0};

}  // namespace

Skirt::Skirt(const HumanoidPlan& plan, const HumanoidField& body) : plan_(plan) {
  waist_y_ = plan.hip.y() + 0.24 * plan.torso_length;
  hem_y_ = plan.knee.y() + 0.05 * plan.unit;
  const std::uint32_t groups = 1u << body.groups.torso | 1u << body.groups.leg;
  radii_.resize((angle_steps + 1) * (down_steps + 1));
  for (int a = 0; a <= angle_steps; ++a) {
    const double angle = std::numbers::pi * a / angle_steps;
    const Vec3d direction(std::sin(angle), 0, std::cos(angle));
    double widest = 0;
    for (int d = 0; d <= down_steps; ++d) {
      const double down = static_cast<double>(d) / down_steps, y = waist_y_ + down * (hem_y_ - waist_y_);
      // From outside inwards to the first flesh.
      double distance = 0.6 * plan.unit * std::max(1.0, plan.proportions.hip_width);
      for (int step = 0; step < 40; ++step) {
        const double value = body.field.value(Vec3d(0, y, 0) + distance * direction, groups);
        if (value < 1e-4 || distance <= 0) break;
        distance -= 0.8 * value;
      }
      widest = std::max(widest, std::max(distance, 0.0));
      radii_[a * (down_steps + 1) + d] =
          widest + plan.unit * (0.008 + 0.012 * std::min(1.0, 4 * down) + 0.075 * down * down);
    }
  }
  // Smooth around and downwards: cloth does not follow every hollow.
  for (int round = 0; round < 6; ++round) {
    const std::vector<double> old = radii_;
    for (int a = 0; a <= angle_steps; ++a) {
      for (int d = 1; d <= down_steps; ++d) {
        const auto at = [&](int x, int y) {
          x = x < 0 ? -x : x > angle_steps ? 2 * angle_steps - x : x;
          return old[x * (down_steps + 1) + std::min(y, down_steps)];
        };
        double& r = radii_[a * (down_steps + 1) + d];
        r = std::max(r, 0.25 * (at(a - 1, d) + at(a + 1, d)) + 0.5 * at(a, d));
      }
    }
  }
}

double Skirt::radius(double angle, double down) const {
  const double x = std::clamp(angle / std::numbers::pi, 0.0, 1.0) * angle_steps,
               y = std::clamp(down, 0.0, 1.0) * down_steps;
  const int a = std::min(static_cast<int>(x), angle_steps - 1), d = std::min(static_cast<int>(y), down_steps - 1);
  const double s = x - a, t = y - d;
  const auto at = [&](int i, int j) { return radii_[i * (down_steps + 1) + j]; };
  const double smooth =
      (1 - s) * ((1 - t) * at(a, d) + t * at(a, d + 1)) + s * ((1 - t) * at(a + 1, d) + t * at(a + 1, d + 1));
  const double folds = 0.014 * plan_.unit * down * down * (1 - std::cos(12 * angle));
  return smooth + folds;
}

Vec3d Skirt::place(double angle, double down) const {
  const double r = radius(angle, down);
  return {r * std::sin(angle), waist_y_ + down * (hem_y_ - waist_y_), r * std::cos(angle)};
}

// A grid from the middle of the front to the middle of the back, cells about square.
TriangleMesh Skirt::sheet(std::size_t vertices) const {
  const double around = 0.5 * std::numbers::pi * (radius(std::numbers::pi / 2, 0.5) + radius(0, 0.5)),
               down = waist_y_ - hem_y_;
  const double ratio = around / down;
  const int rows = std::max(4, static_cast<int>(std::lround(std::sqrt(static_cast<double>(vertices) / ratio))) - 1);
  const int columns = std::max(6, static_cast<int>(std::lround(static_cast<double>(vertices) / (rows + 1))) - 1);
  TriangleMesh mesh;
  for (int r = 0; r <= rows; ++r) {
    for (int c = 0; c <= columns; ++c) {
      Vec3f p = place(std::numbers::pi * c / columns, static_cast<double>(r) / rows).cast<float>();
      if (c == 0 || c == columns) p.x() = 0;
      mesh.positions.push_back(p);
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const auto a = static_cast<std::uint32_t>(r * (columns + 1) + c), b = a + 1;
      const auto d = a + static_cast<std::uint32_t>(columns) + 1, e = d + 1;
      if ((r + c) % 2 == 0) {
        mesh.triangles.push_back({a, d, e});
        mesh.triangles.push_back({a, e, b});
      } else {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({b, d, e});
      }
    }
  }
  return mesh;
}

void Skirt::add_joints(Skeleton& skeleton) const {
  const int hips = find_joint(skeleton, "Hips");
  for (const bool left : {true, false}) {
    for (int chain = 0; chain < chain_count; ++chain) {
      std::string name = chain_names[chain];
      const bool middle = !name.starts_with("Left");
      if (!left && middle) continue;
      if (!left) name = "Right" + name.substr(4);
      int parent = hips;
      for (int k = 0; k <= chain_joints; ++k) {
        Vec3d at = place(std::numbers::pi * chain / (chain_count - 1), joint_down[k]);
        if (middle) at.x() = 0;
        const bool end = k == chain_joints;
        parent = add_joint(skeleton, name + (end ? "_End" : std::to_string(k + 1)), parent,
                           Affine3d(Eigen::Translation3d(left ? at : mirrored(at))),
                           end ? JointKind::end : JointKind::joint);
      }
    }
  }
}

std::vector<Influence> Skirt::weights_at(const Vec3d& p, const Skeleton& skeleton, std::uint16_t hips) const {
  const double angle = std::atan2(p.x(), p.z()), down = (waist_y_ - p.y()) / (waist_y_ - hem_y_);
  const double position = std::clamp(angle / std::numbers::pi, 0.0, 1.0) * (chain_count - 1);
  const int first = std::min(static_cast<int>(position), chain_count - 2);
  const double second_share = smooth_step(0, 1, position - first);
  std::vector<Influence> out;
  for (const int chain : {first, first + 1}) {
    const double share = chain == first ? 1 - second_share : second_share;
    if (share <= 0) continue;
    const auto joint = static_cast<std::uint16_t>(find_joint(skeleton, std::string(chain_names[chain]) + "1"));
    const std::uint16_t joints[] = {hips, joint, static_cast<std::uint16_t>(joint + 1),
                                    static_cast<std::uint16_t>(joint + 2)};
    const double steps[] = {step_around(down - joint_down[0], 0.06), step_around(down - joint_down[1], 0.14),
                            step_around(down - joint_down[2], 0.14)};
    add_chain(joints, steps, share, out);
  }
  return out;
}

SurfacePart Skirt::part(const HumanoidWeights& weights, const Look& look, const Skeleton& skeleton) const {
  SurfacePart part = dressed_part(plan_, weights, "Skirt", "Skirt", look.bottom);
  const auto hips = static_cast<std::uint16_t>(find_joint(skeleton, "Hips"));
  part.weights = [this, &skeleton, hips](const Vec3d& p) { return weights_at(p, skeleton, hips); };
  part.sheet = [this](std::size_t vertices) { return sheet(vertices); };
  part.edge_length = [](const Vec3d&) { return 0.9; };
  part.uv = [this](const Vec3d& p) {
    return Vec2f(static_cast<float>(0.5 * std::atan2(p.x(), p.z()) / std::numbers::pi),
                 static_cast<float>((waist_y_ - p.y()) / (waist_y_ - hem_y_)));
  };
  return part;
}

void Skirt::follow_legs(const Skeleton& skeleton, Motion& motion) {
  const int thighs[] = {find_joint(skeleton, "LeftUpLeg"), find_joint(skeleton, "RightUpLeg")};
  for (int frame = 0; frame < motion.frame_count(); ++frame) {
    Transform* pose = motion.transforms.data() + static_cast<std::ptrdiff_t>(frame) * motion.joint_count;
    // How far each thigh leans forward and outwards.
    double forward[2], outward[2];
    for (int side = 0; side < 2; ++side) {
      const Vec3d thigh = pose[thighs[side]].rotation * Vec3d(0, -1, 0);
      forward[side] = std::atan2(thigh.z(), std::max(0.05, -thigh.y()));
      outward[side] = std::max(0.0, (side == 0 ? 1 : -1) * std::atan2(thigh.x(), std::max(0.05, -thigh.y())));
    }
    const auto lean = [&](const std::string& name, double x_angle, double z_angle) {
      const int joint = find_joint(skeleton, name + "1");
      pose[joint].rotation = Eigen::AngleAxisd(z_angle, Vec3d::UnitZ()) * Eigen::AngleAxisd(-x_angle, Vec3d::UnitX());
    };
    const double most = std::max({forward[0], forward[1], 0.0}), least = std::min({forward[0], forward[1], 0.0});
    lean("SkirtFront", 0.75 * most, 0);
    lean("SkirtBack", 0.75 * least, 0);
    for (int side = 0; side < 2; ++side) {
      const std::string name = side == 0 ? "Left" : "Right";
      const double sign = side == 0 ? 1 : -1;
      lean(name + "SkirtFront", 0.9 * std::max(0.0, forward[side]), sign * 0.6 * outward[side]);
      lean(name + "SkirtSide", 0.35 * forward[side], sign * outward[side]);
      lean(name + "SkirtBack", 0.9 * std::min(0.0, forward[side]), sign * 0.6 * outward[side]);
    }
  }
}

}  // namespace sinew::builtin
