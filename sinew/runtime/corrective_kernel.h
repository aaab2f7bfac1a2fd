// The inner loops of corrective evaluation, for two kinds of processors. Internal.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/runtime/corrective_format.h"
#include "sinew/runtime/instructions.h"

namespace sinew {

// Positions and displacements are packed x y z; every array of them has a float to spare at its end.
struct CorrectiveKernels {
  // Displacements of points [begin, end) from those of the coarser level.
  void (*prolong16)(const std::uint16_t* points, const std::uint32_t* weights, const float* coarse, float* fine,
                    std::size_t begin, std::size_t end);
  void (*prolong32)(const std::uint32_t* points, const std::uint32_t* weights, const float* coarse, float* fine,
                    std::size_t begin, std::size_t end);
  // Adds Σ_d values[d] · basis[block][d][24] to `blocks` blocks of displacements.
  void (*accumulate8)(const std::int8_t* basis, const float* values, std::size_t dimensions, std::size_t blocks,
                      float* displacements);
  void (*accumulate16)(const std::int16_t* basis, const float* values, std::size_t dimensions, std::size_t blocks,
                       float* displacements);
  // One layer; `outputs` a multiple of 8. `scales` are followed by the biases.
  void (*layer)(const std::int16_t* weights, const float* scales, const float* input, std::size_t inputs,
                std::size_t outputs, bool tanh, float* output);
  // positions[v] = rest[v] + displacements[point_of[v]].
  void (*correct)(const float* rest, const std::uint32_t* point_of, const float* displacements, std::size_t vertices,
                  float* positions);
};

extern const CorrectiveKernels corrective_kernels_baseline;
extern const CorrectiveKernels corrective_kernels_avx2;  // x86-64 only

const CorrectiveKernels& corrective_kernels(Instructions instructions) noexcept;

}  // namespace sinew
