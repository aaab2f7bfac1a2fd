#include "sinew/skeleton.h"

#include <cmath>

#include "sinew/error.h"

namespace sinew {
namespace {

// A joint's transform in its parent's frame is the product of two such matrices, and must be a number as a float too.
bool writable(const Mat4d& matrix) { return (matrix.array().abs() <= 1e18).all(); }

}  // namespace

int add_joint(Skeleton& skeleton, const std::string& name, int parent, const Affine3d& rest, JointKind kind) {
  const int index = skeleton.joint_count();
  if (parent < -1 || parent >= index) {
    throw Error(ErrorCode::skeleton_invalid,
                "joint '" + name + "' names parent " + std::to_string(parent) + ", which does not precede it");
  }
  skeleton.names.push_back(name);
  skeleton.parents.push_back(parent);
  skeleton.rest.push_back(rest);
  skeleton.kinds.push_back(kind);
  return index;
}

int find_joint(const Skeleton& skeleton, std::string_view name) {
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.names[joint] == name) return joint;
  }
  return -1;
}

std::vector<std::vector<int>> children_of(const Skeleton& skeleton) {
  std::vector<std::vector<int>> children(skeleton.names.size());
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.parents[joint] >= 0) children[skeleton.parents[joint]].push_back(joint);
  }
  return children;
}

bool hangs_on(const std::vector<int>& parents, int joint, int above) {
  while (joint >= 0 && joint != above) joint = parents[joint];
  return joint >= 0;
}

std::vector<int> roots_of(const Skeleton& skeleton) {
  std::vector<int> roots;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.parents[joint] < 0) roots.push_back(joint);
  }
  return roots;
}

void check_skeleton(const Skeleton& skeleton) {
  const std::size_t count = skeleton.names.size();
  if (skeleton.parents.size() != count || skeleton.rest.size() != count || skeleton.kinds.size() != count) {
    throw Error(ErrorCode::skeleton_invalid, "the skeleton's arrays have different lengths");
  }
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const std::string who = "joint '" + skeleton.names[joint] + "'";
    if (skeleton.parents[joint] < -1 || skeleton.parents[joint] >= joint) {
      throw Error(ErrorCode::skeleton_invalid,
                  who + " has parent " + std::to_string(skeleton.parents[joint]) + ", which does not precede it",
                  "parents must come before their children, and there must be no cycle");
    }
    const Mat4d matrix = skeleton.rest[joint].matrix();
    if (!matrix.allFinite()) throw Error(ErrorCode::skeleton_invalid, who + " has a rest transform that is not finite");
    const double size = matrix.topLeftCorner<3, 3>().norm();
    if (std::abs(matrix.topLeftCorner<3, 3>().determinant()) < 1e-12 * size * size * size || size == 0) {
      throw Error(ErrorCode::skeleton_invalid, who + " has a rest transform that cannot be inverted (zero scale)");
    }
    if (!writable(matrix) || !writable(skeleton.rest[joint].inverse().matrix())) {
      throw Error(ErrorCode::skeleton_invalid,
                  who + " has a rest transform of a size beyond what files of single precision hold");
    }
  }
}

Pose rest_pose(const Skeleton& skeleton) {
  Pose pose(skeleton.names.size());
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int parent = skeleton.parents[joint];
    pose[joint] = Transform::from_matrix(parent < 0 ? skeleton.rest[joint]
                                                    : Affine3d(skeleton.rest[parent].inverse() * skeleton.rest[joint]));
  }
  return pose;
}

std::vector<Affine3d> global_transforms(const Skeleton& skeleton, const Pose& pose) {
  if (pose.size() != skeleton.names.size()) {
    throw Error(ErrorCode::motion_invalid, "the pose has " + std::to_string(pose.size()) +
                                               " joints but the skeleton has " + std::to_string(skeleton.names.size()));
  }
  std::vector<Affine3d> globals(pose.size());
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int parent = skeleton.parents[joint];
    globals[joint] = parent < 0 ? pose[joint].matrix() : Affine3d(globals[parent] * pose[joint].matrix());
  }
  return globals;
}

std::vector<Affine3d> skinning_transforms(const Skeleton& skeleton, const Pose& pose) {
  std::vector<Affine3d> result = global_transforms(skeleton, pose);
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    result[joint] = result[joint] * skeleton.rest[joint].inverse();
  }
  return result;
}

}  // namespace sinew
