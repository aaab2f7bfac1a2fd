#include <new>

#include "sinew/runtime/correctives.h"
#include "sinew/runtime/runtime_c.h"
#include "sinew/runtime/status_c.h"

using namespace sinew;

// Lies at the beginning of the caller's workspace, in one cache line.
struct alignas(64) sinew_correctives {
  Correctives set;
  std::byte* workspace;
  std::size_t workspace_size;

  std::span<std::byte> memory() const noexcept { return {workspace, workspace_size}; }
};

namespace {

// What every call about a level needs.
sinew_runtime_status check_level_of(const sinew_correctives* set, int level, const void* argument) noexcept {
  if (set == nullptr || argument == nullptr) return SINEW_RUNTIME_MISSING_ARGUMENT;
  return level >= 0 && level < set->set.level_count() ? SINEW_RUNTIME_OK : SINEW_RUNTIME_NO_SUCH_LEVEL;
}

RuntimeStatus open_for_c(const void* file, std::size_t file_size, Correctives& set) noexcept {
  if (file == nullptr) return RuntimeStatus::missing_argument;
  return open_correctives({static_cast<const std::byte*>(file), file_size}, set);
}

}  // namespace

extern "C" {

sinew_runtime_status sinew_correctives_workspace_size(const void* file, size_t file_size, size_t* size) {
  if (size == nullptr) return SINEW_RUNTIME_MISSING_ARGUMENT;
  Correctives set;
  const RuntimeStatus status = open_for_c(file, file_size, set);
  if (status == RuntimeStatus::ok) *size = set.workspace_bytes() + sizeof(sinew_correctives);
  return status_for_c(status);
}

sinew_runtime_status sinew_correctives_open(const void* file, size_t file_size, void* workspace, size_t workspace_size,
                                            sinew_correctives** set) {
  if (set == nullptr) return SINEW_RUNTIME_MISSING_ARGUMENT;
  *set = nullptr;
  if (workspace == nullptr) return SINEW_RUNTIME_MISSING_ARGUMENT;
  Correctives opened;
  RuntimeStatus status = open_for_c(file, file_size, opened);
  if (status != RuntimeStatus::ok) return status_for_c(status);
  if (workspace_size < sizeof(sinew_correctives)) return SINEW_RUNTIME_WORKSPACE_TOO_SMALL;
  auto* rest = static_cast<std::byte*>(workspace) + sizeof(sinew_correctives);
  const std::size_t rest_size = workspace_size - sizeof(sinew_correctives);
  status = prepare_workspace(opened, {rest, rest_size});
  if (status == RuntimeStatus::ok) *set = new (workspace) sinew_correctives{opened, rest, rest_size};
  return status_for_c(status);
}

sinew_runtime_status sinew_correctives_get_counts(const sinew_correctives* set, sinew_correctives_counts* counts) {
  if (set == nullptr || counts == nullptr) return SINEW_RUNTIME_MISSING_ARGUMENT;
  *counts = {set->set.level_count(), set->set.joint_count(), set->set.influences()};
  return SINEW_RUNTIME_OK;
}

sinew_runtime_status sinew_correctives_get_level(const sinew_correctives* set, int level,
                                                 sinew_correctives_level* mesh) {
  const sinew_runtime_status status = check_level_of(set, level, mesh);
  if (status != SINEW_RUNTIME_OK) return status;
  *mesh = {set->set.vertex_count(level), set->set.triangle_count(level), set->set.rest_positions(level).data(),
           set->set.triangles(level).data()};
  return SINEW_RUNTIME_OK;
}

sinew_runtime_status sinew_correctives_evaluate(sinew_correctives* set, const float* rotations, size_t joint_count,
                                                int level, double budget_microseconds,
                                                sinew_correctives_result* result) {
  const sinew_runtime_status status = check_level_of(set, level, rotations);
  if (status != SINEW_RUNTIME_OK) return status;
  if (joint_count < static_cast<std::size_t>(set->set.joint_count())) return SINEW_RUNTIME_INPUT_TOO_SHORT;
  const CorrectiveResult done =
      evaluate_correctives(set->set, {rotations, 4 * joint_count}, level, set->memory(), budget_microseconds);
  if (done.status == RuntimeStatus::ok && result != nullptr) *result = {done.detail_level, done.microseconds};
  return status_for_c(done.status);
}

sinew_runtime_status sinew_correctives_positions(const sinew_correctives* set, int level, float* positions,
                                                 size_t vertex_count) {
  const sinew_runtime_status status = check_level_of(set, level, positions);
  if (status != SINEW_RUNTIME_OK) return status;
  if (vertex_count < set->set.vertex_count(level)) return SINEW_RUNTIME_OUTPUT_TOO_SHORT;
  return status_for_c(corrected_positions(set->set, level, set->memory(), {positions, 3 * vertex_count}));
}

sinew_runtime_status sinew_correctives_fill_job(const sinew_correctives* set, int level, sinew_skinning_job* job) {
  const sinew_runtime_status status = check_level_of(set, level, job);
  if (status != SINEW_RUNTIME_OK) return status;
  SkinningJob filled;
  const RuntimeStatus found = fill_skinning_job(set->set, level, filled);
  if (found != RuntimeStatus::ok) return status_for_c(found);
  job->vertex_count = filled.vertex_count;
  job->joint_count = static_cast<std::size_t>(set->set.joint_count());
  job->influences = filled.influences;
  job->joints = filled.joints.data();
  job->weights = filled.weights.data();
  return SINEW_RUNTIME_OK;
}

sinew_runtime_status sinew_correctives_normals(const sinew_correctives* set, int level, const float* posed,
                                               float* normals, size_t vertex_count) {
  const sinew_runtime_status status = check_level_of(set, level, posed);
  if (status != SINEW_RUNTIME_OK) return status;
  if (normals == nullptr) return SINEW_RUNTIME_MISSING_ARGUMENT;
  if (vertex_count < set->set.vertex_count(level)) return SINEW_RUNTIME_OUTPUT_TOO_SHORT;
  const std::size_t floats = 3 * set->set.vertex_count(level);
  return status_for_c(posed_normals(set->set, level, {posed, floats}, {normals, floats}));
}

}  // extern "C"
