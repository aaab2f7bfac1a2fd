// What skinning.cpp hands to the kernels. Internal.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew {

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
  const std::uint16_t* joints;
  const float* weights;
  const float* matrices;          // 16 floats per joint: the matrices, or the stretches of dual quaternions
  const float* dual_quaternions;  // 8 floats per joint
  InputVectors positions, normals, tangents;
  OutputVectors posed_positions, posed_normals, posed_tangents;
};

// Skins vertices [begin, end), a multiple of eight. Reads one float beyond the last vector of each input.
using SkinningKernel = void (*)(const SkinningInput& input, std::size_t begin, std::size_t end);

void skin_eights_baseline(const SkinningInput& input, std::size_t begin, std::size_t end);
void skin_eights_avx2(const SkinningInput& input, std::size_t begin, std::size_t end);  // x86-64 only

struct SkinningPath {
  const char* name;
  SkinningKernel kernel;
};

// Paths this processor can run, best first, the baseline last; tests go through all of them. `count` is set.
const SkinningPath* skinning_paths(std::size_t& count) noexcept;

// Makes skin() use another path: for tests and benchmarks only, not while anything is being skinned.
void force_skinning_path(const SkinningPath& path) noexcept;

}  // namespace sinew
