// Correctives in real time: what skinning alone gets wrong, added to the rest shape before skinning, level by level.
//
//   Correctives set;                                            // once
//   if (open_correctives(bytes, set) != CorrectiveStatus::ok) …
//   std::vector<std::byte> workspace(set.workspace_bytes());    // and let it begin at a multiple of 64
//   prepare_workspace(set, workspace);
//
//   evaluate_correctives(set, rotations, 0, workspace);         // every frame: displacements down to level 0
//   corrected_positions(set, 0, workspace, positions);          // rest + displacement
//   SkinningJob job = skinning_job(set, 0); …; skin(job);       // positions → posed
//   posed_normals(set, 0, posed, normals);
//
// Zheng and Barbič, "Multi-Resolution Real-Time Deep Pose-Space Deformation" (SIGGRAPH Asia 2024), sections 4 to 6:
// F_i = U_i F_{i-1} + Σ_k V_i^k N_i^k(pose). The file (docs/formats/sinewc.md) is used as it lies in memory: one
// contiguous block, which the caller keeps. Nothing here allocates, throws or takes a lock; one workspace serves one
// caller at a time, one set any number. correctives_c.h is the same for C.
//
// Levels count from 0, the finest, to level_count() - 1, the coarsest. All coarser levels are evaluated on the way to a
// level, so afterwards every one of them may be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/export.h"
#include "sinew/runtime/skinning.h"

namespace sinew {

namespace sinewc {
struct Header;
struct Level;
struct Network;
}  // namespace sinewc

enum class CorrectiveStatus : std::uint8_t {
  ok,
  misaligned,   // the bytes do not begin at a multiple of 64
  no_file,      // they are no .sinewc
  new_version,  // of a version that this library does not know
  damaged,      // truncated, or some number in them is impossible
};

// "the file is damaged", …
SINEW_API const char* corrective_status_text(CorrectiveStatus status) noexcept;

// A validated view of the bytes. Copy it freely; the bytes must stay.
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
  friend CorrectiveStatus open_correctives(std::span<const std::byte>, Correctives&) noexcept;
  friend struct CorrectiveAccess;
  const std::byte* data_ = nullptr;
};

// Checks every count, offset and index in the bytes; a set that opens can be evaluated with any input. The time is that
// of reading the file once.
SINEW_API CorrectiveStatus open_correctives(std::span<const std::byte> bytes, Correctives& set) noexcept;

// Once per workspace, which must begin at a multiple of 64 and have at least set.workspace_bytes() bytes: false
// otherwise. The workspace remembers how long levels took, for budgets.
SINEW_API bool prepare_workspace(const Correctives& set, std::span<std::byte> workspace) noexcept;

struct CorrectiveResult {
  int detail_level = 0;     // the finest level whose own detail is in the result: level_count() when none is
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

// The same bits on all threads of parallel.h, without a budget. Starting threads allocates; the evaluation does not.
SINEW_API void evaluate_correctives_parallel(const Correctives& set, std::span<const float> rotations, int level,
                                             std::span<std::byte> workspace);

// Rest positions plus displacements of a level that was evaluated: 3 · vertex_count floats.
SINEW_API void corrected_positions(const Correctives& set, int level, std::span<const std::byte> workspace,
                                   std::span<float> positions) noexcept;

// A job with the level's joints and weights; positions, matrices and outputs are the caller's to add.
SINEW_API SkinningJob skinning_job(const Correctives& set, int level) noexcept;

// Area-weighted normals of posed positions, shared across UV seams and apart at hard edges, as in the rest pose.
// `normals`: 3 · vertex_count floats.
SINEW_API void posed_normals(const Correctives& set, int level, std::span<const float> posed_positions,
                             std::span<float> normals) noexcept;

// The instructions in use: "avx2" or "portable".
SINEW_API const char* corrective_instructions() noexcept;

}  // namespace sinew
