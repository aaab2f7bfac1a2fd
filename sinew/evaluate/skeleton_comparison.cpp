#include "sinew/evaluate/skeleton_comparison.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/rig/bone.h"

namespace sinew {
namespace {

constexpr double sample_spacing = 0.0025;  // of the diagonal, between the points along a bone
constexpr std::size_t points_per_task = 64;

struct Points {
  std::vector<Vec3d> joints;
  std::vector<Bone>
      bones;  // from parent to joint; a point for a joint without parent, so that lone joints have a place too
};

Points points_of(const Skeleton& skeleton) {
  Points points;
  std::vector<char> has_bone(skeleton.names.size(), 0);
  std::vector<int> parent(skeleton.names.size(), -1);  // nearest ancestor that is no helper
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int above = skeleton.parents[joint];
    if (above >= 0) parent[joint] = skeleton.kinds[above] == JointKind::helper ? parent[above] : above;
    if (skeleton.kinds[joint] == JointKind::helper) continue;
    if (skeleton.kinds[joint] == JointKind::joint) points.joints.push_back(skeleton.position(joint));
    if (parent[joint] < 0) continue;
    points.bones.push_back({joint, skeleton.position(parent[joint]), skeleton.position(joint)});
    has_bone[joint] = has_bone[parent[joint]] = 1;
  }
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.kinds[joint] == JointKind::joint && !has_bone[joint]) {
      points.bones.push_back({joint, skeleton.position(joint), skeleton.position(joint)});
    }
  }
  return points;
}

double distance_to(const Vec3d& point, const Vec3d& other) { return (point - other).norm(); }

double distance_to(const Vec3d& point, const Bone& bone) { return closest_point_on_bone(bone, point).distance; }

// Mean over `points` of the distance to the nearest of `others`.
template <class Other>
double one_sided(const std::vector<Vec3d>& points, const std::vector<Other>& others) {
  const double sum = parallel_sum(points.size(), points_per_task, [&](std::size_t begin, std::size_t end) {
    double block = 0;
    for (std::size_t i = begin; i < end; ++i) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Other& other : others) nearest = std::min(nearest, distance_to(points[i], other));
      block += nearest;
    }
    return block;
  });
  return sum / points.size();
}

// Midpoints of equal pieces of every bone; the pieces of all bones are about equally long.
std::vector<Vec3d> samples_along(const std::vector<Bone>& bones, double spacing) {
  std::vector<Vec3d> samples;
  for (const Bone& bone : bones) {
    const int count = std::max(1, static_cast<int>(std::lround(bone.length() / spacing)));
    for (int piece = 0; piece < count; ++piece) {
      samples.push_back(bone.head + (piece + 0.5) / count * (bone.tail - bone.head));
    }
  }
  return samples;
}

void measure_extent(const Character& truth, const Points& joints, SkeletonComparison& result) {
  AABBd box;
  for (const Vec3f& position : truth.mesh.positions) box.extend(Vec3d(position.cast<double>()));
  if (box.isEmpty()) {
    for (const Vec3d& joint : joints.joints) box.extend(joint);
    for (const Bone& bone : joints.bones) box.extend(bone.tail);
  }
  result.height = box.sizes().y();
  result.diagonal = box.diagonal().norm();
  if (!(result.diagonal > 0) || !std::isfinite(result.diagonal)) {
    throw Error(ErrorCode::mesh_degenerate, "the truth has no extent");
  }
}

}  // namespace

SkeletonComparison compare_skeletons(const Character& candidate, const Character& truth) {
  const Points a = points_of(candidate.skeleton), b = points_of(truth.skeleton);
  if (a.joints.empty() || b.joints.empty()) {
    throw Error(ErrorCode::skeleton_missing,
                "'" + (a.joints.empty() ? candidate.name : truth.name) + "' has no skeleton to compare");
  }
  SkeletonComparison result;
  measure_extent(truth, b, result);
  result.candidate_joints = static_cast<int>(a.joints.size());
  result.truth_joints = static_cast<int>(b.joints.size());
  result.j2j = 0.5 * (one_sided(a.joints, b.joints) + one_sided(b.joints, a.joints));
  result.j2b = 0.5 * (one_sided(a.joints, b.bones) + one_sided(b.joints, a.bones));
  const double spacing = sample_spacing * result.diagonal;
  result.b2b =
      0.5 * (one_sided(samples_along(a.bones, spacing), b.bones) + one_sided(samples_along(b.bones, spacing), a.bones));

  const JointMatch match = match_joints(candidate.skeleton, truth.skeleton);
  for (int joint = 0; joint < candidate.skeleton.joint_count(); ++joint) {
    const int other = match.truth_of[joint];
    if (other < 0 || truth.skeleton.kinds[other] != JointKind::joint) continue;
    result.named_distance += (candidate.skeleton.position(joint) - truth.skeleton.position(other)).norm();
    ++result.named_joints;
  }
  if (result.named_joints > 0) result.named_distance /= result.named_joints;
  return result;
}

}  // namespace sinew
