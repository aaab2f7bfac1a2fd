#include "sinew/runtime/correctives_c.h"

#include <new>

#include "sinew/runtime/correctives.h"

using namespace sinew;

// Lies at the beginning of the caller's workspace, in one cache line.
struct alignas(64) sinew_correctives {
  Correctives set;
  std::byte* workspace;
  std::size_t workspace_size;

  std::span<std::byte> span() const noexcept { return {workspace, workspace_size}; }
};

namespace {

bool has(const sinew_correctives* set, int level) noexcept {
  return set != nullptr && level >= 0 && level < set->set.level_count();
}

}  // namespace

extern "C" {

size_t sinew_correctives_workspace(const void* bytes, size_t size) {
  Correctives set;
  if (open_correctives({static_cast<const std::byte*>(bytes), size}, set) != CorrectiveStatus::ok) return 0;
  return set.workspace_bytes() + sizeof(sinew_correctives);
}

sinew_correctives* sinew_correctives_open(const void* bytes, size_t size, void* workspace, size_t workspace_size,
                                          int* status) {
  constexpr int bad_workspace = 5;
  Correctives set;
  const CorrectiveStatus opened = open_correctives({static_cast<const std::byte*>(bytes), size}, set);
  if (status != nullptr) *status = static_cast<int>(opened);
  if (opened != CorrectiveStatus::ok) return nullptr;
  if (status != nullptr) *status = bad_workspace;
  if (workspace_size < sizeof(sinew_correctives)) return nullptr;
  auto* begin = static_cast<std::byte*>(workspace);
  const std::span<std::byte> rest{begin + sizeof(sinew_correctives), workspace_size - sizeof(sinew_correctives)};
  if (!prepare_workspace(set, rest)) return nullptr;
  if (status != nullptr) *status = 0;
  return new (workspace) sinew_correctives{set, rest.data(), rest.size()};
}

int sinew_correctives_levels(const sinew_correctives* set) { return set == nullptr ? 0 : set->set.level_count(); }
int sinew_correctives_joints(const sinew_correctives* set) { return set == nullptr ? 0 : set->set.joint_count(); }
size_t sinew_correctives_vertices(const sinew_correctives* set, int level) {
  return has(set, level) ? set->set.vertex_count(level) : 0;
}

int sinew_correctives_evaluate(sinew_correctives* set, const float* rotations, int level, double budget_microseconds) {
  if (!has(set, level)) return 0;
  const std::span<const float> all{rotations, 4 * static_cast<std::size_t>(set->set.joint_count())};
  return evaluate_correctives(set->set, all, level, set->span(), budget_microseconds).detail_level;
}

void sinew_correctives_positions(const sinew_correctives* set, int level, float* positions) {
  if (!has(set, level)) return;
  corrected_positions(set->set, level, set->span(), {positions, 3 * set->set.vertex_count(level)});
}

void sinew_correctives_skin(const sinew_correctives* set, int level, const float* matrices, const float* positions,
                            float* posed) {
  if (!has(set, level)) return;
  SkinningJob job = skinning_job(set->set, level);
  const std::size_t floats = 3 * job.vertex_count;
  job.matrices = {reinterpret_cast<const JointMatrix*>(matrices), static_cast<std::size_t>(set->set.joint_count())};
  job.positions = {{positions, floats}};
  job.posed_positions = {{posed, floats}};
  skin(job);
}

void sinew_correctives_normals(const sinew_correctives* set, int level, const float* posed, float* normals) {
  if (!has(set, level)) return;
  const std::size_t floats = 3 * set->set.vertex_count(level);
  posed_normals(set->set, level, {posed, floats}, {normals, floats});
}

}  // extern "C"
