// Poses of a character, in memory of the caller.
#include <algorithm>
#include <cmath>

#include "bindings/c/call.h"
#include "bindings/c/transforms.h"
#include "sinew/character_c.h"
#include "sinew/paint.h"
#include "sinew/pose_mesh.h"

namespace sinew::binding {
namespace {

Pose pose_of(const Character& character, const sinew_joint_transform* pose, std::size_t joint_count) {
  require_joints(character, joint_count);
  return transforms_of({pose, joint_count});
}

void give_matrices(const std::vector<Affine3d>& transforms, auto* to) {
  require(to, "matrices");
  for (const Affine3d& transform : transforms) {
    for (int i = 0; i < 16; ++i) *to++ = static_cast<std::remove_reference_t<decltype(*to)>>(transform.data()[i]);
  }
}

SkinningMethod skinning_method_of(int method) {
  if (method == SINEW_LINEAR_BLEND) return SkinningMethod::linear_blend;
  if (method == SINEW_DUAL_QUATERNIONS) return SkinningMethod::dual_quaternion;
  throw Error(ErrorCode::argument_invalid, "there is no skinning method " + std::to_string(method));
}

void give_vectors(const std::vector<Vec3f>& vectors, float* to) {
  for (const Vec3f& vector : vectors) to = std::copy_n(vector.data(), 3, to);
}

}  // namespace
}  // namespace sinew::binding

using namespace sinew;
using namespace sinew::binding;

extern "C" {

sinew_status sinew_rest_pose(const sinew_character* character, sinew_joint_transform* pose, size_t joint_count,
                             sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    require_joints(*read, joint_count);
    give_pose(rest_pose(read->skeleton), pose);
  });
}

sinew_status sinew_sample_motion(const sinew_character* character, size_t motion, double seconds, int loop,
                                 sinew_joint_transform* pose, size_t joint_count, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    require_joints(*read, joint_count);
    if (motion >= read->motions.size()) {
      throw Error(ErrorCode::motion_unknown, "the character has no motion " + std::to_string(motion));
    }
    if (!std::isfinite(seconds)) throw Error(ErrorCode::frame_unknown, "seconds is not a finite number");
    give_pose(sample_motion(read->motions[motion], seconds, loop != 0), pose);
  });
}

sinew_status sinew_pose_joints(const sinew_character* character, const sinew_joint_transform* pose, size_t joint_count,
                               double* matrices, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    give_matrices(global_transforms(read->skeleton, pose_of(*read, pose, joint_count)), matrices);
  });
}

sinew_status sinew_pose_matrices(const sinew_character* character, const sinew_joint_transform* pose,
                                 size_t joint_count, float* matrices, sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    give_matrices(skinning_transforms(read->skeleton, pose_of(*read, pose, joint_count)), matrices);
  });
}

sinew_status sinew_pose_vertices(const sinew_character* character, const sinew_joint_transform* pose,
                                 size_t joint_count, int method, float* positions, float* normals, size_t vertex_count,
                                 sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    require(positions, "positions");
    if (vertex_count != read->mesh.vertex_count()) {
      throw Error(ErrorCode::argument_invalid, "vertex_count is " + std::to_string(vertex_count) + ", the mesh has " +
                                                   std::to_string(read->mesh.vertex_count()) + " vertices");
    }
    if (!read->has_skin()) throw Error(ErrorCode::weights_missing, "the character has no weights, so nothing moves it");
    if (normals != nullptr && read->mesh.normals.empty()) {
      throw Error(ErrorCode::argument_invalid, "the mesh has no normals to pose");
    }
    const std::vector<Affine3d> moved = skinning_transforms(read->skeleton, pose_of(*read, pose, joint_count));
    const TriangleMesh posed = pose_mesh(read->mesh, read->weights, moved, skinning_method_of(method));
    give_vectors(posed.positions, positions);
    if (normals != nullptr) give_vectors(posed.normals, normals);
  });
}

sinew_status sinew_mirror_joints(const sinew_character* character, int32_t* mirror, size_t joint_count, double* plane,
                                 sinew_result* result) {
  return run_call(result, [&](ResultObject&) {
    const Reading read(character, "character");
    require(mirror, "mirror");
    require_joints(*read, joint_count);
    const JointMirror found = mirror_joints(read->skeleton);
    std::copy(found.joints.begin(), found.joints.end(), mirror);
    if (plane == nullptr) return;
    std::copy_n(found.normal.data(), 3, plane);
    plane[3] = found.offset;
  });
}

}  // extern "C"
