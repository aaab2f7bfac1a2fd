// The skinning loops with AVX2 and FMA. Only called where the processor has both (skinning.cpp).
#if defined(__x86_64__)

#include <immintrin.h>

#include "sinew/runtime/skinning_input.h"

// Everything from here on, and no header before it, is compiled for AVX2.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define SINEW_SKINNING_AVX2
#include "sinew/runtime/skinning_kernel.inl"

namespace sinew {

void skin_eights_avx2(const SkinningInput& input, std::size_t begin, std::size_t end) {
  skin_eights(input, begin, end);
}

}  // namespace sinew

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
