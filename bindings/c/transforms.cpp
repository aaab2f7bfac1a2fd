#include "bindings/c/transforms.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "bindings/c/call.h"

namespace sinew::binding {
namespace {

// Motions are handed out without a copy, so both sides must agree about their layout.
static_assert(sizeof(Transform) == sizeof(sinew_joint_transform));
static_assert(offsetof(Transform, translation) == offsetof(sinew_joint_transform, translation));
static_assert(offsetof(Transform, rotation) == offsetof(sinew_joint_transform, rotation));
static_assert(offsetof(Transform, scale) == offsetof(sinew_joint_transform, scale));

Transform transform_of(const sinew_joint_transform& given) {
  Transform transform;
  transform.translation = Eigen::Map<const Vec3d>(given.translation);
  transform.rotation.coeffs() = Eigen::Map<const Vec4d>(given.rotation);
  transform.scale = Eigen::Map<const Vec3d>(given.scale);
  return transform;
}

bool is_usable(const Transform& transform) {
  const double length = transform.rotation.coeffs().norm();
  return transform.translation.allFinite() && transform.scale.allFinite() && length > 1e-100 && length < 1e100;
}

}  // namespace

const sinew_joint_transform* for_c(const std::vector<Transform>& transforms) {
  return transforms.empty() ? nullptr : reinterpret_cast<const sinew_joint_transform*>(transforms.data());
}

std::vector<Transform> transforms_of(std::span<const sinew_joint_transform> transforms) {
  if (transforms.data() == nullptr && !transforms.empty()) {
    throw Error(ErrorCode::argument_invalid, "the transforms of the joints are missing: NULL");
  }
  std::vector<Transform> result;
  result.reserve(transforms.size());
  for (const sinew_joint_transform& given : transforms) {
    Transform transform = transform_of(given);
    if (!is_usable(transform)) {
      throw Error(ErrorCode::motion_invalid,
                  "transform " + std::to_string(result.size()) + " is not finite, or its rotation has no length");
    }
    // A unit quaternion stays as it is, bit for bit.
    if (std::abs(transform.rotation.squaredNorm() - 1) > 1e-12) transform.rotation.normalize();
    result.push_back(transform);
  }
  return result;
}

void require_joints(const Character& character, std::size_t joint_count) {
  if (character.skeleton.empty()) throw Error(ErrorCode::skeleton_missing, "the character has no skeleton");
  if (joint_count == character.skeleton.names.size()) return;
  throw Error(ErrorCode::argument_invalid, "joint_count is " + std::to_string(joint_count) + ", the skeleton has " +
                                               std::to_string(character.skeleton.names.size()) + " joints");
}

void give_pose(const Pose& pose, sinew_joint_transform* to) {
  require(to, "pose");
  std::copy_n(for_c(pose), pose.size(), to);
}

}  // namespace sinew::binding
