#include "sinew/flesh/pose_runs.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/anatomy/joint_limits.h"
#include "sinew/base/cancellation.h"

namespace sinew {
namespace {

constexpr double pressed = 0.75;    // of the sum of two limbs' radii: how close their bones may come
constexpr double as_at_rest = 0.9;  // of the distance at rest, where that is smaller
constexpr double towards_rest = 0.85;
constexpr int most_tries = 12;

Pose blend(const Pose& a, const Pose& b, double t) {
  Pose result = a;
  for (std::size_t joint = 0; joint < a.size(); ++joint) result[joint] = interpolate(a[joint], b[joint], t);
  return result;
}

double turn_between(const Pose& a, const Pose& b) {
  double largest = 0;
  for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, a[j].rotation.angularDistance(b[j].rotation));
  return largest * 180 / std::numbers::pi;
}

// Bones of the same joint, of parent and child, and of children of one parent meet by nature.
bool neighbours(const Skeleton& skeleton, int a, int b) {
  const int pa = skeleton.parents[a], pb = skeleton.parents[b];
  return a == b || pa == b || pb == a || pa == pb || (pa >= 0 && skeleton.parents[pa] == b) ||
         (pb >= 0 && skeleton.parents[pb] == a);
}

Vec3d middle(const BoneSolid& solid) { return 0.5 * (solid.axis.head + solid.axis.tail); }
double mean_radius(const BoneSolid& solid) { return 0.5 * (solid.head_radius + solid.tail_radius); }

Pose feasible_random_pose(const Skeleton& skeleton, const std::vector<BoneSolid>& solids, const JointLimits& limits,
                          double bone_thickness, Random& random) {
  const Pose rest = rest_pose(skeleton);
  Pose pose = random_pose(skeleton, limits, random);
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    if (limb_clearance(skeleton, solids, pose, bone_thickness) >= 1) break;
    pose = blend(rest, pose, towards_rest);
  }
  return pose;
}

}  // namespace

double limb_clearance(const Skeleton& skeleton, const std::vector<BoneSolid>& solids, const Pose& pose,
                      double bone_thickness) {
  const std::vector<Affine3d> transforms = skinning_transforms(skeleton, pose);
  double least = 2.0;
  for (std::size_t a = 0; a < solids.size(); ++a) {
    if (solids[a].halfway) continue;
    for (std::size_t b = 0; b < a; ++b) {
      if (solids[b].halfway || neighbours(skeleton, solids[a].axis.joint, solids[b].axis.joint)) continue;
      const Vec3d at = middle(solids[a]), bt = middle(solids[b]);
      const double radii = (mean_radius(solids[a]) + mean_radius(solids[b])) / bone_thickness;
      const double needed = std::min(pressed * radii, as_at_rest * (at - bt).norm());
      const double distance = (transforms[solids[a].axis.joint] * at - transforms[solids[b].axis.joint] * bt).norm();
      least = std::min(least, distance / std::max(needed, 1e-30));
    }
  }
  return least;
}

std::vector<PoseRun> motion_runs(const Motion& motion, int every, int run_length) {
  std::vector<PoseRun> runs;
  for (int frame = 0; frame < motion.frame_count(); frame += every) {
    if (runs.empty() || static_cast<int>(runs.back().poses.size()) >= run_length) runs.push_back({motion.name, {}, {}});
    runs.back().frames.push_back(frame);
    runs.back().poses.push_back(frame_pose(motion, frame));
  }
  return runs;
}

std::vector<int> thin_joints(const Skeleton& skeleton, const std::vector<BoneSolid>& solids, double bone_thickness,
                             double radius) {
  std::vector<double> thickest(skeleton.joint_count(), -1.0);  // joints without a bone in the body are not thin
  for (const BoneSolid& solid : solids) {
    if (solid.halfway) continue;
    const double here = std::max(solid.head_radius, solid.tail_radius) / bone_thickness;
    thickest[solid.axis.joint] = std::max(thickest[solid.axis.joint], here);
  }
  std::vector<int> result;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (thickest[joint] >= 0 && thickest[joint] < radius) result.push_back(joint);
  }
  return result;
}

std::vector<PoseRun> random_runs(const Skeleton& skeleton, const std::vector<BoneSolid>& solids,
                                 const RandomRunOptions& options) {
  JointLimits limits = default_joint_limits(skeleton);
  for (const int joint : options.still) limits[joint].low = limits[joint].high = Vec3d::Zero();
  std::vector<PoseRun> runs;
  for (int made = 0; made < options.poses;) {
    Random random = Random::stream(options.seed, runs.size());
    PoseRun run{"random " + std::to_string(runs.size()), {}, {}};
    Pose pose = rest_pose(skeleton);
    while (static_cast<int>(run.poses.size()) < options.run_length && made < options.poses) {
      stop_if_cancelled();
      const Pose target = feasible_random_pose(skeleton, solids, limits, options.bone_thickness, random);
      const int steps = std::max(1, static_cast<int>(std::ceil(turn_between(pose, target) / options.step)));
      for (int step = 1; step <= steps; ++step) {
        if (static_cast<int>(run.poses.size()) >= options.run_length || made >= options.poses) break;
        run.frames.push_back(static_cast<int>(run.poses.size()));
        run.poses.push_back(blend(pose, target, static_cast<double>(step) / steps));
        ++made;
      }
      pose = target;
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace sinew
