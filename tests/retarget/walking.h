// A figure that walks, changed skeletons, and its motion on them.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "sinew/anatomy/joint_map.h"
#include "sinew/base/random.h"
#include "sinew/retarget/retarget_motion.h"
#include "sinew/rig/ik.h"
#include "tests/support/figure.h"

namespace sinew::test {

// Walks along +z: the hips glide, each foot stands for one second and swings for one, arms wave.
inline Motion walk(const Skeleton& skeleton, int frames = 121) {
  Motion motion{"walk", 30, skeleton.joint_count(), {}};
  const double speed = 0.4, step_seconds = 1.0;
  for (int f = 0; f < frames; ++f) {
    const double t = f / motion.frames_per_second;
    Pose pose = rest_pose(skeleton);
    pose[0].translation += Vec3d(0, -0.03, speed * t);
    for (const std::string side : {"Left", "Right"}) {
      const double phase = t / step_seconds + (side == "Left" ? 0.0 : 1.0);
      const double cycle = std::floor(phase / 2), u = phase - 2 * cycle;  // 0 … 1 stands, 1 … 2 swings
      const double swing = std::clamp(u - 1, 0.0, 1.0), eased = swing * swing * (3 - 2 * swing);
      const double begin = 2 * cycle - (side == "Left" ? 0.0 : 1.0) + 0.5;
      const Limb leg{find_joint(skeleton, side + "UpLeg"), find_joint(skeleton, side + "Leg"),
                     find_joint(skeleton, side + "Foot")};
      Vec3d target = skeleton.position(leg.end);
      target.z() += speed * step_seconds * (begin + 2 * eased);
      target.y() += 0.15 * std::sin(std::numbers::pi * swing);
      reach_with_limb(skeleton, leg, target, Quatd::Identity(), Vec3d::UnitZ(), pose);
      pose[find_joint(skeleton, side + "Arm")].rotation =
          Quatd(Eigen::AngleAxisd(0.5 * std::sin(3 * t), Vec3d::UnitY()));
    }
    pose[find_joint(skeleton, "Spine")].rotation = Quatd(Eigen::AngleAxisd(0.3 * std::sin(2 * t), Vec3d::UnitX()));
    motion.transforms.insert(motion.transforms.end(), pose.begin(), pose.end());
  }
  return motion;
}

// Every rest transform changed by `change`; joint axes turned at random, as another rigger would have chosen them.
inline Skeleton reworked(Skeleton skeleton, const Affine3d& change, Random* axes = nullptr) {
  for (Affine3d& rest : skeleton.rest) {
    rest = change * rest;
    // Scale belongs to the bones' lengths, not to the joints.
    rest.linear() = Transform::from_matrix(rest).rotation.toRotationMatrix();
    if (!axes) continue;
    const Vec3d axis(axes->normal(), axes->normal(), axes->normal());
    rest.linear() = rest.linear() * Eigen::AngleAxisd(axes->uniform(-3, 3), axis.normalized()).toRotationMatrix();
  }
  return skeleton;
}

inline Skeleton longer_legs(Skeleton skeleton, double factor) {
  const double hip = skeleton.position(find_joint(skeleton, "LeftUpLeg")).y();
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    double& y = skeleton.rest[joint].translation().y();
    y = y < hip ? y * factor : y + hip * (factor - 1);
  }
  return skeleton;
}

inline Motion retargeted(const Skeleton& source, const Motion& motion, const Skeleton& target, RetargetReport& report,
                         const RetargetOptions& options = {}) {
  return retarget_motion({source}, motion, target, map_joints(source, target), options, report);
}

}  // namespace sinew::test
