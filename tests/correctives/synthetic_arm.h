// An arm whose flesh is known in closed form: a tube with an elbow, bulging and folding with the bend, twisting with
// the forearm. Truth for tests and benchmarks of correctives.
#pragma once

#include <cmath>
#include <vector>

#include "sinew/character.h"
#include "sinew/correctives/training_shapes.h"

namespace sinew::test {

// Along x from 0 to 2, elbow at 1, radius 0.2; `rings` × `sides` vertices; shoulder, elbow and wrist joints.
inline Character synthetic_arm(int rings, int sides) {
  Character arm;
  arm.name = "arm";
  for (const double x : {0.0, 1.0, 2.0}) {
    Affine3d rest = Affine3d::Identity();
    rest.translation().x() = x;
    add_joint(arm.skeleton, x == 0 ? "shoulder" : x == 1 ? "elbow" : "wrist", static_cast<int>(x) - 1, rest);
  }
  const auto count = static_cast<std::size_t>(rings) * static_cast<std::size_t>(sides);
  arm.weights = make_skin_weights(count, 4);
  for (int i = 0; i < rings; ++i) {
    const double x = 2.0 * i / (rings - 1);
    const double t = std::clamp((x - 0.7) / 0.6, 0.0, 1.0), bend = t * t * (3 - 2 * t);
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * 3.14159265358979 * k / sides;
      const std::size_t v = arm.mesh.positions.size();
      arm.mesh.positions.push_back(Vec3d(x, 0.2 * std::cos(angle), 0.2 * std::sin(angle)).cast<float>());
      set_influences(arm.weights, v, {{0, 1 - bend}, {1, bend}});
    }
  }
  const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i * sides + k % sides); };
  for (int i = 0; i + 1 < rings; ++i) {
    for (int k = 0; k < sides; ++k) {
      arm.mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      arm.mesh.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
  }
  return arm;
}

// Bend about z and twist about x, in radians.
inline Pose arm_pose(const Character& arm, double bend, double twist) {
  Pose pose = rest_pose(arm.skeleton);
  pose[1].rotation = Quatd(Eigen::AngleAxisd(bend, Vec3d::UnitZ())) * Quatd(Eigen::AngleAxisd(twist, Vec3d::UnitX()));
  return pose;
}

// The displacement before skinning at a rest position: a biceps that swells with the bend, a fold inside the elbow,
// fine wrinkles near it that only dense meshes resolve, and a part that undoes the loss of volume under twist.
inline Vec3d arm_displacement(const Vec3d& p, double bend, double twist) {
  const double s = std::sin(bend / 2);
  const Vec3d out = Vec3d(0, p.y(), p.z()).normalized();
  const double biceps = 0.06 * s * s * std::exp(-40 * (p.x() - 0.55) * (p.x() - 0.55)) * std::max(0.0, out.y() + 0.3);
  const double near = std::exp(-60 * (p.x() - 1) * (p.x() - 1));
  const double fold = -0.05 * s * near * std::max(0.0, out.y());
  const double wrinkle = 0.004 * s * near * std::sin(60 * p.x()) * std::max(0.0, out.y());
  const double swell = 0.03 * (1 - std::cos(twist)) * near;
  return (biceps + fold + wrinkle + swell) * out;
}

// Posed positions of the truth.
inline std::vector<Vec3f> arm_shape(const Character& arm, const Pose& pose, double bend, double twist) {
  const std::vector<Affine3d> transforms = skinning_transforms(arm.skeleton, pose);
  std::vector<Vec3f> shape;
  for (std::size_t v = 0; v < arm.mesh.vertex_count(); ++v) {
    const Vec3d rest = arm.mesh.positions[v].cast<double>();
    const Vec3d moved = rest + arm_displacement(rest, bend, twist);
    Vec3d posed = Vec3d::Zero();
    for (int slot = 0; slot < 4; ++slot) {
      posed += double{arm.weights.weights[4 * v + slot]} * (transforms[arm.weights.joints[4 * v + slot]] * moved);
    }
    shape.push_back(posed.cast<float>());
  }
  return shape;
}

// One more training shape: the truth of the arm in this pose.
inline void append_arm_shape(TrainingShapesWriter& writer, const Character& arm, const std::string& motion, int frame,
                             double bend, double twist) {
  const Pose pose = arm_pose(arm, bend, twist);
  writer.append({motion, frame, pose, arm_shape(arm, pose, bend, twist)});
}

}  // namespace sinew::test
