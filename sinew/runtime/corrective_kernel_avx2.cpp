// The loops of corrective evaluation with AVX2 and FMA. Only called where the processor has both.
#if defined(__x86_64__)

#include <immintrin.h>

#include "sinew/runtime/corrective_kernel.h"

// Everything from here on, and no header before it, is compiled for AVX2.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define SINEW_CORRECTIVES_AVX2
#include "sinew/runtime/corrective_kernel.inl"

#if defined(__clang__)
#pragma clang attribute pop
#endif

namespace sinew {

const CorrectiveKernels corrective_kernels_avx2{
    prolong<std::uint16_t>, prolong<std::uint32_t>, accumulate<std::int8_t>, accumulate<std::int16_t>, layer, correct};

}  // namespace sinew

#endif
