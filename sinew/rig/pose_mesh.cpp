#include "sinew/pose_mesh.h"

#include <cstring>
#include <string>

#include "sinew/base/parallel.h"
#include "sinew/error.h"
#include "sinew/rig/skin_parallel.h"

namespace sinew {
namespace {

void check_inputs(std::size_t vertex_count, const SkinWeights& weights, const std::vector<Affine3d>& transforms) {
  if (weights.influences < 1 || weights.vertex_count() != vertex_count ||
      weights.joints.size() != weights.weights.size()) {
    throw Error(ErrorCode::weights_invalid, "cannot pose " + std::to_string(vertex_count) +
                                                " vertices with skin weights for " +
                                                std::to_string(weights.vertex_count()));
  }
  if (weights.influences > max_skinning_influences) {
    throw Error(ErrorCode::weights_invalid,
                "skin weights with " + std::to_string(weights.influences) + " influences per vertex",
                "reduce them to at most " + std::to_string(max_skinning_influences) + " (with_influences)");
  }
  for (const std::uint16_t joint : weights.joints) {
    if (joint >= transforms.size()) {
      throw Error(ErrorCode::weights_invalid, "skin weights name joint " + std::to_string(joint) +
                                                  ", but the pose has only " + std::to_string(transforms.size()) +
                                                  " joints");
    }
  }
}

template <class Vector>
VertexVectors<const float> input(const std::vector<Vector>& vectors) {
  constexpr std::size_t components = Vector::RowsAtCompileTime;
  return {{vectors.empty() ? nullptr : vectors.front().data(), components * vectors.size()}, components};
}

template <class Vector>
VertexVectors<float> output(std::vector<Vector>& vectors) {
  constexpr std::size_t components = Vector::RowsAtCompileTime;
  return {{vectors.empty() ? nullptr : vectors.front().data(), components * vectors.size()}, components};
}

// The joints' transforms as the job wants them, for one of the two methods.
class Palette {
 public:
  Palette(const std::vector<Affine3d>& transforms, SkinningMethod method) : matrices_(transforms.size()) {
    for (std::size_t joint = 0; joint < transforms.size(); ++joint) {
      const Eigen::Matrix4f matrix = transforms[joint].matrix().cast<float>();
      std::memcpy(&matrices_[joint], matrix.data(), sizeof(JointMatrix));
    }
    if (method == SkinningMethod::linear_blend) return;
    dual_quaternions_.resize(transforms.size());
    stretches_.resize(transforms.size());
    if (!split_for_dual_quaternions(matrices_, dual_quaternions_, stretches_).stretched) stretches_.clear();
  }

  void give_to(SkinningJob& job) const {
    if (dual_quaternions_.empty()) {
      job.matrices = matrices_;
    } else {
      job.dual_quaternions = dual_quaternions_;
      job.stretches = stretches_;
    }
  }

 private:
  std::vector<JointMatrix> matrices_;
  std::vector<JointDualQuaternion> dual_quaternions_;
  std::vector<JointMatrix> stretches_;
};

SkinningJob job_for(const SkinWeights& weights) {
  SkinningJob job;
  job.vertex_count = weights.vertex_count();
  job.influences = weights.influences;
  job.joints = weights.joints;
  job.weights = weights.weights;
  return job;
}

void run(const SkinningJob& job, int threads) {
  if (job.validate() != RuntimeStatus::ok ||
      with_threads(threads, [&] { return skin_parallel(job); }) != RuntimeStatus::ok) {
    throw Error(ErrorCode::weights_invalid, "skin weights are negative, not finite, or not sorted strongest first",
                "check_skin_weights names the vertex");
  }
}

}  // namespace

TriangleMesh pose_mesh(const TriangleMesh& mesh, const SkinWeights& weights, const std::vector<Affine3d>& transforms,
                       SkinningMethod method, int threads) {
  check_inputs(mesh.vertex_count(), weights, transforms);
  TriangleMesh posed = mesh;
  if (mesh.positions.empty()) return posed;
  const Palette palette(transforms, method);
  SkinningJob job = job_for(weights);
  palette.give_to(job);
  job.positions = input(mesh.positions);
  job.normals = input(mesh.normals);
  job.tangents = input(mesh.tangents);
  job.posed_positions = output(posed.positions);
  job.posed_normals = output(posed.normals);
  job.posed_tangents = output(posed.tangents);
  run(job, threads);
  return posed;
}

std::vector<Vec3f> pose_positions(const std::vector<Vec3f>& positions, const SkinWeights& weights,
                                  const std::vector<Affine3d>& transforms, int threads) {
  check_inputs(positions.size(), weights, transforms);
  std::vector<Vec3f> posed(positions.size());
  if (positions.empty()) return posed;
  const Palette palette(transforms, SkinningMethod::linear_blend);
  SkinningJob job = job_for(weights);
  palette.give_to(job);
  job.positions = input(positions);
  job.posed_positions = output(posed);
  run(job, threads);
  return posed;
}

}  // namespace sinew
