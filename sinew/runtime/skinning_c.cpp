#include "sinew/runtime/runtime_c.h"
#include "sinew/runtime/skinning.h"
#include "sinew/runtime/skinning_input.h"
#include "sinew/runtime/status_c.h"

namespace sinew {
namespace {

RuntimeStatus take_vectors(const sinew_vertex_input& from, const sinew_vertex_output& to, std::size_t components,
                           InputVectors& input, OutputVectors& output) noexcept {
  const auto stride = [&](std::size_t given) { return given == 0 ? components : given; };
  input = {from.floats, stride(from.stride)};
  output = {to.floats, stride(to.stride), false};
  if ((from.floats == nullptr) != (to.floats == nullptr)) return RuntimeStatus::unpaired_vectors;
  return input.stride < components || output.stride < components ? RuntimeStatus::bad_stride : RuntimeStatus::ok;
}

RuntimeStatus take_method(const sinew_skinning_job& job, SkinningInput& input) noexcept {
  const bool linear = job.matrices != nullptr;
  if (!linear && job.dual_quaternions == nullptr) return RuntimeStatus::no_method;
  if (linear && (job.dual_quaternions != nullptr || job.stretches != nullptr)) return RuntimeStatus::two_methods;
  input.kind = linear                     ? SkinningKind::linear
               : job.stretches == nullptr ? SkinningKind::dual_quaternion
                                          : SkinningKind::stretched_dual_quaternion;
  input.matrices = linear ? job.matrices : job.stretches;
  input.dual_quaternions = job.dual_quaternions;
  input.joint_count = job.joint_count;
  return RuntimeStatus::ok;
}

// Everything that can be seen without the length of arrays, which C does not know.
RuntimeStatus take_job(const sinew_skinning_job* job, SkinningInput& input) noexcept {
  if (job == nullptr) return RuntimeStatus::missing_argument;
  if (job->influences < 1 || job->influences > max_skinning_influences) return RuntimeStatus::bad_influences;
  RuntimeStatus status = take_method(*job, input);
  if (status != RuntimeStatus::ok) return status;
  input.vertex_count = job->vertex_count;
  input.influences = job->influences;
  input.joints = job->joints;
  input.weights = job->weights;
  status = take_vectors(job->positions, job->posed_positions, 3, input.positions, input.posed_positions);
  if (status == RuntimeStatus::ok) {
    status = take_vectors(job->normals, job->posed_normals, 3, input.normals, input.posed_normals);
  }
  if (status == RuntimeStatus::ok) {
    status = take_vectors(job->tangents, job->posed_tangents, 4, input.tangents, input.posed_tangents);
  }
  if (status != RuntimeStatus::ok || job->vertex_count == 0) return status;
  const bool complete = job->joints != nullptr && job->weights != nullptr && job->positions.floats != nullptr;
  return complete ? RuntimeStatus::ok : RuntimeStatus::missing_argument;
}

}  // namespace
}  // namespace sinew

using namespace sinew;

extern "C" {

const char* sinew_runtime_status_text(sinew_runtime_status status) {
  return runtime_status_text(static_cast<RuntimeStatus>(status));
}

sinew_runtime_status sinew_skinning_validate(const sinew_skinning_job* job) {
  SkinningInput input{};
  const RuntimeStatus status = take_job(job, input);
  return status_for_c(status == RuntimeStatus::ok ? check_weights(input) : status);
}

sinew_runtime_status sinew_skin(const sinew_skinning_job* job) {
  SkinningInput input{};
  const RuntimeStatus status = take_job(job, input);
  return status_for_c(status == RuntimeStatus::ok ? skin_input(input, 0, input.vertex_count, best_instructions())
                                                  : status);
}

sinew_runtime_status sinew_skinning_split_matrices(const float* matrices, size_t joint_count, float* dual_quaternions,
                                                   float* stretches, int* stretched) {
  if (matrices == nullptr || dual_quaternions == nullptr || stretches == nullptr || stretched == nullptr) {
    return SINEW_RUNTIME_MISSING_ARGUMENT;
  }
  *stretched = 0;
  for (std::size_t joint = 0; joint < joint_count; ++joint) {
    const bool more = split_joint(matrices + 16 * joint, dual_quaternions + 8 * joint, stretches + 16 * joint);
    if (more) *stretched = 1;
  }
  return SINEW_RUNTIME_OK;
}

}  // extern "C"
