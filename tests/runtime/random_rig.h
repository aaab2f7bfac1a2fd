// A random rig with its own memory, for tests of skinning.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "sinew/base/random.h"
#include "sinew/eigen_types.h"
#include "sinew/runtime/skinning.h"
#include "sinew/skin_weights.h"

namespace sinew::test {

enum class RigMethod { lbs, dqs, dqs_stretched };
inline constexpr RigMethod rig_methods[] = {RigMethod::lbs, RigMethod::dqs, RigMethod::dqs_stretched};

inline constexpr float guard = 12345.5f;

inline Vec3d random_vector(Random& random) { return {random.normal(), random.normal(), random.normal()}; }

inline Quatd random_rotation(Random& random) {
  return Quatd(Vec4d(random.normal(), random.normal(), random.normal(), random.normal()).normalized());
}

// Laid out as asked: strides, and an offset that spoils every alignment.
struct RandomRig {
  std::size_t count;
  int influences;
  std::size_t stride, tangent_stride, offset;
  std::vector<Affine3d> transforms;
  SkinWeights weights;
  std::vector<JointMatrix> matrices, stretches;
  std::vector<JointDualQuaternion> dual_quaternions;
  std::vector<float> positions, normals, tangents, posed_positions, posed_normals, posed_tangents;
  SkinningJob job;

  RandomRig(std::size_t vertex_count, int influence_count, RigMethod method, std::uint64_t seed,
            std::size_t vector_stride = 3, std::size_t start = 0)
      : count(vertex_count),
        influences(influence_count),
        stride(vector_stride),
        tangent_stride(vector_stride + 1),
        offset(start) {
    Random random(seed);
    for (int joint = 0; joint < 12; ++joint) {
      Affine3d transform = Eigen::Translation3d(random_vector(random)) * random_rotation(random);
      if (method == RigMethod::dqs_stretched || (method == RigMethod::lbs && joint % 2)) {
        transform.scale(Vec3d(random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(0.5, 2)));
      }
      transforms.push_back(transform);
    }
    weights = make_skin_weights(count, influences);
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
      std::vector<Influence> row;
      for (int slot = 0; slot < influences; ++slot) {
        row.push_back({static_cast<std::uint16_t>(random.below(12)), random.uniform(0.05, 1)});
      }
      if (vertex % 7 != 3) set_influences(weights, vertex, row);  // every seventh stays without weight
    }
    fill(positions, stride, 3, random, false);
    fill(normals, stride, 3, random, true);
    fill(tangents, tangent_stride, 4, random, true);
    posed_positions.assign(positions.size() + 8, guard);
    posed_normals.assign(normals.size() + 8, guard);
    posed_tangents.assign(tangents.size() + 8, guard);
    make_job(method);
  }

  void fill(std::vector<float>& vectors, std::size_t step, std::size_t components, Random& random, bool unit) {
    vectors.assign(offset + (count - 1) * step + components, 0.0f);  // ends with the last vertex: no slack to read
    for (std::size_t vertex = 0; vertex < count; ++vertex) {
      Vec3d vector = random_vector(random);
      if (unit) vector.normalize();
      float* to = &vectors[offset + vertex * step];
      for (int axis = 0; axis < 3; ++axis) to[axis] = static_cast<float>(vector[axis]);
      if (components == 4) to[3] = vertex % 2 ? 1.0f : -1.0f;
    }
  }

  void make_job(RigMethod method) {
    job.vertex_count = count;
    job.influences = influences;
    job.joints = weights.joints;
    job.weights = weights.weights;
    job.positions = {std::span<const float>(positions).subspan(offset), stride};
    job.normals = {std::span<const float>(normals).subspan(offset), stride};
    job.tangents = {std::span<const float>(tangents).subspan(offset), tangent_stride};
    job.posed_positions = {std::span(posed_positions).subspan(offset), stride};
    job.posed_normals = {std::span(posed_normals).subspan(offset), stride};
    job.posed_tangents = {std::span(posed_tangents).subspan(offset), tangent_stride};
    for (const Affine3d& transform : transforms) {
      const Eigen::Matrix4f matrix = transform.matrix().cast<float>();
      std::memcpy(&matrices.emplace_back(), matrix.data(), sizeof(JointMatrix));
    }
    if (method == RigMethod::lbs) {
      job.matrices = matrices;
      return;
    }
    dual_quaternions.resize(matrices.size());
    stretches.resize(matrices.size());
    const DualQuaternionSplit split = split_for_dual_quaternions(matrices, dual_quaternions, stretches);
    EXPECT_EQ(split.status, RuntimeStatus::ok);
    EXPECT_EQ(split.stretched, method == RigMethod::dqs_stretched);
    job.dual_quaternions = dual_quaternions;
    if (split.stretched) job.stretches = stretches;
  }

  Vec3d vector(const std::vector<float>& vectors, std::size_t vertex, std::size_t step) const {
    const float* from = &vectors[offset + vertex * step];
    return {from[0], from[1], from[2]};
  }
};

}  // namespace sinew::test
