#include "sinew/runtime/instructions.h"

namespace sinew {

Instructions best_instructions() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Instructions::avx2;
#endif
  return Instructions::baseline;
}

const char* instructions_name(Instructions instructions) noexcept {
  if (instructions == Instructions::avx2) return "avx2";
#if defined(__x86_64__)
  return "sse2";
#elif defined(__ARM_NEON)
  return "neon";
#else
  return "portable";
#endif
}

}  // namespace sinew
