// Correctives in real time: what skinning alone gets wrong, added to the rest shape before skinning, level by level.
//
//   Correctives set;                                                // once
//   if (open_correctives(bytes, set) != RuntimeStatus::ok) …        // bytes begin at a multiple of 64
//   workspace: set.workspace_bytes() bytes, at a multiple of 64
//   if (prepare_workspace(set, workspace) != RuntimeStatus::ok) …
//
//   const CorrectiveResult result = evaluate_correctives(set, rotations, 0, workspace);    // every frame
//   corrected_positions(set, 0, workspace, positions);              // rest + displacement
//   fill_skinning_job(set, 0, job); …; skin(job);                   // positions → posed
//   posed_normals(set, 0, posed, normals);
//
// Zheng and Barbič, "Multi-Resolution Real-Time Deep Pose-Space Deformation" (SIGGRAPH Asia 2024), sections 4 to 6:
// F_i = U_i F_{i-1} + Σ_k V_i^k N_i^k(pose). The file (docs/formats/sinewc.md) is used as it lies in memory: one
// contiguous block, which the caller keeps. Nothing here allocates, throws or takes a lock; one workspace serves one
// caller at a time, one set any number. runtime_c.h is the same for C.
//
// Levels count from 0, the finest, to level_count() - 1, the coarsest. All coarser levels are evaluated on the way to a
// level, so afterwards every one of them may be read.
//
// Every call looks at the sizes of its spans, whatever they hold. One that returns anything but ok has written nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/export.h"
#include "sinew/runtime/skinning.h"
#include "sinew/runtime/status.h"

namespace sinew {

// A validated view of the bytes. Copy it freely; the bytes must stay. Counts are 0 and spans empty before it was opened,
// and for levels that do not exist.
class SINEW_API Correctives {
 public:
  int level_count() const noexcept;
  int joint_count() const noexcept;
  int influences() const noexcept;
  std::size_t vertex_count(int level) const noexcept;
  std::size_t triangle_count(int level) const noexcept;
  std::size_t network_count(int level) const noexcept;  // regions that were not culled
  std::size_t file_bytes() const noexcept;
  std::size_t level_bytes(int level) const noexcept;  // of the correctives alone: prolongation, bases, networks
  std::size_t workspace_bytes() const noexcept;

  std::span<const float> rest_positions(int level) const noexcept;  // x y z per vertex
  std::span<const std::uint32_t> triangles(int level) const noexcept;

 private:
  friend RuntimeStatus open_correctives(std::span<const std::byte>, Correctives&) noexcept;
  friend struct CorrectiveAccess;
  const std::byte* data_ = nullptr;
};

// Checks every count, offset and index in the bytes; a set that opens can be evaluated with any input. The time is that
// of reading the file once.
SINEW_API RuntimeStatus open_correctives(std::span<const std::byte> bytes, Correctives& set) noexcept;

// Once per workspace, which must begin at a multiple of 64 and have at least set.workspace_bytes() bytes. The workspace
// remembers how long levels took, for budgets.
SINEW_API RuntimeStatus prepare_workspace(const Correctives& set, std::span<std::byte> workspace) noexcept;

struct [[nodiscard]] CorrectiveResult {
  RuntimeStatus status = RuntimeStatus::not_evaluated;
  // The finest level whose own detail is in the result: level_count() when there was no time for any; -1 unless ok.
  int detail_level = -1;
  double microseconds = 0;  // spent
};

// Displacements of `level` and all coarser ones for a pose. `rotations`: x y z w per joint, relative to its parent, as
// in a Pose; unit length.
// `budget_microseconds` > 0: detail of a level is computed only while there is time for it, judged by how long it took
// before (at first: by its bytes); levels without detail get that of the coarser ones prolonged. What must be done in
// any case is prolongation; a smaller budget is overrun by it.
SINEW_API CorrectiveResult evaluate_correctives(const Correctives& set, std::span<const float> rotations, int level,
                                                std::span<std::byte> workspace,
                                                double budget_microseconds = 0) noexcept;

// Rest positions plus displacements of a level that was evaluated: 3 · vertex_count floats.
SINEW_API RuntimeStatus corrected_positions(const Correctives& set, int level, std::span<const std::byte> workspace,
                                            std::span<float> positions) noexcept;

// Gives a job the level's number of vertices, its influences, joints and weights; positions, a palette of joint_count()
// entries and outputs are the caller's to add.
SINEW_API RuntimeStatus fill_skinning_job(const Correctives& set, int level, SkinningJob& job) noexcept;

// Area-weighted normals of posed positions, shared across UV seams and apart at hard edges, as in the rest pose.
// `normals`: 3 · vertex_count floats.
SINEW_API RuntimeStatus posed_normals(const Correctives& set, int level, std::span<const float> posed_positions,
                                      std::span<float> normals) noexcept;

// ---- evaluate_correctives in steps, for callers with threads of their own ----
//
// The same bits, without a budget. Ranges of one step may run at the same time on one workspace; a step begins when the
// one before is done:
//   begin_evaluation(set, rotations, level, workspace)
//   evaluate_networks(set, workspace, first, count)    over [0, networks_down_to(set, level))
//   evaluate_chunks(set, l, workspace, first, count)   for l = level_count() - 1 … level, over [0, chunk_count(set, l))
//   finish_evaluation(set, level, workspace)           now corrected_positions() gives them out

SINEW_API std::size_t networks_down_to(const Correctives& set, int level) noexcept;  // of `level` and all coarser ones
SINEW_API std::size_t chunk_count(const Correctives& set, int level) noexcept;       // of 512 points each

SINEW_API RuntimeStatus begin_evaluation(const Correctives& set, std::span<const float> rotations, int level,
                                         std::span<std::byte> workspace) noexcept;
SINEW_API RuntimeStatus evaluate_networks(const Correctives& set, std::span<std::byte> workspace, std::size_t first,
                                          std::size_t count) noexcept;
SINEW_API RuntimeStatus evaluate_chunks(const Correctives& set, int level, std::span<std::byte> workspace,
                                        std::size_t first, std::size_t count) noexcept;
SINEW_API RuntimeStatus finish_evaluation(const Correctives& set, int level, std::span<std::byte> workspace) noexcept;

}  // namespace sinew
