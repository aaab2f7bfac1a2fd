#include "sinew/generate_skeleton.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/parallel.h"
#include "sinew/base/plain_text.h"
#include "sinew/fit/bring_inside.h"
#include "sinew/fit/name_limbs.h"

namespace sinew {
namespace {

void check_generate_options(const GenerateOptions& options) {
  const auto require = [](bool fine, const char* option, const std::string& range, double value) {
    if (fine) return;
    throw Error(ErrorCode::option_out_of_range,
                std::string(option) + " must be " + range + ", got " + number_text(value))
        .about(option);
  };
  require(options.cells >= 48 && options.cells <= 256, "cells", "48 … 256", options.cells);
  require(options.density >= 0.25 && options.density <= 4, "density", "0.25 … 4", options.density);
  require(options.max_joints == 0 || (options.max_joints >= 4 && options.max_joints <= 1000), "max_joints",
          "0 or 4 … 1000", options.max_joints);
  if (!options.up.allFinite() || !options.forward.allFinite() || !(options.up.norm() > 0)) {
    throw Error(ErrorCode::option_invalid, "up must be a direction, and forward a direction or zero").about("up");
  }
}

// From places along paths to joints with names and parents.
class SkeletonMaker {
 public:
  SkeletonMaker(const CurveSkeleton& curve, const CurvePaths& paths, const CreatureJoints& joints,
                GeneratedSkeleton& result)
      : curve_(curve), paths_(paths), joints_(joints), result_(result), made_(paths.paths.size()) {}

  void run() {
    add_spine(name_spine(joints_));
    const std::vector<std::string> names = name_limbs(curve_, paths_, joints_, result_.frame);
    for (int p = 1; p < static_cast<int>(made_.size()); ++p) {
      int above = joints_.along[p].empty() ? -1 : joint_above(p);
      for (std::size_t i = 0; i < joints_.along[p].size(); ++i) {
        above = add(names[p] + "_" + std::to_string(i + 1), above, p, joints_.along[p][i]);
        made_[p].push_back(above);
      }
    }
    mirror_.assign(result_.skeleton.names.size(), -1);
    for (std::size_t p = 0; p < made_.size(); ++p) {
      const int image = paths_.paths[p].mirror;
      if (image < 0 || made_[image].size() != made_[p].size()) continue;
      for (std::size_t i = 0; i < made_[p].size(); ++i) mirror_[made_[p][i]] = made_[image][i];
    }
  }

  // Per joint: its mirror image, itself on the plane, -1 where there is none.
  const std::vector<int>& mirror() const { return mirror_; }

 private:
  int add(const std::string& name, int parent, int path, double along) {
    Affine3d rest = Affine3d::Identity();
    rest.translation() = paths_.at(curve_, path, along);
    const double radius = paths_.radius_at(curve_, path, along);
    result_.radius.push_back(radius);
    result_.confidence.push_back(radius / (radius + curve_.cell));
    return add_joint(result_.skeleton, name, parent, rest);
  }

  void add_spine(const std::vector<std::string>& names) {
    const std::vector<double>& spine = joints_.along[0];
    std::vector<int>& made = made_[0];
    made.resize(spine.size());
    const int root = joints_.root;
    made[root] = add(names[root], -1, 0, spine[root]);
    for (int i = root + 1; i < static_cast<int>(spine.size()); ++i) made[i] = add(names[i], made[i - 1], 0, spine[i]);
    for (int i = root - 1; i >= 0; --i) made[i] = add(names[i], made[i + 1], 0, spine[i]);
  }

  // On the spine the joint that is nearest to where the limb leaves it; on a limb the last one before that.
  int joint_above(int p) const {
    int above = p;
    double at = 0;
    do {
      at = paths_.paths[paths_.paths[above].parent].along[paths_.paths[above].at];
      above = paths_.paths[above].parent;
    } while (made_[above].empty());
    const std::vector<double>& own = joints_.along[above];
    std::size_t best = 0;
    for (std::size_t i = 1; i < own.size(); ++i) {
      if (above == 0 ? std::abs(own[i] - at) < std::abs(own[best] - at) : own[i] <= at) best = i;
    }
    return made_[above][best];
  }

  const CurveSkeleton& curve_;
  const CurvePaths& paths_;
  const CreatureJoints& joints_;
  GeneratedSkeleton& result_;
  std::vector<std::vector<int>> made_;  // per path: its joints in the skeleton
  std::vector<int> mirror_;
};

// Curves through thin parts may leave them between two voxels.
void keep_inside(const VoxelSolid& solid, const CurveSkeleton& curve, const std::vector<int>& mirror,
                 GeneratedSkeleton& result) {
  Skeleton& skeleton = result.skeleton;
  bool all_inside = true;
  for (int j = 0; j < skeleton.joint_count() && all_inside; ++j) all_inside = solid.contains(skeleton.position(j));
  if (all_inside) return;
  std::vector<char> inside;
  bring_inside(solid.domain(), std::vector<char>(skeleton.names.size(), 1), skeleton, inside);
  int outside = 0;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int image = mirror[j];
    if (image > j) {
      const Vec3d opposite = curve.plane.mirrored(skeleton.position(j));
      if (inside[j] && solid.contains(opposite)) skeleton.rest[image].translation() = opposite, inside[image] = 1;
    }
    if (!inside[j]) result.confidence[j] *= 0.5;
    outside += !inside[j];
  }
  if (outside > 0) {
    result.warnings.push_back({"joints-outside", std::to_string(outside) + " of " +
                                                     std::to_string(skeleton.joint_count()) +
                                                     " joints found no room inside the mesh"});
  }
}

GeneratedSkeleton generate_in(const TriangleMesh& mesh, const GenerateOptions& options, const Progress& progress) {
  progress(0.0, "looking into the mesh");
  const VoxelSolid solid(mesh, options.cells);
  progress(0.7, "finding the curves inside");
  CurveOptions curve_options;
  if (!options.symmetric) curve_options.symmetry = 2;
  const CurveSkeleton curve = curve_skeleton(solid, curve_options);
  progress(0.9, "placing the joints");
  GeneratedSkeleton result;
  result.symmetry = curve.plane.symmetry;
  result.frame.up = options.up.normalized();
  const bool forward_given = options.forward.norm() > 0;
  if (forward_given) result.frame.forward = options.forward.normalized();
  const CurvePaths paths = take_apart(curve, result.frame, forward_given);
  const CreatureJoints joints =
      place_creature_joints(curve, paths, {options.density, options.small_parts, options.max_joints});
  SkeletonMaker maker(curve, paths, joints, result);
  maker.run();
  keep_inside(solid, curve, maker.mirror(), result);
  progress(1.0, "placing the joints");
  return result;
}

}  // namespace

GeneratedSkeleton generate_creature_skeleton(const TriangleMesh& mesh, const GenerateOptions& options,
                                             const Progress& progress) {
  check_generate_options(options);
  check_mesh(mesh);
  if (mesh.positions.empty()) throw Error(ErrorCode::mesh_missing, "there is no mesh to make a skeleton for");
  return with_threads(options.threads, progress, [&] { return generate_in(mesh, options, progress); });
}

Skeleton generate_skeleton(const TriangleMesh& mesh, const GenerateOptions& options, const Progress& progress) {
  return generate_creature_skeleton(mesh, options, progress).skeleton;
}

}  // namespace sinew
