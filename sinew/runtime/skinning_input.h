// A skinning job as the loops want it: plain pointers, whichever language they came from. Internal.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/runtime/instructions.h"
#include "sinew/runtime/status.h"

namespace sinew {

struct SkinningJob;

enum class SkinningKind { linear, dual_quaternion, stretched_dual_quaternion };

struct InputVectors {
  const float* data = nullptr;  // null: the mesh has none
  std::size_t stride = 0;       // floats
};

struct OutputVectors {
  float* data = nullptr;
  std::size_t stride = 0;
  bool streaming = false;  // write past the caches: packed, and every fourth vertex on a multiple of 16 bytes
};

struct SkinningInput {
  SkinningKind kind;
  int influences;
  std::size_t vertex_count, joint_count;
  const std::uint16_t* joints;
  const float* weights;
  const float* matrices;          // 16 floats per joint: the matrices, or the stretches of dual quaternions
  const float* dual_quaternions;  // 8 floats per joint
  InputVectors positions, normals, tangents;
  OutputVectors posed_positions, posed_normals, posed_tangents;
};

// Whether every joint exists and every weight is sound, for an input whose sizes are right.
RuntimeStatus check_weights(const SkinningInput& input) noexcept;

// Skins vertices [first, first + count) of an input whose sizes are right.
RuntimeStatus skin_input(SkinningInput input, std::size_t first, std::size_t count, Instructions instructions) noexcept;

// skin() with other instructions than the best, for tests and benchmarks. The processor must have them.
RuntimeStatus skin_with(const SkinningJob& job, Instructions instructions) noexcept;

// Splits one matrix of 16 floats: 8 floats of dual quaternion, 16 of stretch. Whether it is more than a rigid motion.
bool split_joint(const float* matrix, float* dual_quaternion, float* stretch) noexcept;

// Skins vertices [begin, end), a multiple of eight. Reads one float beyond the last vector of each input.
using SkinningKernel = void (*)(const SkinningInput& input, std::size_t begin, std::size_t end);

void skin_eights_baseline(const SkinningInput& input, std::size_t begin, std::size_t end);
void skin_eights_avx2(const SkinningInput& input, std::size_t begin, std::size_t end);  // x86-64 only

}  // namespace sinew
